//! Hashes that choose the host of a request on one side only.

use std::collections::BTreeMap;

use crate::decisions::Compiled;

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

/// Where the hashes of requests choose the host on one side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyChoice {
    /// In some of the clusters with the hosts.
    pub(crate) some: bool,
    /// In all of them.
    all: bool,
}

impl KeyChoice {
    /// For requests that have a hash, or that have none unless the cluster has hash policies of its own.
    pub(crate) fn of(side: Compiled<'_>, hashed: bool) -> Self {
        let plains = side
            .snapshot
            .owners(side.cluster)
            .filter_map(|owner| side.snapshot.plain(owner));
        let hashes = plains.map(|plain| {
            let settings = &plain.settings;
            settings.policy.hashes() && (hashed || !settings.hash_policies.is_empty())
        });
        let hashes: Vec<bool> = hashes.collect();
        let some = hashes.contains(&true);
        Self {
            some,
            all: some && !hashes.contains(&false),
        }
    }
}

/// `None` unless hashes choose on exactly one side.
pub(crate) fn diff(
    before: KeyChoice,
    after: KeyChoice,
    (old, new): (HostShares<'_>, HostShares<'_>),
) -> Option<KeyChoiceDiff> {
    let begins = if before.all && !after.some {
        false
    } else if !before.some && after.all {
        true
    } else {
        return None;
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
