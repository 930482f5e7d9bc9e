//! From the state for a snapshot to the one for the next.

use alloc::{boxed::Box, sync::Arc, vec::Vec};

use super::{ClassState, ClusterState, LocalityState, PriorityState, SetState};
use crate::{
    draw::Draw,
    load::HostClass,
    model::Policy,
    pick::{LocalitySchedule, Turns},
    snapshot::{
        HostList, HostSet, HostsSource, PlainSnapshot, PriorityHosts, PrioritySet, Settings,
    },
    subset::SubsetIndex,
};

impl ClusterState {
    pub(super) fn carried_over(
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
