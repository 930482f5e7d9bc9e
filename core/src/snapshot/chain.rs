//! The steps of a chain, compiled: sets of hosts in plain clusters, lines of priorities in aggregates.

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

/// A step in a cluster with endpoints.
#[derive(Debug, Clone)]
pub struct PlainStep {
    /// Which sets there are.
    pub found: StepIndex,
    /// The cluster's settings, with those of the step in their place.
    pub settings: Arc<Settings>,
    /// The hosts of each set, by number; a set without hosts has no priorities.
    pub sets: Vec<Arc<PrioritySet>>,
}

/// A step in an aggregate.
#[derive(Debug, Clone)]
pub struct AggregateStep {
    /// Which sets there are. The health of a set is that of all members together.
    pub found: StepIndex,
    /// The priorities of the members' sets of a number in one line. Where requests go depends on the
    /// health of these hosts, not on that of whole members as in Envoy.
    pub lines: Vec<Arc<AggregateLoad<ClusterId>>>,
}

impl PlainStep {
    /// `members` are the hosts of each set in the priorities of all clusters, of which this one's
    /// begin at `start`.
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
        let nobody = Arc::new(PrioritySet::default());
        for (members, health) in members.iter_mut().zip(&mut step.found.health) {
            let priorities = members.iter_mut().skip(start).take(context.hosts.len());
            let own: MembersByPriority = priorities.map(core::mem::take).collect();
            if own.iter().all(Vec::is_empty) {
                step.sets.push(nobody.clone());
            } else {
                let set = PrioritySet::listed(&context, own);
                *health = set.step_health();
                step.sets.push(Arc::new(set));
            }
        }
        step
    }

    /// The step after hosts have changed their health, which concerns these of its sets.
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
        let nobody = Arc::new(linearized(&[], PanicThreshold::OFF));
        Self {
            lines: found.health.iter().map(|_| nobody.clone()).collect(),
            found: found.clone(),
        }
    }

    /// The step after sets of members have changed since `before`, or for the first time.
    pub(super) fn link(
        &mut self,
        place: usize,
        members: &[ClusterId],
        all: &Snapshot,
        before: Option<&Snapshot>,
    ) {
        let step = &self.found.step;
        let lines = self.lines.iter_mut().zip(&mut self.found.health);
        for (set, (line, health)) in lines.enumerate() {
            let part = |of: &Snapshot, id| {
                let sets = &of.plain(id)?.chain.get(place)?.sets;
                sets.get(set).map(Arc::as_ptr)
            };
            let same = |before| members.iter().all(|&id| part(before, id) == part(all, id));
            if before.is_some_and(same) {
                continue;
            }
            let mut own = Vec::new();
            *health = StepHealth::default();
            for &id in members {
                let found = all.plain(id).and_then(|plain| plain.chain.get(place));
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
            *line = Arc::new(new);
        }
    }
}
