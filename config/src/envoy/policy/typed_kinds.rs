//! The settings of each typed policy.

use alloc::{format, vec::Vec};

use spillgate_core::model::{HashFunction, LocalityLb, Policy};

use super::{
    classic::ReadPolicy,
    hash_table::{read_maglev, read_ring, typed_hashing},
    host_sources::read_host_sources,
    locality_lb::{hash_locality_lb, typed_locality_lb},
    subset::read_subsets,
    tuning::{read_least_request, read_slow_start},
    typed::{Kind, read_typed_policy},
};
use crate::{
    Position,
    envoy::{
        marks::ClusterMarks,
        schema::{
            CLIENT_SIDE_WEIGHTED, CLUSTER_PROVIDED, LEAST_REQUEST, MAGLEV, OVERRIDE_HOST, RANDOM,
            RING_HASH, ROUND_ROBIN, SUBSET, WRR_LOCALITY,
        },
    },
    proto::{Any, Message, Report, Schema},
};

pub(crate) const HASH_FUNCTION: [(&str, i64, HashFunction); 3] = [
    ("DEFAULT_HASH", 0, HashFunction::XxHash),
    ("XX_HASH", 1, HashFunction::XxHash),
    ("MURMUR_HASH_2", 2, HashFunction::MurmurHash2),
];

/// Reads the message of a policy, whose name is for messages.
pub(super) fn read_one(
    any: Any<'_, '_>,
    name: &str,
    kind: Kind,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let (path, position) = (any.path.clone(), any.node.position);
    match kind {
        Kind::RoundRobin => simple(any, &ROUND_ROBIN, Policy::RoundRobin, marks, report),
        Kind::Random => simple(any, &RANDOM, Policy::Random, marks, report),
        Kind::LeastRequest => {
            let message = any.open(&LEAST_REQUEST, report)?;
            let read = with_settings(
                &message,
                read_least_request(&message, report),
                marks,
                report,
            );
            Some(read)
        }
        Kind::RingHash => {
            let message = any.open(&RING_HASH, report)?;
            let hashing = typed_hashing(&message, marks, report);
            let locality_lb = hash_locality_lb(&message, marks, report);
            let policy = read_ring(&message, &HASH_FUNCTION, report)?;
            let read = ReadPolicy::bare(policy).hashing(hashing);
            Some(ReadPolicy {
                locality_lb,
                ..read
            })
        }
        Kind::Maglev => {
            let message = any.open(&MAGLEV, report)?;
            let hashing = typed_hashing(&message, marks, report);
            let locality_lb = hash_locality_lb(&message, marks, report);
            let read = ReadPolicy::bare(read_maglev(&message, report)?).hashing(hashing);
            Some(ReadPolicy {
                locality_lb,
                ..read
            })
        }
        Kind::ClientSideWeighted => client_side_weighted(any, marks, report),
        Kind::WrrLocality => wrr_locality(any, marks, report),
        Kind::ClusterProvided => {
            any.open(&CLUSTER_PROVIDED, report)?;
            Some(ReadPolicy {
                provided: true,
                ..ReadPolicy::default()
            })
        }
        Kind::OverrideHost => override_host(any, marks, report),
        Kind::Subset => subset(any, marks, report),
        Kind::NotModelled => {
            // ROUND_ROBIN's shares are near those of most policies while all hosts are idle,
            // which is better than no answer where a person reads the warning.
            report.missing_feature(
                "config/policy-not-modelled",
                &format!("the policy {name}"),
                "ROUND_ROBIN stands in for it",
                &path,
                position,
            );
            Some(ReadPolicy::default())
        }
    }
}

fn simple(
    any: Any<'_, '_>,
    schema: &Schema,
    policy: Policy,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let message = any.open(schema, report)?;
    Some(with_settings(&message, policy, marks, report))
}

fn with_settings(
    message: &Message<'_, '_>,
    policy: Policy,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> ReadPolicy {
    ReadPolicy {
        locality_lb: typed_locality_lb(message, marks, report),
        slow_start: read_slow_start(message, marks, report),
        ..ReadPolicy::bare(policy)
    }
}

/// How weights come from load reports is read to check it; the reports themselves are inputs.
fn client_side_weighted(
    any: Any<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let (path, position) = (any.path.clone(), any.node.position);
    let message = any.open(&CLIENT_SIDE_WEIGHTED, report)?;
    message.bool("enable_oob_load_report", report);
    for field in [
        "oob_reporting_period",
        "blackout_period",
        "weight_expiration_period",
        "weight_update_period",
    ] {
        message.duration(field, report);
    }
    let penalty = message.wrapped_double("error_utilization_penalty", report);
    if penalty.is_some_and(|penalty| penalty < 0.0) {
        report.push(
            message
                .error("error_utilization_penalty", "config/value", "out of range")
                .expected("0 or more"),
        );
    }
    message.strings("metric_names_for_computing_utilization", report);
    let read = ReadPolicy {
        slow_start: read_slow_start(&message, marks, report),
        ..ReadPolicy::bare(Policy::ClientSideWeightedRoundRobin)
    };
    let what = format!("the policy {}", read.policy.name());
    report.not_in_filter("config/policy-not-modelled", &what, &path, position);
    report.note(
        "config/reported-weights",
        "shares are those of the weights that hosts have reported, or of equal ones",
        &path,
        position,
    );
    Some(read)
}

fn wrr_locality(
    any: Any<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let message = any.open(&WRR_LOCALITY, report)?;
    let field = "endpoint_picking_policy";
    let read = child_policy(&message, field, marks, report)?;
    if read.policy != Policy::ClientSideWeightedRoundRobin || read.subsets.is_some() {
        report.push(
            message
                .error(
                    field,
                    "config/lb-policy",
                    "not a policy that goes with this one",
                )
                .expected("ClientSideWeightedRoundRobin"),
        );
    }
    marks.locality_lb = Some(message.position);
    Some(ReadPolicy {
        locality_lb: LocalityLb::Weighted,
        ..read
    })
}

/// The sources of a policy inside another one of this kind are never looked at: the two share one
/// list.
fn override_host(
    any: Any<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let message = any.open(&OVERRIDE_HOST, report)?;
    let override_hosts = read_host_sources(&message, report);
    let read = child_policy(&message, "fallback_policy", marks, report)?;
    Some(ReadPolicy {
        override_hosts,
        ..read
    })
}

fn subset(any: Any<'_, '_>, marks: &mut ClusterMarks, report: &mut Report) -> Option<ReadPolicy> {
    let message = any.open(&SUBSET, report)?;
    let field = "subset_lb_policy";
    let child = child_policy(&message, field, marks, report);
    if child.as_ref().is_some_and(|child| child.subsets.is_some()) {
        report.missing_feature(
            "config/policy-not-modelled",
            "a Subset policy inside another",
            "the outer one counts",
            &message.path.field(field),
            message.position_of(field),
        );
    }
    marks.subset_selectors.clear();
    let subsets = read_subsets(&message, marks, report);
    Some(ReadPolicy {
        subsets: Some(subsets),
        // Inside a subset Envoy does not look at what requests name.
        override_hosts: Vec::new(),
        ..child?
    })
}

/// A policy inside another one; the mark stays with the outer one.
fn child_policy(
    parent: &Message<'_, '_>,
    field: &'static str,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let outer: Option<Position> = marks.lb_policy;
    if !parent.has(field) {
        report.push(parent.error(field, "config/missing", "a required field is missing"));
        return None;
    }
    let read = read_typed_policy(parent, field, marks, report);
    marks.lb_policy = outer;
    let mut read = read?;
    if core::mem::take(&mut read.provided) {
        let fault = "a policy that the cluster brings cannot stand inside another";
        report.push(parent.error(field, "config/lb-policy", fault));
    }
    Some(read)
}
