//! Hashes that choose the host of a request on one side only.

use std::collections::BTreeMap;

use spillgate_core::snapshot::{ClusterId, Snapshot};

/// Hashes that choose the host on one side only: there, the requests of a key have one host. On the other side each of
/// them chooses again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyChoiceDiff {
    /// Whether hashes choose on the new side; if not, on the old one.
    pub begins: bool,
    /// The expected percentage of requests whose host is another one than that of their key on the other side, 0 to 100.
    pub moved: f64,
}

/// The shares of hosts by address, and of requests without a host, in percent.
pub(crate) type HostShares<'s> = (&'s BTreeMap<String, f64>, f64);

/// `None` unless hashes choose on exactly one side.
pub(crate) fn diff(
    before: (&Snapshot, ClusterId),
    after: (&Snapshot, ClusterId),
    (old, new): (HostShares<'_>, HostShares<'_>),
) -> Option<KeyChoiceDiff> {
    let begins = match (policies(before), policies(after)) {
        ((_, true), (false, _)) => false,
        ((false, _), (_, true)) => true,
        _ => return None,
    };
    // The choices of both sides are independent, so they agree on a host with the product of its shares.
    let both = old.0.iter().map(|(host, share)| {
        let other = new.0.get(host).copied().unwrap_or(0.0);
        share * other
    });
    let agreed = both.fold(old.1 * new.1, |sum, part| sum + part) / 100.0;
    Some(KeyChoiceDiff {
        begins,
        moved: (100.0 - agreed).clamp(0.0, 100.0),
    })
}

/// Whether hashes choose in some and in all of the clusters with the hosts.
fn policies((snapshot, cluster): (&Snapshot, ClusterId)) -> (bool, bool) {
    let plains = snapshot
        .owners(cluster)
        .filter_map(|owner| snapshot.plain(owner));
    let hashes: Vec<bool> = plains.map(|plain| plain.settings.policy.hashes()).collect();
    let some = hashes.contains(&true);
    (some, some && !hashes.contains(&false))
}
