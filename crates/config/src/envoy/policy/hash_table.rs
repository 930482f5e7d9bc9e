//! Ring and Maglev: table sizes, and what they hash.

use alloc::{format, vec::Vec};

use spillgate_core::{
    model::{
        DEFAULT_MAGLEV_TABLE_SIZE, DEFAULT_MAXIMUM_RING_SIZE, DEFAULT_MINIMUM_RING_SIZE,
        HashBalanceFactor, HashFunction, MAXIMUM_MAGLEV_TABLE_SIZE, MAXIMUM_RING_SIZE,
        MaglevConfig, MaglevError, Policy, RingHashConfig, RingHashError,
    },
    route::HashPolicy,
};

use crate::{
    envoy::{
        marks::ClusterMarks,
        route::read_hash_policies,
        schema::{CONSISTENT_HASHING, LEGACY_CONSISTENT_HASHING},
    },
    proto::{Message, Report},
};

const CONFIG: &str = "consistent_hashing_lb_config";
const FACTOR: &str = "hash_balance_factor";

/// The settings of both hash policies.
#[derive(Debug, Default)]
pub(crate) struct Hashing {
    pub(crate) hostname: bool,
    pub(super) balance_factor: Option<HashBalanceFactor>,
    pub(crate) policies: Vec<HashPolicy>,
}

/// `common_lb_config.consistent_hashing_lb_config`.
pub(super) fn classic_hashing(
    common: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Hashing {
    match common.message(CONFIG, &LEGACY_CONSISTENT_HASHING, report) {
        Some(config) => Hashing {
            hostname: hash_hostname(&config, report),
            balance_factor: balance_factor(&config, 1, marks, report),
            policies: Vec::new(),
        },
        None => Hashing::default(),
    }
}

/// The settings of a typed policy. If the message is present, it replaces the older fields,
/// whatever their values.
pub(super) fn typed_hashing(
    policy: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Hashing {
    let Some(config) = policy.message(CONFIG, &CONSISTENT_HASHING, report) else {
        return Hashing {
            hostname: hash_hostname(policy, report),
            balance_factor: balance_factor(policy, 0, marks, report),
            policies: Vec::new(),
        };
    };
    for older in ["use_hostname_for_hashing", FACTOR] {
        if policy.has(older) {
            let why = format!("{older} has no effect with {CONFIG}");
            let path = policy.path.field(older);
            report.note("config/no-effect", why, &path, policy.position_of(older));
        }
    }
    let policies = read_hash_policies(&config, "hash_policy", report);
    marks.hash_policy = config.get("hash_policy").map(|node| node.position);
    Hashing {
        hostname: hash_hostname(&config, report),
        balance_factor: balance_factor(&config, 0, marks, report),
        policies,
    }
}

fn hash_hostname(message: &Message<'_, '_>, report: &mut Report) -> bool {
    message
        .bool("use_hostname_for_hashing", report)
        .unwrap_or(false)
}

/// The factor in percent. The classic field rejects 0; in a typed policy 0 means no limit.
fn balance_factor(
    message: &Message<'_, '_>,
    least: u32,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<HashBalanceFactor> {
    let percent = message.wrapped_u32(FACTOR, report)?;
    if percent < least || (1..100).contains(&percent) {
        message.out_of_range(FACTOR, "an integer from 100 to 4294967295", report);
    }
    let factor = HashBalanceFactor::new(percent)?;
    let position = message.position_of(FACTOR);
    marks.hash_balance_factor = Some(position);
    Some(factor)
}

/// Ring settings; the classic and the typed message differ only in the enum.
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
        Err(RingHashError::MinimumAboveMaximum) => message
            .error(
                "minimum_ring_size",
                "config/ring-size",
                "minimum_ring_size exceeds maximum_ring_size",
            )
            .found(format!("{minimum}"))
            .expected(format!("at most {maximum}"))
            .push_to(report),
        Err(RingHashError::TooLarge) => {
            for (field, value) in [
                ("minimum_ring_size", minimum),
                ("maximum_ring_size", maximum),
            ] {
                if value > MAXIMUM_RING_SIZE {
                    message
                        .error(field, "config/ring-size", "ring is too large")
                        .expected(format!("at most {MAXIMUM_RING_SIZE}"))
                        .push_to(report);
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
            "table_size is not prime",
            "a prime number, such as 65537".into(),
        ),
        Err(MaglevError::TooLarge) => (
            "table_size is too large",
            format!("a prime number, at most {MAXIMUM_MAGLEV_TABLE_SIZE}"),
        ),
    };
    message
        .error("table_size", "config/table-size", what)
        .expected(expected)
        .push_to(report);
    None
}
