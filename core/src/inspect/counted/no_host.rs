//! The requests without a host in a cluster of which only the counts of hosts are known: the same result as
//! [`Snapshot::no_host`](crate::snapshot::Snapshot::no_host), without building lists of hosts.

use alloc::vec::Vec;

use super::{CountedCluster, CountedOwner};
use crate::{
    load::{HostClass, PriorityHealth, PriorityLoad},
    plan::Loads,
    snapshot::{ClusterId, ClusterSnapshotKind, CompositeSnapshot},
    subset::SetChoice,
};

impl CountedCluster<'_> {
    /// The percentage of the requests that find no host; exact only if
    /// [`CountedCluster::decides_no_host`].
    #[must_use]
    pub fn no_host(&self, cluster: ClusterId) -> f64 {
        // Envoy drops requests by the cluster of the route, not by members of a composite cluster.
        let dropped = match self.snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
            Some(ClusterSnapshotKind::Plain(plain)) => {
                let millionths = plain.settings.drop_overload.millionths();
                100.0 * f64::from(millionths) / 1_000_000.0
            }
            _ => 0.0,
        };
        dropped + self.none_of(cluster, 100.0 - dropped)
    }

    /// The percentage without a host among `percent` of the requests.
    fn none_of(&self, cluster: ClusterId, percent: f64) -> f64 {
        match self.snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
            Some(ClusterSnapshotKind::Plain(_)) => {
                let owner = self.owner(cluster);
                owner.map_or(percent, |owner| owner.none(None, percent))
            }
            Some(ClusterSnapshotKind::Aggregate(_)) => {
                let Some(line) = self.linearized(cluster) else {
                    return percent;
                };
                let windows = windows(&line.load, None).into_iter();
                windows.fold(0.0, |none, (place, class, part)| {
                    let part = part * (percent / 100.0);
                    let priority = line.priorities.get(place);
                    let owner = priority.and_then(|at| Some((at, self.owner(at.cluster)?)));
                    none + owner.map_or(part, |(at, owner)| {
                        owner.none(Some((at.number, class)), part)
                    })
                })
            }
            Some(ClusterSnapshotKind::Composite(composite)) => {
                self.none_of_composite(composite, percent)
            }
            Some(ClusterSnapshotKind::OriginalDst(_)) | None => percent,
        }
    }

    fn none_of_composite(&self, composite: &CompositeSnapshot, percent: f64) -> f64 {
        let mut left = percent;
        for member in composite.of_attempt(0) {
            if left > 0.0 {
                left = self.none_of(member, left);
            }
        }
        left
    }
}

impl CountedOwner<'_> {
    /// The percentage without a host among `percent` of all requests, all in one class of one
    /// priority if an aggregate chose it.
    fn none(&self, forced: Option<(usize, HostClass)>, percent: f64) -> f64 {
        if self.plain.subsets.is_none() {
            return self.none_in(&self.whole, forced, percent);
        }
        let mut left = percent;
        for chosen in &self.chosen {
            left = match (chosen.set, chosen.subset.choice) {
                (Some(_), _) => self.none_in(&chosen.health, forced, left),
                (None, SetChoice::Host { .. }) => 0.0,
                (None, _) => left,
            };
            if left <= 0.0 {
                break;
            }
        }
        left
    }

    fn none_in(
        &self,
        health: &[PriorityHealth],
        forced: Option<(usize, HostClass)>,
        percent: f64,
    ) -> f64 {
        let settings = &self.plain.settings;
        let hashes = settings.policy.hashes();
        let load = self.load(health);
        let served = |place: usize, class: HostClass| {
            let health = health.get(place).copied().unwrap_or_default();
            match (load.panics(place), class) {
                (true, _) => health.hosts > 0 && !settings.fails_traffic_on_panic(),
                // Hash tables have no degraded hosts.
                (false, HostClass::Degraded) if !hashes => health.degraded > 0,
                (false, _) => health.healthy > 0,
            }
        };
        // A hash table chooses the priority again.
        let windows = windows(&load, forced.filter(|_| !hashes)).into_iter();
        let windows = windows.filter(|(place, class, _)| !served(*place, *class));
        let none: f64 = windows.map(|(_, _, part)| part).sum();
        none * (percent / 100.0)
    }
}

/// The percentage of the requests for each class of each priority.
fn windows(
    load: &PriorityLoad,
    forced: Option<(usize, HostClass)>,
) -> Vec<(usize, HostClass, f64)> {
    let loads = Loads {
        healthy: &load.healthy,
        degraded: &load.degraded,
        forced,
        retry: None,
    };
    let windows = loads.windows(None).into_iter();
    windows
        .map(|window| (window.priority, window.class, window.percent()))
        .collect()
}
