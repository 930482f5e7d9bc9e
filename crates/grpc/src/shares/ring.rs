//! The shares of `ring_hash`: for one hash, or averaged over uniformly distributed hashes.

use alloc::{vec, vec::Vec};

use spillgate_core::{
    model::{
        Endpoint, HashFunction, Model, PanicThreshold, PlainCluster, Policy, Priority,
        RingHashConfig, Weight,
    },
    snapshot::Snapshot,
};

/// The largest ring, whatever the configuration (`grpc.lb.ring_hash.ring_size_cap`, default 4096).
const RING_SIZE_CAP: u64 = 4096;

/// The parts of hosts with these addresses and weights, 0 to 1, for requests with this hash or for all. gRPC builds the ring as Envoy does,
/// with the address as the key of a host. `None` if the sum of the weights exceeds 32 bits.
pub(super) fn ring_parts(
    config: &RingHashConfig,
    hosts: &[(&str, u64)],
    hash: Option<u64>,
) -> Option<Vec<f64>> {
    let shared = hosts
        .iter()
        .fold(0, |shared, (_, weight)| gcd(shared, *weight));
    let mut endpoints = Vec::new();
    let mut sum: u64 = 0;
    for (address, weight) in hosts {
        let weight = weight.checked_div(shared)?;
        sum = sum.checked_add(weight)?;
        endpoints.push(Endpoint {
            weight: Weight::new(u32::try_from(weight).ok()?)?,
            ..Endpoint::new(*address)
        });
    }
    u32::try_from(sum).ok()?;
    let capped = |size: u64| size.min(RING_SIZE_CAP);
    let config = RingHashConfig::new(
        capped(config.minimum_ring_size()),
        capped(config.maximum_ring_size()),
        HashFunction::XxHash,
    );
    let ring = PlainCluster {
        policy: Policy::RingHash(config.ok()?),
        panic_threshold: PanicThreshold::from_percent(0.0),
        priorities: vec![Priority::single_locality(endpoints)],
        ..PlainCluster::default()
    };
    let snapshot = Snapshot::build(&Model::single("ring", ring));
    let found = snapshot.distribution(snapshot.cluster_id("ring")?, hash);
    let mut parts = vec![0.0; hosts.len()];
    for share in found.shares {
        *parts.get_mut(share.host)? += share.share / 100.0;
    }
    Some(parts)
}

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
