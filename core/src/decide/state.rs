//! The load-balancer state of one worker between requests.

use alloc::{boxed::Box, sync::Arc, vec::Vec};

use super::Decision;
use crate::{
    draw::Draw,
    load::HostClass,
    model::Policy,
    pick::{LocalitySchedule, Turns},
    snapshot::{
        ClusterId, ClusterSnapshotKind, HostList, HostSet, HostsSource, PlainSnapshot,
        PriorityHosts, PrioritySet, Settings, Snapshot,
    },
    subset::{SetChoice, SubsetIndex},
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

impl ClusterState {
    fn carried_over(
        before: Self,
        old: Option<&PlainSnapshot>,
        new: &PlainSnapshot,
        draw: &mut impl Draw,
    ) -> Self {
        let seed = before.seed;
        let weighted = new.settings.locality_lb.is_weighted();
        if !(keeps_turns(new.settings.policy) || (weighted && !new.settings.policy.hashes())) {
            return Self {
                seed,
                ..Self::default()
            };
        }
        let mut builder = Builder {
            settings: &new.settings,
            hosts: &new.priorities,
            seed,
            draw: &mut || draw.draw(),
        };
        let whole = builder.set(before.whole, old.map(|old| &*old.whole), &new.whole);
        let old_sets = old.and_then(|old| old.subsets.as_ref());
        let mut subsets = Vec::new();
        if let Some(sets) = &new.subsets {
            let old = old_sets.map(|old| NumberedSets::new(&old.index, &old.sets));
            let new = NumberedSets::new(&sets.index, &sets.sets);
            subsets = builder.sets(before.subsets, old, new);
        }
        let mut previous = before.steps.into_iter();
        let mut old_steps = old.into_iter().flat_map(|old| &old.chain);
        let mut steps = Vec::new();
        for step in &new.chain {
            let old = old_steps.next();
            let old = old.map(|old| NumberedSets::new(&old.found.index, &old.sets));
            let new = NumberedSets::new(&step.found.index, &step.sets);
            let previous = previous.next().unwrap_or_default();
            steps.push(builder.sets(previous, old, new));
        }
        Self {
            seed,
            whole,
            subsets,
            steps,
        }
    }
}

const fn keeps_turns(policy: Policy) -> bool {
    matches!(
        policy,
        Policy::RoundRobin | Policy::LeastRequest(_) | Policy::ClientSideWeightedRoundRobin
    )
}

struct Builder<'a> {
    settings: &'a Settings,
    hosts: &'a [PriorityHosts],
    seed: u64,
    draw: &'a mut dyn FnMut() -> u64,
}

/// Host sets with the index that numbers them.
#[derive(Clone, Copy)]
struct NumberedSets<'a> {
    index: &'a Arc<SubsetIndex>,
    sets: &'a [Arc<PrioritySet>],
}

impl<'a> NumberedSets<'a> {
    const fn new(index: &'a Arc<SubsetIndex>, sets: &'a [Arc<PrioritySet>]) -> Self {
        Self { index, sets }
    }
}

impl Builder<'_> {
    /// Set numbers have the same meaning only if the index is the same.
    fn sets(
        &mut self,
        before: Vec<SetState>,
        old: Option<NumberedSets<'_>>,
        new: NumberedSets<'_>,
    ) -> Vec<SetState> {
        // An index with other criteria numbers its sets again, and positions of other sets would be
        // carried over.
        let old = old.filter(|old| Arc::ptr_eq(old.index, new.index));
        let (mut previous, old) = match old {
            Some(old) => (before.into_iter(), old.sets.iter()),
            None => (Vec::new().into_iter(), [].iter()),
        };
        let mut old = old.map(|old| &**old);
        new.sets
            .iter()
            .map(|set| self.set(previous.next().unwrap_or_default(), old.next(), set))
            .collect()
    }

    fn set(
        &mut self,
        mut before: Vec<PriorityState>,
        old: Option<&PrioritySet>,
        new: &PrioritySet,
    ) -> Vec<PriorityState> {
        let mut priorities = Vec::with_capacity(new.priorities.len());
        for (number, priority) in new.priorities.iter().enumerate() {
            let previous = before.get_mut(number).map(core::mem::take);
            let same = old
                .and_then(|old| old.priorities.get(number))
                .is_some_and(|old| Arc::ptr_eq(old, priority));
            priorities.push(match previous {
                Some(previous) if same => previous,
                previous => self.priority(number, priority, previous.as_ref()),
            });
        }
        priorities
    }

    fn priority(
        &mut self,
        number: usize,
        priority: &HostSet,
        before: Option<&PriorityState>,
    ) -> PriorityState {
        let turns = |list: HostList<'_>, before: Option<&Turns>| self.turns(number, list, before);
        let class = |class: HostClass, before: Option<&ClassState>| -> ClassState {
            let Some(localities) = &priority.localities else {
                return ClassState::default();
            };
            let before = before
                .map(|before| before.turns.as_slice())
                .unwrap_or_default();
            ClassState {
                schedule: None,
                turns: (0..localities.count())
                    .map(|index| turns(localities.list(class, index), before.get(index)))
                    .collect(),
            }
        };
        let previous = before.and_then(|before| before.localities.as_deref());
        let mut localities = priority.localities.as_ref().map(|_| {
            Box::new(LocalityState {
                healthy: class(
                    HostClass::Healthy,
                    previous.map(|previous| &previous.healthy),
                ),
                degraded: class(
                    HostClass::Degraded,
                    previous.map(|previous| &previous.degraded),
                ),
            })
        });
        let state = PriorityState {
            all: turns(priority.members(), before.map(|before| &before.all)),
            healthy: turns(
                priority.list(HostsSource::Class(HostClass::Healthy)),
                before.map(|before| &before.healthy),
            ),
            degraded: turns(
                priority.list(HostsSource::Class(HostClass::Degraded)),
                before.map(|before| &before.degraded),
            ),
            localities: None,
        };
        if let (Some(state), Some(split)) = (&mut localities, &priority.localities)
            && split.weights.is_some()
        {
            // Envoy draws one seed for each update of a priority, for both classes (`LocalityWrr`).
            let seed = (self.draw)();
            for class in [HostClass::Healthy, HostClass::Degraded] {
                let weights = split.weights(class);
                state.class(class).schedule =
                    weights.and_then(|weights| LocalitySchedule::new(weights, seed));
            }
        }
        PriorityState {
            localities,
            ..state
        }
    }

    fn turns(&self, priority: usize, list: HostList<'_>, before: Option<&Turns>) -> Turns {
        let cursor = before.map_or(self.seed, Turns::cursor);
        let Some(hosts) = self.hosts.get(priority) else {
            return Turns::plain(cursor);
        };
        if !keeps_turns(self.settings.policy) {
            return Turns::plain(cursor);
        }
        if !hosts.scheduled(list, self.settings) {
            return Turns::plain(cursor);
        }
        let weights: Vec<f64> = list.iter().map(|h| f64::from(hosts.weight(h))).collect();
        Turns::weighted(&weights, self.seed, cursor)
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
