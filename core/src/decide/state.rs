//! The load-balancer state of one worker between requests.

mod carry;

use alloc::{boxed::Box, vec::Vec};

use super::Decision;
use crate::{
    draw::Draw,
    load::HostClass,
    pick::{LocalitySchedule, Turns},
    snapshot::{ClusterId, ClusterSnapshotKind, HostsSource, PriorityHosts, Snapshot},
    subset::SetChoice,
};

/// Round-robin positions and EDF schedules of hosts and localities, for one snapshot.
///
/// Envoy keeps one load balancer for each worker; a `BalancerState` corresponds to it. A state of
/// another snapshot is not an error: decisions then fall back to any host of the right list.
#[derive(Debug, Clone, Default)]
pub struct BalancerState {
    /// By cluster index.
    clusters: Vec<ClusterState>,
    /// A buffer for the host order of bounded load.
    order: Vec<u32>,
}

#[derive(Debug, Clone, Default)]
struct ClusterState {
    seed: u64,
    whole: Vec<PriorityState>,
    /// By set number.
    subsets: Vec<SetState>,
    /// By step index, then by set number.
    steps: Vec<Vec<SetState>>,
}

/// By priority.
type SetState = Vec<PriorityState>;

/// The positions of the host lists of a priority.
#[derive(Debug, Clone, Default)]
struct PriorityState {
    all: Turns,
    healthy: Turns,
    degraded: Turns,
    localities: Option<Box<LocalityState>>,
}

#[derive(Debug, Clone, Default)]
struct LocalityState {
    healthy: ClassState,
    degraded: ClassState,
}

#[derive(Debug, Clone, Default)]
struct ClassState {
    schedule: Option<LocalitySchedule>,
    /// By locality index.
    turns: Vec<Turns>,
}

impl BalancerState {
    /// A new state. Each cluster starts at a random position.
    pub fn new(snapshot: &Snapshot, draw: &mut impl Draw) -> Self {
        Self::default().carried_over(&Snapshot::empty(), snapshot, draw)
    }

    /// The state for a new snapshot. Clusters with the same name keep their positions; schedules of
    /// unchanged host lists are not rebuilt.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::{decide::BalancerState, draw::SplitMix64, model::*, snapshot::*};
    ///
    /// let shop = PlainCluster {
    ///     priorities: vec![Priority::single_locality(vec![Endpoint::new("10.0.0.1:80")])],
    ///     ..PlainCluster::default()
    /// };
    /// let before = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
    /// let mut draw = SplitMix64::new(1);
    /// let state = BalancerState::new(&before, &mut draw);
    ///
    /// let cluster = before.cluster_id("shop").unwrap();
    /// let host = HostRef { cluster, priority: 0, host: 0 };
    /// let unhealthy = Health::from_status(HealthStatus::Unhealthy);
    /// let after = before.with_health(&[(host, unhealthy)]);
    /// let state = state.carried_over(&before, &after, &mut draw);
    /// # let _ = state;
    /// ```
    #[must_use]
    pub fn carried_over(mut self, old: &Snapshot, new: &Snapshot, draw: &mut impl Draw) -> Self {
        let mut state = Self {
            clusters: Vec::new(),
            order: core::mem::take(&mut self.order),
        };
        let mut longest = 0;
        for (id, cluster) in new.clusters() {
            let old_id = old.cluster_id(&cluster.name);
            let before = old_id
                .and_then(|id| self.clusters.get_mut(id.index()))
                .map(core::mem::take);
            let ClusterSnapshotKind::Plain(plain) = &cluster.kind else {
                state.clusters.push(ClusterState::default());
                continue;
            };
            if plain.settings.hash_balance_factor.is_some() {
                let lengths = plain.priorities.iter().map(PriorityHosts::len);
                longest = longest.max(lengths.max().unwrap_or(0));
            }
            state.clusters.push(match (before, old_id) {
                // The same memory: nothing of the cluster has changed.
                (Some(before), Some(old_id)) if old_id == id && new.shares_cluster(id, old) => {
                    before
                }
                (Some(before), Some(old_id)) => {
                    ClusterState::carried_over(before, old.plain(old_id), plain, draw)
                }
                _ => {
                    let fresh = ClusterState {
                        seed: draw.draw(),
                        ..ClusterState::default()
                    };
                    ClusterState::carried_over(fresh, None, plain, draw)
                }
            });
        }
        state
            .order
            .reserve(longest.saturating_sub(state.order.len()));
        state
    }

    /// The position in the host list that served a decision; `None` if the policy has no position, or the
    /// state is of another snapshot.
    pub(crate) fn turns_of(&self, decision: &Decision) -> Option<&Turns> {
        let chosen = decision.priority?;
        let cluster = self.clusters.get(chosen.owner.index())?;
        let choice = decision
            .subset
            .map_or(SetChoice::Whole, |subset| subset.choice);
        let set = match choice {
            SetChoice::Whole => &cluster.whole,
            SetChoice::Set(number) => cluster.subsets.get(number)?,
            SetChoice::Step { step, set } => cluster.steps.get(step)?.get(set)?,
            SetChoice::Host { .. } => return None,
        };
        let priority = set.get(chosen.number)?;
        match chosen.source? {
            HostsSource::All => Some(&priority.all),
            HostsSource::Class(HostClass::Healthy) => Some(&priority.healthy),
            HostsSource::Class(HostClass::Degraded) => Some(&priority.degraded),
            HostsSource::Locality(class, index) => {
                let localities = priority.localities.as_ref()?;
                match class {
                    HostClass::Healthy => &localities.healthy,
                    HostClass::Degraded => &localities.degraded,
                }
                .turns
                .get(index)
            }
        }
    }

    pub(super) fn turns(
        &mut self,
        cluster: ClusterId,
        choice: SetChoice,
        number: usize,
        source: HostsSource,
    ) -> Option<&mut Turns> {
        let priority = self.priority(cluster, choice, number)?;
        match source {
            HostsSource::All => Some(&mut priority.all),
            HostsSource::Class(HostClass::Healthy) => Some(&mut priority.healthy),
            HostsSource::Class(HostClass::Degraded) => Some(&mut priority.degraded),
            HostsSource::Locality(class, index) => priority
                .localities
                .as_mut()?
                .class(class)
                .turns
                .get_mut(index),
        }
    }

    pub(super) fn locality(
        &mut self,
        cluster: ClusterId,
        choice: SetChoice,
        number: usize,
        class: HostClass,
    ) -> Option<usize> {
        let priority = self.priority(cluster, choice, number)?;
        let schedule = &mut priority.localities.as_mut()?.class(class).schedule;
        schedule.as_mut()?.pick()
    }

    pub(super) const fn order(&mut self) -> &mut Vec<u32> {
        &mut self.order
    }

    fn priority(
        &mut self,
        cluster: ClusterId,
        choice: SetChoice,
        priority: usize,
    ) -> Option<&mut PriorityState> {
        let cluster = self.clusters.get_mut(cluster.index())?;
        match choice {
            SetChoice::Whole => cluster.whole.get_mut(priority),
            SetChoice::Set(number) => cluster.subsets.get_mut(number)?.get_mut(priority),
            SetChoice::Step { step, set } => {
                let step = cluster.steps.get_mut(step)?;
                step.get_mut(set)?.get_mut(priority)
            }
            SetChoice::Host { .. } => None,
        }
    }
}

impl LocalityState {
    const fn class(&mut self, class: HostClass) -> &mut ClassState {
        match class {
            HostClass::Healthy => &mut self.healthy,
            HostClass::Degraded => &mut self.degraded,
        }
    }
}
