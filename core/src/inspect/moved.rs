//! How many keys a change sends elsewhere.

use crate::{
    model::{Coarse, Metadata},
    shares::Distribution,
    snapshot::{ClusterId, HostRef, Snapshot},
};

/// How many keys are looked at: hashes evenly spaced over all 64-bit ones.
pub const KEYS: u64 = 65_536;

/// What a change does to keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MovedKeys {
    /// Keys whose host is certain before and after.
    pub keys: u64,
    /// Those that go to another address, or to none, after the change.
    pub moved: u64,
    /// Those of them whose old host could still serve: it exists and is usable.
    pub needless: u64,
}

/// The keys that a change of configuration or health moves, for requests that a cluster of the
/// same name hashes before and after, with these subset criteria. Keys whose host is not certain are
/// not counted: without a hash policy there are none.
#[must_use]
pub fn keys_moved(
    before: &Snapshot,
    after: &Snapshot,
    cluster: &str,
    criteria: &Metadata,
) -> MovedKeys {
    let mut moved = MovedKeys::default();
    let (Some(old), Some(new)) = (before.cluster_id(cluster), after.cluster_id(cluster)) else {
        return moved;
    };
    for key in 0..KEYS {
        let hash = key << 48;
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
                .map(|owner| owner.name.as_str());
            let owner = owner.and_then(|name| after.cluster_id(name));
            let usable = owner
                .zip(address_before)
                .is_some_and(|(owner, address)| is_usable(after, owner, &address));
            moved.needless += u64::from(usable);
        }
    }
    moved
}

/// Where a hash leads.
enum Reached {
    Host(HostRef),
    NoHost,
    /// Chance has a say.
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

/// Whether a host of that address is still in the cluster that owned it, in any priority.
fn is_usable(after: &Snapshot, owner: ClusterId, address: &str) -> bool {
    let Some(plain) = after.plain(owner) else {
        return false;
    };
    plain.priorities.iter().any(|priority| {
        let hosts = priority.configured.endpoints.iter().enumerate();
        let mut same = hosts.filter(|(_, endpoint)| endpoint.address == address);
        same.any(|(host, _)| priority.coarse(host) == Coarse::Healthy)
    })
}
