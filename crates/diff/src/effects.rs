//! What requests to a cluster experience on both sides.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_core::{
    model::{CoarseHealth, Locality, Metadata},
    shares::Share,
    snapshot::{ClusterId, Snapshot},
    trace::PriorityRef,
};
use spillgate_explain::{
    priority_name,
    report::{LoadState, locality_title},
};

use crate::{
    RequestsDiff, ShareDiff,
    decisions::Compiled,
    key_choice::{self, KeyChoice},
    keys_diff,
};

/// What requests with these criteria experience, with or without sessions, and with hashes on each side; `None` for an
/// unknown cluster.
pub(crate) fn diff(
    (before, after): (Compiled<'_>, Compiled<'_>),
    criteria: &Metadata,
    has_sessions: bool,
    hashed: [bool; 2],
) -> Option<RequestsDiff> {
    let old = Experience::of(before, criteria)?;
    let new = Experience::of(after, criteria)?;
    let [old_hashed, new_hashed] = hashed;
    let by_keys = (
        KeyChoice::of(before, old_hashed),
        KeyChoice::of(after, new_hashed),
    );
    let hosts = shares(&old.hosts, &new.hosts);
    let all = old
        .hosts
        .keys()
        .chain(new.hosts.keys())
        .collect::<BTreeSet<_>>();
    let changes = all.into_iter().map(|host| {
        let of = |hosts: &BTreeMap<String, f64>| hosts.get(host).copied().unwrap_or(0.0);
        (of(&new.hosts) - of(&old.hosts)).abs()
    });
    let no_host = ShareDiff {
        name: String::new(),
        before: old.no_host,
        after: new.no_host,
    };
    let panics = |of: &Experience, other: &Experience| {
        let only = of.panic.iter().filter(|name| !other.panic.contains(*name));
        only.cloned().collect::<Vec<String>>()
    };
    let usable = usable(after.snapshot, after.cluster);
    let lost = old
        .hosts
        .iter()
        .filter(|(host, _)| !usable.contains(host.as_str()));
    Some(RequestsDiff {
        criteria: criteria.clone(),
        moved: (changes.sum::<f64>() + no_host.change().abs()) / 2.0,
        no_host,
        priorities: shares(&old.priorities, &new.priorities),
        localities: shares(&old.localities, &new.localities),
        new_panic: panics(&new, &old),
        ended_panic: panics(&old, &new),
        keys: keys_diff(
            (before.snapshot, before.cluster),
            (after.snapshot, after.cluster),
            criteria,
        )
        .filter(|_| by_keys.0.some && by_keys.1.some),
        key_choice: key_choice::diff(
            by_keys.0,
            by_keys.1,
            ((&old.hosts, old.no_host), (&new.hosts, new.no_host)),
        ),
        lost_sessions: has_sessions.then(|| lost.fold(0.0, |sum, (_, share)| sum + share)),
        hosts: by_change(hosts),
    })
}

/// What requests experience on one side, in percent of all requests.
pub(crate) struct Experience {
    pub(crate) no_host: f64,
    /// The priorities with load that are in panic mode.
    pub(crate) panic: BTreeSet<String>,
    priorities: BTreeMap<String, f64>,
    localities: BTreeMap<String, f64>,
    pub(crate) hosts: BTreeMap<String, f64>,
}

impl Experience {
    pub(crate) fn of(side: Compiled<'_>, criteria: &Metadata) -> Option<Self> {
        let (snapshot, cluster) = (side.snapshot, side.cluster);
        snapshot.cluster(cluster)?;
        let distribution = snapshot.distribution_for(cluster, criteria, None);
        let mut found = Self {
            no_host: distribution.no_host,
            panic: panicking(snapshot, cluster, criteria),
            priorities: BTreeMap::new(),
            localities: BTreeMap::new(),
            hosts: BTreeMap::new(),
        };
        for share in distribution.shares {
            let of = placed(snapshot, cluster, share)?;
            add(&mut found.priorities, of.priority, of.share);
            if !of.locality.is_empty() {
                add(&mut found.localities, of.locality, of.share);
            }
            add(&mut found.hosts, of.address.to_owned(), of.share);
        }
        Some(found)
    }
}

/// The share of a host with the names of its place.
pub(crate) struct PlacedShare<'s> {
    pub(crate) address: &'s str,
    pub(crate) priority: String,
    /// Empty without a locality.
    pub(crate) locality: String,
    /// Percent of the requests.
    pub(crate) share: f64,
}

/// The place of a share; `None` for a host that the snapshot does not have.
pub(crate) fn placed(
    snapshot: &Snapshot,
    cluster: ClusterId,
    share: Share,
) -> Option<PlacedShare<'_>> {
    let host = share.host_ref();
    let plain = snapshot.plain(host.cluster)?;
    let priority = plain.priorities.get(host.priority)?;
    let endpoint = priority.endpoint(host.host)?;
    let at = PriorityRef {
        cluster: host.cluster,
        priority: host.priority,
    };
    let locality = priority.configured.localities.get(endpoint.locality);
    let named = locality.filter(|of| of.locality != Locality::default());
    Some(PlacedShare {
        address: &endpoint.address,
        priority: priority_name(snapshot, cluster, at),
        locality: named.map_or_else(String::new, |of| locality_title(&of.locality)),
        share: share.share,
    })
}

/// The names of the priorities with load that are in panic mode.
fn panicking(snapshot: &Snapshot, cluster: ClusterId, criteria: &Metadata) -> BTreeSet<String> {
    let state = LoadState::of(snapshot, cluster, criteria);
    let names = state.names(snapshot, cluster).into_iter().enumerate();
    let panicking = names.filter(|(place, _)| state.panics(*place));
    panicking.map(|(_, name)| name).collect()
}

fn add(to: &mut BTreeMap<String, f64>, name: String, share: f64) {
    *to.entry(name).or_insert(0.0) += share;
}

/// The shares that differ, by name.
fn shares(before: &BTreeMap<String, f64>, after: &BTreeMap<String, f64>) -> Vec<ShareDiff> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let of = |shares: &BTreeMap<String, f64>, name: &String| shares.get(name).copied();
    let pairs = names.into_iter().map(|name| ShareDiff {
        name: name.clone(),
        before: of(before, name).unwrap_or(0.0),
        after: of(after, name).unwrap_or(0.0),
    });
    pairs.filter(ShareDiff::differs).collect()
}

/// The largest change first.
fn by_change(mut shares: Vec<ShareDiff>) -> Vec<ShareDiff> {
    shares.sort_by(|a, b| b.change().abs().total_cmp(&a.change().abs()));
    shares
}

/// The addresses of the hosts that serve requests of a cluster outside of panic mode.
fn usable(snapshot: &Snapshot, cluster: ClusterId) -> BTreeSet<&str> {
    let plains = snapshot
        .owners(cluster)
        .filter_map(|owner| snapshot.plain(owner));
    let mut found = BTreeSet::new();
    for priority in plains.flat_map(|plain| &plain.priorities) {
        let hosts = priority.configured.endpoints.iter().enumerate();
        let usable = hosts.filter(|(host, _)| priority.coarse(*host) != CoarseHealth::Unhealthy);
        found.extend(usable.map(|(_, endpoint)| endpoint.address.as_str()));
    }
    found
}
