//! `loadBalancer` of Kuma as settings of a cluster.

use alloc::string::String;

use spillgate_core::{
    decimal,
    model::{
        DEFAULT_CHOICE_COUNT, DEFAULT_MAXIMUM_RING_SIZE, DEFAULT_MINIMUM_RING_SIZE, HashFunction,
        LeastRequestConfig, MaglevConfig, Policy, RingHashConfig, SelectionMethod,
    },
};
use spillgate_mesh::kuma::{
    KumaLeastRequest, KumaLoadBalancer, KumaMaglev, KumaNumber, KumaRingHash,
};

use super::{OutboundPanic, OutboundSettings};
use crate::{Diagnostic, node::quote};

/// The settings; without a `loadBalancer`, round robin.
#[allow(clippy::result_large_err, reason = "called once for each cluster")]
pub(super) fn settings(of: Option<&KumaLoadBalancer>) -> Result<OutboundSettings, Diagnostic> {
    let Some(balancer) = of else {
        return Ok(OutboundSettings::default());
    };
    let policy = match balancer.kind.as_str() {
        "LeastRequest" => least_request(balancer.least_request.as_ref()),
        "Random" => Policy::Random,
        "RingHash" => ring_hash(balancer.ring_hash.as_ref())?,
        "Maglev" => maglev(balancer.maglev.as_ref())?,
        _ => Policy::RoundRobin,
    };
    Ok(OutboundSettings {
        policy,
        slow_start: None,
        chosen: None,
        outlier_detection: None,
        local: None,
        panic: OutboundPanic::default(),
    })
}

fn least_request(of: Option<&KumaLeastRequest>) -> Policy {
    let count = of.and_then(|block| u32::try_from(block.choice_count?).ok());
    let bias = of.and_then(|block| block.active_request_bias.as_ref());
    let bias = match bias {
        Some(KumaNumber::Integer(number)) => Some(*number as f64),
        Some(KumaNumber::Text(text)) => decimal::parse(text),
        None => None,
    };
    Policy::LeastRequest(LeastRequestConfig::new(
        SelectionMethod::Choices(count.unwrap_or(DEFAULT_CHOICE_COUNT).max(2)),
        bias.unwrap_or(1.0),
    ))
}

#[allow(clippy::result_large_err, reason = "called once for each cluster")]
fn ring_hash(of: Option<&KumaRingHash>) -> Result<Policy, Diagnostic> {
    let size =
        |size: Option<i64>, default| size.and_then(|s| u64::try_from(s).ok()).unwrap_or(default);
    let function = of.and_then(|block| block.hash_function.as_deref());
    let function = match function {
        Some("MurmurHash2") => HashFunction::MurmurHash2,
        _ => HashFunction::XxHash,
    };
    let minimum = size(of.and_then(|b| b.min_ring_size), DEFAULT_MINIMUM_RING_SIZE);
    let maximum = size(of.and_then(|b| b.max_ring_size), DEFAULT_MAXIMUM_RING_SIZE);
    let config = RingHashConfig::new(minimum, maximum, function);
    config.map(Policy::RingHash).map_err(|_| {
        rejected(
            "ring sizes that Envoy rejects; using round robin",
            alloc::format!("{minimum} to {maximum}"),
            "a minimum up to the maximum, at most 8388608",
        )
    })
}

#[allow(clippy::result_large_err, reason = "called once for each cluster")]
fn maglev(of: Option<&KumaMaglev>) -> Result<Policy, Diagnostic> {
    let Some(size) = of.and_then(|block| u64::try_from(block.table_size?).ok()) else {
        return Ok(Policy::Maglev(MaglevConfig::default()));
    };
    MaglevConfig::new(size).map(Policy::Maglev).map_err(|_| {
        rejected(
            "table size that Envoy rejects; using round robin",
            quote(&alloc::format!("{size}")),
            "a prime number up to 5000011",
        )
    })
}

/// The warning about a value that Kuma accepts and Envoy rejects.
pub(super) fn rejected(message: &str, found: String, expected: &str) -> Diagnostic {
    Diagnostic::warning("mesh/rejected-by-envoy", message)
        .found(found)
        .expected(expected)
}
