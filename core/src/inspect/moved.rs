//! The number of keys that a change moves to another host.

use crate::{
    model::{CoarseHealth, Metadata},
    shares::Distribution,
    snapshot::{ClusterId, HostRef, Snapshot},
};

/// The number of sampled keys: hashes at equal intervals over all 64-bit numbers.
pub const KEYS: u64 = 65_536;

/// The interval. Envoy chooses the priority by the hash modulo 100, and the multiples of 2^48 have only 25 of
/// these residues.
const INTERVAL: u64 = (1 << 48) + 3;

/// The effect of a change on keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MovedKeys {
    /// The number of keys whose host is deterministic before and after the change.
    pub keys: u64,
    /// The number of keys that move to another address, or to no host.
    pub moved: u64,
    /// The number of moved keys whose old host still exists and is healthy.
    pub avoidable: u64,
}

/// Compares two snapshots by sampled request hashes, for requests with these subset criteria to the
/// cluster with this name. Keys whose host depends on random draws are not counted; a cluster
/// without a hash policy counts none.
///
/// # Examples
/// Maglev moves the keys of a removed host and few others.
/// ```
/// use spillgate_core::{inspect::keys_moved, model::*, snapshot::Snapshot};
///
/// let snapshot = |count: u8| {
///     let hosts = (0..count).map(|host| Endpoint::new(format!("10.0.0.{host}:80")));
///     let shop = PlainCluster {
///         policy: Policy::Maglev(MaglevConfig::default()),
///         priorities: vec![Priority::single_locality(hosts.collect())],
///         ..PlainCluster::default()
///     };
///     Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap())
/// };
/// let moved = keys_moved(&snapshot(4), &snapshot(3), "shop", &Metadata::EMPTY);
/// assert_eq!(moved.keys, 65_536);
/// assert!(moved.moved >= moved.avoidable);
/// assert!(moved.moved < moved.keys / 2);
/// ```
#[must_use]
pub fn keys_moved(
    before: &Snapshot,
    after: &Snapshot,
    cluster: &str,
    criteria: &Metadata,
) -> MovedKeys {
    let hashes = (0..KEYS).map(|key| key * INTERVAL);
    hashes_moved(before, after, cluster, criteria, hashes)
}

/// As [`keys_moved`], for these request hashes.
#[must_use]
pub fn hashes_moved(
    before: &Snapshot,
    after: &Snapshot,
    cluster: &str,
    criteria: &Metadata,
    hashes: impl Iterator<Item = u64>,
) -> MovedKeys {
    let mut moved = MovedKeys::default();
    let (Some(old), Some(new)) = (before.cluster_id(cluster), after.cluster_id(cluster)) else {
        return moved;
    };
    // No key has a host on a side whose hosts are all drawn, which a single hash would show at a high price.
    if !(is_hashed(before, old) && is_hashed(after, new)) {
        return moved;
    }
    for hash in hashes {
        let of = |snapshot, cluster| reached(snapshot, cluster, criteria, hash);
        let (from, to) = match (of(before, old), of(after, new)) {
            (Reached::Host(from), Reached::Host(to)) => (from, Some(to)),
            (Reached::Host(from), Reached::NoHost) => (from, None),
            _ => continue,
        };
        moved.keys += 1;
        let address = |snapshot: &'_ Snapshot, host: HostRef| {
            snapshot
                .endpoint(host)
                .map(|endpoint| endpoint.address.clone())
        };
        let address_before = address(before, from);
        if to.and_then(|to| address(after, to)) != address_before {
            moved.moved += 1;
            let owner = before
                .cluster(from.cluster)
                .map(|owner| owner.name.as_str())
                .and_then(|name| after.cluster_id(name));
            let usable = owner
                .zip(address_before)
                .is_some_and(|(owner, address)| is_usable(after, owner, &address));
            moved.avoidable += u64::from(usable);
        }
    }
    moved
}

/// Whether a hash chooses hosts in the cluster or in a member.
fn is_hashed(snapshot: &Snapshot, cluster: ClusterId) -> bool {
    let clusters = snapshot.with_members(cluster).into_iter();
    let mut plain = clusters.filter_map(|cluster| snapshot.plain(cluster));
    plain.any(|plain| plain.settings.policy.hashes())
}

/// The result for a hash.
enum Reached {
    Host(HostRef),
    NoHost,
    /// The host depends on random draws.
    Random,
}

fn reached(snapshot: &Snapshot, cluster: ClusterId, criteria: &Metadata, hash: u64) -> Reached {
    let Distribution { no_host, shares } = snapshot.distribution_for(cluster, criteria, Some(hash));
    match shares.as_slice() {
        [] => Reached::NoHost,
        [only] if no_host == 0.0 => Reached::Host(HostRef {
            cluster: only.owner,
            priority: only.priority,
            host: only.host,
        }),
        _ => Reached::Random,
    }
}

/// Whether a host with this address is healthy in the cluster, in any priority.
fn is_usable(after: &Snapshot, owner: ClusterId, address: &str) -> bool {
    let Some(plain) = after.plain(owner) else {
        return false;
    };
    plain.priorities.iter().any(|priority| {
        let hosts = priority.configured.endpoints.iter().enumerate();
        let mut same = hosts.filter(|(_, endpoint)| endpoint.address == address);
        same.any(|(host, _)| priority.coarse(host) == CoarseHealth::Healthy)
    })
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec::Vec};

    use super::*;
    use crate::model::{
        Cluster, Endpoint, Health, HealthStatus, MaglevConfig, Model, OverprovisioningFactor,
        PlainCluster, Policy, Priority,
    };

    /// Two priorities with a hundred hosts each, of which P0 has lost some.
    fn shop(factor: u32, lost: usize) -> Snapshot {
        let priority = |number: u8, lost: usize| {
            let hosts = (0..100_usize).map(|host| {
                let mut endpoint = Endpoint::new(format!("10.0.{number}.{host}:80"));
                if host < lost {
                    endpoint.health = Health::from_status(HealthStatus::Unhealthy);
                }
                endpoint
            });
            Priority::single_locality(hosts.collect::<Vec<_>>())
        };
        let shop = PlainCluster {
            policy: Policy::Maglev(MaglevConfig::default()),
            overprovisioning_factor: OverprovisioningFactor(factor),
            priorities: [priority(0, lost), priority(1, 0)].into(),
            ..PlainCluster::default()
        };
        Snapshot::build(&Model::new([Cluster::plain("shop", shop)].into()).unwrap())
    }

    #[test]
    fn a_shift_between_priorities_moves_its_percentage_of_the_keys() {
        for lost in 1..=20 {
            // With 200 percent P0 still takes everything; with 100 it passes on a percent for each host.
            let (before, after) = (shop(200, lost), shop(100, lost));
            let moved = keys_moved(&before, &after, "shop", &Metadata::EMPTY);
            let expected = KEYS * lost as u64 / 100;
            assert!(
                moved.moved.abs_diff(expected) <= lost as u64,
                "{lost}: {moved:?}"
            );
            assert_eq!(moved.avoidable, moved.moved, "{lost}");
        }
    }

    #[test]
    fn keys_without_a_host_after_the_change_move_and_those_without_one_before_do_not_count() {
        let empty = PlainCluster {
            policy: Policy::Maglev(MaglevConfig::default()),
            priorities: [Priority::single_locality(Vec::new())].into(),
            ..PlainCluster::default()
        };
        let empty = Model::new([Cluster::plain("shop", empty)].into()).unwrap();
        let (shop, empty) = (shop(100, 0), Snapshot::build(&empty));
        let lost = MovedKeys {
            keys: KEYS,
            moved: KEYS,
            avoidable: 0,
        };
        assert_eq!(keys_moved(&shop, &empty, "shop", &Metadata::EMPTY), lost);
        let gained = keys_moved(&empty, &shop, "shop", &Metadata::EMPTY);
        assert_eq!(gained, MovedKeys::default());
    }
}
