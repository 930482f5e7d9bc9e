//! The settings of each typed policy without nested policies.

use alloc::format;

use spillgate_core::model::{HashFunction, Policy};

use super::{
    hash_table::{read_maglev, read_ring, typed_hashing},
    locality_lb::{hash_locality_lb, typed_locality_lb},
    read_policy::ReadPolicy,
    tuning::{read_least_request, read_slow_start},
};
use crate::{
    envoy::{
        marks::ClusterMarks,
        schema::{CLIENT_SIDE_WEIGHTED, LEAST_REQUEST, MAGLEV, RING_HASH},
    },
    proto::{Any, Message, Report, Schema},
};

/// `HashFunction` of a ring; unset is xxHash.
pub(crate) const HASH_FUNCTION: [(&str, i64, HashFunction); 3] = [
    ("DEFAULT_HASH", 0, HashFunction::XxHash),
    ("XX_HASH", 1, HashFunction::XxHash),
    ("MURMUR_HASH_2", 2, HashFunction::MurmurHash2),
];

/// `LeastRequest` with slow start and localities.
pub(super) fn least_request(
    any: Any<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let message = any.open(&LEAST_REQUEST, report)?;
    let policy = read_least_request(&message, report);
    Some(with_settings(&message, policy, marks, report))
}

/// `RingHash` with the settings of all hash policies.
pub(super) fn ring_hash(
    any: Any<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
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

/// `Maglev` with the settings of all hash policies.
pub(super) fn maglev(
    any: Any<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let message = any.open(&MAGLEV, report)?;
    let hashing = typed_hashing(&message, marks, report);
    let locality_lb = hash_locality_lb(&message, marks, report);
    let read = ReadPolicy::bare(read_maglev(&message, report)?).hashing(hashing);
    Some(ReadPolicy {
        locality_lb,
        ..read
    })
}

/// A policy with common settings only.
pub(super) fn simple(
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

/// Reads the load report settings to check them; the reports themselves are inputs.
pub(super) fn client_side_weighted(
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
        message.out_of_range("error_utilization_penalty", "at least 0", report);
    }
    message.strings("metric_names_for_computing_utilization", report);
    let read = ReadPolicy {
        slow_start: read_slow_start(&message, marks, report),
        ..ReadPolicy::bare(Policy::ClientSideWeightedRoundRobin)
    };
    let what = format!("policy {}", read.policy.name());
    report.not_in_filter("config/policy-not-modeled", &what, &path, position);
    report.limit(
        "config/reported-weights",
        "the weights that hosts report are not in the input; all weights are equal here",
        &path,
        position,
    );
    Some(read)
}
