//! The balancing policy of a cluster from `load_balancing_policy`.

use spillgate_core::model::{HashFunction, Policy};

use super::{
    policy::{
        ReadPolicy, note_locality_weights, read_hash_hostname, read_locality_weighted, read_maglev,
        read_ring, stand_in,
    },
    schema::{
        LOAD_BALANCING_POLICY, LOCALITY_LB_CONFIG, MAGLEV, OVERRIDE_HOST, POLICY, RANDOM,
        RING_HASH, ROUND_ROBIN, TYPED_EXTENSION,
    },
};
use crate::{
    Position,
    proto::{Any, Message, Report, Schema},
};

const HASH_FUNCTION: [(&str, i64, HashFunction); 3] = [
    ("DEFAULT_HASH", 0, HashFunction::XxHash),
    ("XX_HASH", 1, HashFunction::XxHash),
    ("MURMUR_HASH_2", 2, HashFunction::MurmurHash2),
];

const PREFIX: &str = "envoy.extensions.load_balancing_policies.";

/// Reads the policy that Envoy would take from the list, the first one, and its place.
pub(super) fn read_typed_policy(
    parent: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Option<(ReadPolicy, Position)> {
    let message = parent.message(field, &LOAD_BALANCING_POLICY, report)?;
    let Some((path, node)) = message.list("policies", report).next() else {
        report.push(message.error(
            "policies",
            "config/missing",
            "the list of policies is empty",
        ));
        return None;
    };
    let position = node.position;
    let policy = Message::open(node, path, &POLICY, report)?;
    if !policy.has("typed_extension_config") {
        report.push(policy.error(
            "typed_extension_config",
            "config/missing",
            "an empty policy",
        ));
        return None;
    }
    let extension = policy.message("typed_extension_config", &TYPED_EXTENSION, report)?;
    if !extension.has("typed_config") {
        report.push(extension.error(
            "typed_config",
            "config/missing",
            "a policy without its config",
        ));
        return None;
    }
    let any = extension.any("typed_config", report)?;
    let read = read_one(any, report)?;
    Some((read, position))
}

fn read_one(any: Any<'_, '_>, report: &mut Report) -> Option<ReadPolicy> {
    let Some(name) = any.type_name.strip_prefix(PREFIX) else {
        let name = any.type_name;
        return unknown(any, name, report);
    };
    match name {
        "round_robin.v3.RoundRobin" => simple(any, &ROUND_ROBIN, Policy::RoundRobin, report),
        "random.v3.Random" => simple(any, &RANDOM, Policy::Random, report),
        "ring_hash.v3.RingHash" => ring_hash(any, report),
        "maglev.v3.Maglev" => maglev(any, report),
        "override_host.v3.OverrideHost" => {
            // Without an override the fallback answers, and that is what can be said beforehand.
            let message = any.open(&OVERRIDE_HOST, report)?;
            let (policy, _) = read_typed_policy(&message, "fallback_policy", report)?;
            Some(policy)
        }
        name => unknown(any, name, report),
    }
}

fn unknown(any: Any<'_, '_>, name: &str, report: &mut Report) -> Option<ReadPolicy> {
    let policy = stand_in(name, &any.path, any.node.position, report);
    Some(ReadPolicy {
        policy,
        locality_weighted: false,
        hash_hostname: false,
    })
}

fn simple(
    any: Any<'_, '_>,
    schema: &Schema,
    policy: Policy,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let message = any.open(schema, report)?;
    let locality = message.message("locality_lb_config", &LOCALITY_LB_CONFIG, report);
    if let Some(locality) = &locality {
        let kinds = ["zone_aware_lb_config", "locality_weighted_lb_config"];
        locality.one_of(&kinds, report);
    }
    let locality_weighted = locality
        .as_ref()
        .is_some_and(|l| read_locality_weighted(l, report));
    note_locality_weights(policy, locality_weighted, locality.as_ref(), report);
    Some(ReadPolicy {
        policy,
        locality_weighted,
        hash_hostname: false,
    })
}

fn ring_hash(any: Any<'_, '_>, report: &mut Report) -> Option<ReadPolicy> {
    let message = any.open(&RING_HASH, report)?;
    let deprecated = message
        .bool("use_hostname_for_hashing", report)
        .unwrap_or(false);
    let locality_weighted = read_locality_weighted(&message, report);
    let hash_hostname = read_hash_hostname(&message, report) || deprecated;
    let policy = read_ring(&message, &HASH_FUNCTION, report)?;
    Some(ReadPolicy {
        policy,
        locality_weighted,
        hash_hostname,
    })
}

fn maglev(any: Any<'_, '_>, report: &mut Report) -> Option<ReadPolicy> {
    let message = any.open(&MAGLEV, report)?;
    let locality_weighted = read_locality_weighted(&message, report);
    let hash_hostname = read_hash_hostname(&message, report);
    let policy = read_maglev(&message, report)?;
    Some(ReadPolicy {
        policy,
        locality_weighted,
        hash_hostname,
    })
}
