//! `spec.to[].default`.

use super::{
    super::{KumaConf, KumaLoadBalancer, KumaNumber, KumaTargetRef, threshold},
    hashing, locality,
};
use crate::{MeshFaultCode, paths::Place};

/// The largest ring size that the schema of the resource accepts, in entries.
const MOST_RING_ENTRIES: i64 = 8_000_000;
/// The largest Maglev table that the schema of the resource accepts, in slots.
const MOST_MAGLEV_SLOTS: i64 = 5_000_011;

pub(super) fn check(conf: &KumaConf, target: &KumaTargetRef, place: &mut Place<'_>) {
    if target.kind == "MeshHTTPRoute" {
        hashing::check(
            conf.hash_policies.as_deref(),
            &mut place.field("hashPolicies"),
        );
        let route_only = MeshFaultCode::OnlyHashPoliciesForRoute;
        place
            .field("loadBalancer")
            .fault_if(conf.load_balancer.is_some(), route_only);
        place
            .field("localityAwareness")
            .fault_if(conf.locality_awareness.is_some(), route_only);
        return;
    }
    if let Some(load_balancer) = &conf.load_balancer {
        check_load_balancer(load_balancer, &mut place.field("loadBalancer"));
    }
    if let Some(awareness) = &conf.locality_awareness {
        let mut place = place.field("localityAwareness");
        locality::check_target(awareness, target, &mut place);
        locality::check(awareness, &mut place);
    }
    hashing::check(
        conf.hash_policies.as_deref(),
        &mut place.field("hashPolicies"),
    );
}

fn check_load_balancer(load_balancer: &KumaLoadBalancer, place: &mut Place<'_>) {
    let known = ["RoundRobin", "LeastRequest", "RingHash", "Random", "Maglev"];
    place.field("type").fault_if(
        !known.contains(&load_balancer.kind.as_str()),
        MeshFaultCode::UnrecognizedType,
    );
    if let Some(block) = &load_balancer.least_request {
        let mut place = place.field("leastRequest");
        in_range(
            block.choice_count,
            2..=i64::from(u32::MAX),
            &mut place.field("choiceCount"),
        );
        // Kuma checks the bias only with its type.
        if load_balancer.kind == "LeastRequest"
            && let Some(bias) = &block.active_request_bias
        {
            check_bias(bias, &mut place.field("activeRequestBias"));
        }
    }
    if let Some(block) = &load_balancer.ring_hash {
        let mut place = place.field("ringHash");
        if let Some(function) = &block.hash_function {
            place.field("hashFunction").fault_if(
                !["XXHash", "MurmurHash2"].contains(&function.as_str()),
                MeshFaultCode::UnrecognizedType,
            );
        }
        in_range(
            block.min_ring_size,
            1..=MOST_RING_ENTRIES,
            &mut place.field("minRingSize"),
        );
        in_range(
            block.max_ring_size,
            1..=MOST_RING_ENTRIES,
            &mut place.field("maxRingSize"),
        );
        hashing::check(
            block.hash_policies.as_deref(),
            &mut place.field("hashPolicies"),
        );
    }
    if let Some(block) = &load_balancer.maglev {
        let mut place = place.field("maglev");
        in_range(
            block.table_size,
            1..=MOST_MAGLEV_SLOTS,
            &mut place.field("tableSize"),
        );
        hashing::check(
            block.hash_policies.as_deref(),
            &mut place.field("hashPolicies"),
        );
    }
}

fn in_range(value: Option<i64>, range: core::ops::RangeInclusive<i64>, place: &mut Place<'_>) {
    let outside = value.is_some_and(|value| !range.contains(&value));
    place.fault_if(outside, MeshFaultCode::OutOfRange);
}

fn check_bias(bias: &KumaNumber, place: &mut Place<'_>) {
    match threshold::value(bias) {
        None => place.fault(MeshFaultCode::NotANumber),
        Some(bias) => place.fault_if(bias < 0.0, MeshFaultCode::MustBeAtLeast0),
    }
}
