//! The effects of losing hosts of one cluster: the only place that computes them.
//!
//! A lost host fails its active health checks. Where the counts of hosts decide, they are all that a
//! loss changes: core computes loads from them as it does for a
//! snapshot. They do not decide the steps of a subset fallback chain, nor who finds no host under
//! zone-aware routing or in hash tables with locality weights: there each loss builds a snapshot.
//!
//! No formula says where spillover or panic mode starts, and no search by halves: truncation,
//! degraded and draining hosts and aggregates break both, because in total panic loads follow host
//! counts. So each number of losses is tried in turn.

use alloc::vec::Vec;

use spillgate_core::{
    inspect::CountedCluster,
    model::{CoarseHealth, Health, Metadata},
    order,
    snapshot::{ClusterId, HostRef, Snapshot},
};

use crate::LoadState;

/// A cluster, its requests, and the losses of its hosts.
#[derive(Debug, Clone)]
pub struct LossModel<'a> {
    snapshot: &'a Snapshot,
    cluster: ClusterId,
    criteria: &'a Metadata,
    /// `None` if more than counts decides.
    counted: Option<CountedCluster<'a>>,
}

/// The hosts that are not lost.
enum Remaining<'a> {
    Counted(CountedCluster<'a>),
    Compiled(Snapshot),
}

impl<'a> LossModel<'a> {
    /// The losses of a cluster for requests with these subset criteria.
    #[must_use]
    pub fn new(snapshot: &'a Snapshot, cluster: ClusterId, criteria: &'a Metadata) -> Self {
        Self {
            counted: CountedCluster::of(snapshot, cluster, criteria),
            snapshot,
            cluster,
            criteria,
        }
    }

    pub(crate) const fn snapshot(&self) -> &'a Snapshot {
        self.snapshot
    }

    pub(crate) const fn cluster(&self) -> ClusterId {
        self.cluster
    }

    /// Without a loss, what [`LossModel::first`] gives with one: the loads, with `no_host` 0.
    pub(crate) fn loads(&self) -> Option<LoadState> {
        let counted = self.counted.as_ref()?;
        Some(LoadState::only_loads(self.snapshot, self.cluster, counted))
    }

    /// The loads without these hosts, if counts decide them. Unlike [`LossModel::state`], it
    /// links no code that builds snapshots, which is 8 kB of the playground's module.
    pub(crate) fn counted_state(&self, lost: &[HostRef]) -> Option<LoadState> {
        let mut counted = self.counted.clone()?;
        for host in lost {
            counted.lose(*host);
        }
        Some(LoadState::counted(self.snapshot, self.cluster, &counted))
    }

    /// Whether counts decide everything, also which requests find no host.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        let counted = self.counted.as_ref();
        counted.is_some_and(CountedCluster::decides_no_host)
    }

    /// The loads without these hosts, each once.
    #[must_use]
    pub fn state(&self, lost: &[HostRef]) -> LoadState {
        self.state_of(&self.without(lost))
    }

    /// The loads after losing the first 0, 1, 2 and so on of these hosts, in addition to the hosts
    /// in `gone`.
    pub fn sweep(
        &self,
        gone: &[HostRef],
        swept: Vec<HostRef>,
    ) -> impl Iterator<Item = LoadState> + use<'a> {
        let model = self.clone();
        let mut remaining = self.without(gone);
        let first = self.state_of(&remaining);
        let further = swept.into_iter().map(move |host| {
            remaining.lose(host);
            model.state_of(&remaining)
        });
        core::iter::once(first).chain(further)
    }

    /// The smallest number of these hosts, at least 1, whose loss has an effect on loads or panic
    /// mode, and the loads after it, with `no_host` 0; `None` without such a loss, or if each loss
    /// would build a snapshot. Not for a composite cluster.
    pub(crate) fn first(
        &self,
        order: impl IntoIterator<Item = HostRef>,
        effect: &dyn Fn(&LoadState) -> bool,
    ) -> Option<(usize, LoadState)> {
        let mut counted = self.counted.clone()?;
        for (before, host) in order.into_iter().enumerate() {
            if counted.lose(host) {
                let state = LoadState::only_loads(self.snapshot, self.cluster, &counted);
                if effect(&state) {
                    return Some((before + 1, state));
                }
            }
        }
        None
    }

    /// The usable hosts of a priority in the order in which they are lost.
    pub fn of_priority(
        &self,
        cluster: ClusterId,
        priority: usize,
    ) -> impl Iterator<Item = HostRef> + use<'a> {
        let hosts = self.snapshot.plain(cluster);
        let hosts = hosts.and_then(|plain| plain.priorities.get(priority));
        let classes = [CoarseHealth::Healthy, CoarseHealth::Degraded];
        let of_class = move |class| {
            let places = (0..hosts.map_or(0, |hosts| hosts.len())).rev();
            places.filter(move |&host| hosts.is_some_and(|hosts| hosts.coarse(host) == class))
        };
        let places = classes.into_iter().flat_map(of_class);
        places.map(move |host| HostRef {
            cluster,
            priority,
            host,
        })
    }

    fn without(&self, lost: &[HostRef]) -> Remaining<'a> {
        match &self.counted {
            Some(counted) if counted.decides_no_host() => {
                let mut remaining = Remaining::Counted(counted.clone());
                for host in lost {
                    remaining.lose(*host);
                }
                remaining
            }
            _ => Remaining::Compiled(lose(self.snapshot, lost)),
        }
    }

    fn state_of(&self, remaining: &Remaining<'_>) -> LoadState {
        match remaining {
            Remaining::Counted(counted) => LoadState::counted(self.snapshot, self.cluster, counted),
            Remaining::Compiled(snapshot) => LoadState::of(snapshot, self.cluster, self.criteria),
        }
    }
}

impl Remaining<'_> {
    fn lose(&mut self, host: HostRef) {
        match self {
            Self::Counted(counted) => {
                counted.lose(host);
            }
            Self::Compiled(snapshot) => *snapshot = lose(snapshot, &[host]),
        }
    }
}

/// A snapshot without these hosts: they fail their active health checks, and keep the rest of their
/// health.
pub(crate) fn lose(snapshot: &Snapshot, lost: &[HostRef]) -> Snapshot {
    let failed = |&host: &HostRef| Some((host, health(snapshot, host)?.failed()));
    let changes: Vec<(HostRef, Health)> = lost.iter().filter_map(failed).collect();
    snapshot.with_health(&changes)
}

/// The usable ones of these hosts in the order in which they are lost: healthy hosts, then degraded
/// ones, each from the end of configuration order. Losing another host changes nothing.
pub(crate) fn loss_order(snapshot: &Snapshot, hosts: &[HostRef]) -> Vec<HostRef> {
    let coarse = |host: HostRef| health(snapshot, host).map(Health::coarse);
    let of_class = |class| {
        let hosts = hosts.iter().copied();
        let own = hosts.filter(move |host| coarse(*host) == Some(class));
        order::sorted(own.collect(), |a: &HostRef, b: &HostRef| b.cmp(a))
    };
    let healthy = of_class(CoarseHealth::Healthy);
    [healthy, of_class(CoarseHealth::Degraded)].concat()
}

fn health(snapshot: &Snapshot, host: HostRef) -> Option<Health> {
    let hosts = snapshot.plain(host.cluster)?.priorities.get(host.priority);
    Some(hosts?.health(host.host))
}
