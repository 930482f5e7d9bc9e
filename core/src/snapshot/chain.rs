//! The compiled steps of the subset fallback chain: host sets in plain clusters, linearized
//! priorities in aggregates.

use alloc::{sync::Arc, vec::Vec};

use super::{
    ClusterId, PriorityHosts, PrioritySet, Settings, Snapshot,
    set::{SetContext, update_sets},
};
use crate::{
    load::{AggregateLoad, last_resort_load, linearized},
    model::{PanicThreshold, StepHealth},
    subset::{MembersByPriority, StepIndex},
};

/// A chain step in a plain cluster.
#[derive(Debug, Clone)]
pub struct PlainStep {
    /// The index of the sets.
    pub found: StepIndex,
    /// The settings of the cluster, with those of the step where it has its own.
    pub settings: Arc<Settings>,
    /// The hosts of each set, by set number. A set without hosts has no priorities.
    pub sets: Vec<Arc<PrioritySet>>,
}

/// A chain step in an aggregate.
#[derive(Debug, Clone)]
pub struct AggregateStep {
    /// The index of the sets. The health of a set covers the hosts of all members.
    pub found: StepIndex,
    /// The linearized priorities of the members' sets, by set number. Loads follow the health of
    /// the hosts in these sets, not that of whole members as in Envoy.
    pub linearized: Vec<Arc<AggregateLoad<ClusterId>>>,
}

impl PlainStep {
    /// `members` has the hosts of each set for the priorities of all clusters; those of this
    /// cluster begin at `start`.
    pub(super) fn build(
        found: &StepIndex,
        members: &mut [MembersByPriority],
        start: usize,
        context: &SetContext<'_>,
    ) -> Self {
        let settings = Arc::new(context.settings.in_step(&found.step));
        let context = SetContext {
            settings: &settings,
            ..*context
        };
        let mut step = Self {
            found: found.clone(),
            settings: settings.clone(),
            sets: Vec::with_capacity(members.len()),
        };
        let empty = Arc::new(PrioritySet::default());
        for (members, health) in members.iter_mut().zip(&mut step.found.health) {
            let priorities = members.iter_mut().skip(start).take(context.hosts.len());
            let own: MembersByPriority = priorities.map(core::mem::take).collect();
            if own.iter().all(Vec::is_empty) {
                step.sets.push(empty.clone());
            } else {
                let set = PrioritySet::listed(&context, own);
                *health = set.step_health();
                step.sets.push(Arc::new(set));
            }
        }
        step
    }

    /// Updates the stale sets after a change of host health.
    pub(super) fn update(
        &mut self,
        stale: &[bool],
        context: &SetContext<'_>,
        before: &[PriorityHosts],
        touched: &[(usize, Vec<usize>)],
    ) {
        let context = SetContext {
            settings: &self.settings,
            ..*context
        };
        update_sets(&mut self.sets, stale, &context, before, touched);
        for ((set, health), stale) in self.sets.iter().zip(&mut self.found.health).zip(stale) {
            if *stale {
                *health = set.step_health();
            }
        }
    }
}

impl AggregateStep {
    pub(super) fn unlinked(found: &StepIndex) -> Self {
        let empty = Arc::new(linearized(&[], PanicThreshold::OFF));
        Self {
            linearized: found.health.iter().map(|_| empty.clone()).collect(),
            found: found.clone(),
        }
    }

    /// Links the step to the members' sets that changed since `before`; without `before`, to all
    /// sets.
    pub(super) fn link(
        &mut self,
        index: usize,
        members: &[ClusterId],
        all: &Snapshot,
        before: Option<&Snapshot>,
    ) {
        let step = &self.found.step;
        let sets = self.linearized.iter_mut().zip(&mut self.found.health);
        for (set, (priorities, health)) in sets.enumerate() {
            let part = |of: &Snapshot, id| {
                let sets = &of.plain(id)?.chain.get(index)?.sets;
                sets.get(set).map(Arc::as_ptr)
            };
            let same = |before| members.iter().all(|&id| part(before, id) == part(all, id));
            if before.is_some_and(same) {
                continue;
            }
            let mut own = Vec::new();
            *health = StepHealth::default();
            for &id in members {
                let found = all.plain(id).and_then(|plain| plain.chain.get(index));
                let Some((found, set)) = found.and_then(|f| Some((f, f.sets.get(set)?))) else {
                    continue;
                };
                *health = health.plus(set.step_health());
                own.push((id, found.settings.counted(set.health())));
            }
            let mut new = linearized(&own, step.panic_threshold);
            if step.last_resort {
                new.load = last_resort_load(&new.health, step.panic_threshold);
            }
            *priorities = Arc::new(new);
        }
    }
}
