//! The balancing policy of a cluster from its classic fields (`lb_policy` and what goes with it).

use alloc::format;

use spillgate_core::model::{
    DEFAULT_MAGLEV_TABLE_SIZE, DEFAULT_MAXIMUM_RING_SIZE, DEFAULT_MINIMUM_RING_SIZE, HashFunction,
    MAXIMUM_MAGLEV_TABLE_SIZE, MAXIMUM_RING_SIZE, MaglevConfig, MaglevError, Policy,
    RingHashConfig, RingHashError,
};

use super::schema::{
    CONSISTENT_HASHING, LEGACY_LEAST_REQUEST, LEGACY_MAGLEV, LEGACY_RING_HASH, LEGACY_ROUND_ROBIN,
    LOCALITY_WEIGHTED,
};
use crate::{
    Position,
    proto::{Message, Path, Report},
};

/// A policy with the settings that come along with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadPolicy {
    pub(super) policy: Policy,
    pub(super) locality_weighted: bool,
    pub(super) hash_hostname: bool,
}

/// The values of `Cluster.lb_policy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LbPolicy {
    RoundRobin,
    LeastRequest,
    RingHash,
    Random,
    Maglev,
    ClusterProvided,
    Extension,
}

pub(super) const LB_POLICY: [(&str, i64, LbPolicy); 7] = [
    ("ROUND_ROBIN", 0, LbPolicy::RoundRobin),
    ("LEAST_REQUEST", 1, LbPolicy::LeastRequest),
    ("RING_HASH", 2, LbPolicy::RingHash),
    ("RANDOM", 3, LbPolicy::Random),
    ("MAGLEV", 5, LbPolicy::Maglev),
    ("CLUSTER_PROVIDED", 6, LbPolicy::ClusterProvided),
    ("LOAD_BALANCING_POLICY_CONFIG", 7, LbPolicy::Extension),
];

const LEGACY_HASH_FUNCTION: [(&str, i64, HashFunction); 2] = [
    ("XX_HASH", 0, HashFunction::XxHash),
    ("MURMUR_HASH_2", 1, HashFunction::MurmurHash2),
];

/// Reads `lb_policy`'s settings; `common` is `common_lb_config`.
pub(super) fn read_policy(
    cluster: &Message<'_, '_>,
    lb_policy: LbPolicy,
    common: Option<&Message<'_, '_>>,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let configs = [
        "ring_hash_lb_config",
        "maglev_lb_config",
        "original_dst_lb_config",
        "least_request_lb_config",
        "round_robin_lb_config",
    ];
    cluster.one_of(&configs, report);
    // Opened whatever the policy is, so that a misspelt field in them never passes.
    let ring = cluster.message("ring_hash_lb_config", &LEGACY_RING_HASH, report);
    let maglev = cluster.message("maglev_lb_config", &LEGACY_MAGLEV, report);
    cluster.message("round_robin_lb_config", &LEGACY_ROUND_ROBIN, report);
    cluster.message("least_request_lb_config", &LEGACY_LEAST_REQUEST, report);
    let locality_weighted = common.is_some_and(|common| read_locality_weighted(common, report));
    let hash_hostname = common.is_some_and(|common| read_hash_hostname(common, report));
    let policy = match lb_policy {
        LbPolicy::RoundRobin | LbPolicy::ClusterProvided | LbPolicy::Extension => {
            Some(Policy::RoundRobin)
        }
        LbPolicy::Random => Some(Policy::Random),
        LbPolicy::LeastRequest => {
            let path = cluster.path.field("lb_policy");
            let position = cluster.position_of("lb_policy");
            Some(stand_in("LEAST_REQUEST", &path, position, report))
        }
        LbPolicy::RingHash => match &ring {
            Some(ring) => read_ring(ring, &LEGACY_HASH_FUNCTION, report),
            None => Some(Policy::RingHash(RingHashConfig::default())),
        },
        LbPolicy::Maglev => match &maglev {
            Some(maglev) => read_maglev(maglev, report),
            None => Some(Policy::Maglev(MaglevConfig::default())),
        },
    }?;
    note_locality_weights(policy, locality_weighted, common, report);
    Some(ReadPolicy {
        policy,
        locality_weighted,
        hash_hostname,
    })
}

/// A policy that the engine does not have: its shares are near those of ROUND_ROBIN while all
/// hosts are idle, which is better than no answer where a person reads the warning.
pub(super) fn stand_in(name: &str, path: &Path, position: Position, report: &mut Report) -> Policy {
    report.missing_feature(
        "config/policy-not-modelled",
        &format!("the policy {name}"),
        "ROUND_ROBIN stands in for it",
        path,
        position,
    );
    Policy::RoundRobin
}

/// Locality weights are modelled for hash policies only.
pub(super) fn note_locality_weights(
    policy: Policy,
    locality_weighted: bool,
    common: Option<&Message<'_, '_>>,
    report: &mut Report,
) {
    if let (false, true, Some(common)) = (policy.hashes(), locality_weighted, common) {
        let field = "locality_weighted_lb_config";
        report.unmodelled(field, &common.path.field(field), common.position_of(field));
    }
}

/// Whether `locality_weighted_lb_config` is there; its presence is all it says.
pub(super) fn read_locality_weighted(message: &Message<'_, '_>, report: &mut Report) -> bool {
    message
        .message("locality_weighted_lb_config", &LOCALITY_WEIGHTED, report)
        .is_some()
}

/// `consistent_hashing_lb_config.use_hostname_for_hashing`.
pub(super) fn read_hash_hostname(message: &Message<'_, '_>, report: &mut Report) -> bool {
    message
        .message("consistent_hashing_lb_config", &CONSISTENT_HASHING, report)
        .and_then(|hashing| hashing.bool("use_hostname_for_hashing", report))
        .unwrap_or(false)
}

/// Ring settings; the classic and the typed message differ in the enum alone.
pub(super) fn read_ring(
    message: &Message<'_, '_>,
    functions: &[(&'static str, i64, HashFunction)],
    report: &mut Report,
) -> Option<Policy> {
    let before = report.errors();
    let function = message.enumeration("hash_function", functions, report);
    let mut size = |field, default| message.wrapped_u64(field, report).unwrap_or(default);
    let minimum = size("minimum_ring_size", DEFAULT_MINIMUM_RING_SIZE);
    let maximum = size("maximum_ring_size", DEFAULT_MAXIMUM_RING_SIZE);
    if report.errors() > before {
        return None;
    }
    match RingHashConfig::new(minimum, maximum, function.unwrap_or_default()) {
        Ok(config) => return Some(Policy::RingHash(config)),
        Err(RingHashError::MinimumAboveMaximum) => report.push(
            message
                .error(
                    "minimum_ring_size",
                    "config/ring-size",
                    "the smallest ring is larger than the largest",
                )
                .found(format!("{minimum}"))
                .expected(format!("at most maximum_ring_size, {maximum}")),
        ),
        Err(RingHashError::TooLarge) => {
            for (field, value) in [
                ("minimum_ring_size", minimum),
                ("maximum_ring_size", maximum),
            ] {
                if value > MAXIMUM_RING_SIZE {
                    report.push(
                        message
                            .error(field, "config/ring-size", "the ring is too large")
                            .expected(format!("at most {MAXIMUM_RING_SIZE}")),
                    );
                }
            }
        }
    }
    None
}

/// Maglev settings, the same in the classic and the typed message.
pub(super) fn read_maglev(message: &Message<'_, '_>, report: &mut Report) -> Option<Policy> {
    let size = match message.wrapped_u64("table_size", report) {
        Some(size) => size,
        None if message.has("table_size") => return None,
        None => u64::from(DEFAULT_MAGLEV_TABLE_SIZE),
    };
    let (what, expected) = match MaglevConfig::new(size) {
        Ok(config) => return Some(Policy::Maglev(config)),
        Err(MaglevError::NotPrime) => (
            "the table size is not prime",
            "a prime number, such as 65537".into(),
        ),
        Err(MaglevError::TooLarge) => (
            "the table is too large",
            format!("a prime number up to {MAXIMUM_MAGLEV_TABLE_SIZE}"),
        ),
    };
    report.push(
        message
            .error("table_size", "config/table-size", what)
            .expected(expected),
    );
    None
}
