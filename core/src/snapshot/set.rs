//! A set of hosts over all priorities, with health, panic and loads of its own: a whole cluster or
//! one of its subsets.

use alloc::{sync::Arc, vec::Vec};

use super::{
    HostList, HostSet, PriorityHosts, Settings, Source,
    build_table::build_table,
    host_set::{HostSetContext, LocalityWeights, Members},
    zones::LocalZones,
};
use crate::{
    load::{HostClass, PriorityHealth, PriorityLoad},
    model::StepHealth,
};

/// A compiled set. Priorities that a change does not touch are shared with the set before it.
#[derive(Debug, Clone, Default)]
pub struct PrioritySet {
    /// The priorities, 0 first, numbered as in the cluster.
    pub priorities: Vec<Arc<HostSet>>,
    /// How traffic is spread over them.
    pub load: PriorityLoad,
}

/// What the sets of a cluster are built from.
#[derive(Clone, Copy)]
pub(super) struct SetContext<'a> {
    pub(super) settings: &'a Settings,
    pub(super) hosts: &'a [PriorityHosts],
    pub(super) local: Option<&'a LocalZones>,
    pub(super) weights: LocalityWeights,
}

impl PrioritySet {
    /// All hosts of a cluster.
    pub(super) fn whole(context: &SetContext<'_>) -> Self {
        let mut members = |priority: usize| {
            Members::All(context.hosts.get(priority).map_or(0, PriorityHosts::len))
        };
        Self::build(context, &mut members)
    }

    /// Some of them: by priority, their numbers in ascending order.
    pub(super) fn listed(context: &SetContext<'_>, mut members: Vec<Vec<u32>>) -> Self {
        Self::build(context, &mut |priority| {
            Members::Listed(
                members
                    .get_mut(priority)
                    .map(core::mem::take)
                    .unwrap_or_default(),
            )
        })
    }

    fn build(context: &SetContext<'_>, members: &mut dyn FnMut(usize) -> Members) -> Self {
        let priorities: Vec<HostSet> = (0..context.hosts.len())
            .filter_map(|priority| {
                Some(HostSet::build(
                    &context.priority(priority)?,
                    members(priority),
                ))
            })
            .collect();
        let health = priorities.iter().map(|priority| priority.health).collect();
        let load = context.settings.load(health);
        let priorities = priorities
            .into_iter()
            .enumerate()
            .map(|(number, mut priority)| {
                priority.table = context
                    .priority(number)
                    .and_then(|context| build_table(&context, &priority, load.panics(number)));
                Arc::new(priority)
            })
            .collect();
        Self { priorities, load }
    }

    /// The same set after hosts of some priorities have changed their health: by priority, the numbers
    /// of those that have, each once. `before` are the hosts as they were.
    pub(super) fn updated(
        &self,
        context: &SetContext<'_>,
        before: &[PriorityHosts],
        touched: &[(usize, Vec<usize>)],
    ) -> Self {
        let mut priorities = self.priorities.clone();
        for (number, changed) in touched {
            let found = (priorities.get_mut(*number), before.get(*number));
            if let ((Some(priority), Some(before)), Some(context)) =
                (found, context.priority(*number))
            {
                *priority = Arc::new(priority.updated(&context, before, changed));
            }
        }
        let health = priorities.iter().map(|priority| priority.health).collect();
        let load = context.settings.load(health);
        for (number, priority) in priorities.iter_mut().enumerate() {
            let stale = touched.iter().any(|(at, _)| *at == number)
                || load.panics(number) != self.load.panics(number);
            // A table holds other hosts in panic than out of it.
            if let (true, true, Some(context)) = (
                stale,
                context.settings.policy.hashes(),
                context.priority(number),
            ) {
                let mut changed = HostSet::clone(priority);
                changed.table = build_table(&context, &changed, load.panics(number));
                *priority = Arc::new(changed);
            }
        }
        Self { priorities, load }
    }

    /// Which hosts of a priority serve a class: all of them in panic.
    #[must_use]
    pub fn hosts(&self, number: usize, class: HostClass) -> HostList<'_> {
        match self.priorities.get(number) {
            Some(priority) => priority.hosts(class, self.load.panics(number)),
            None => HostList::EMPTY,
        }
    }

    /// The hosts that a source of a priority stands for.
    #[must_use]
    pub fn list(&self, number: usize, source: Source) -> HostList<'_> {
        self.priorities
            .get(number)
            .map_or(HostList::EMPTY, |priority| priority.list(source))
    }

    /// The health of each priority.
    #[must_use]
    pub fn health(&self) -> Vec<PriorityHealth> {
        self.priorities
            .iter()
            .map(|priority| priority.health)
            .collect()
    }

    /// Whether it has no host at all, usable or not.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.priorities
            .iter()
            .all(|priority| priority.members().is_empty())
    }
}

impl<'a> SetContext<'a> {
    fn priority(&self, priority: usize) -> Option<HostSetContext<'a>> {
        Some(HostSetContext {
            settings: self.settings,
            hosts: self.hosts.get(priority)?,
            // Zones count in priority 0 only.
            local: self.local.filter(|_| priority == 0),
            weights: self.weights,
        })
    }
}

impl PrioritySet {
    pub(super) fn step_health(&self) -> StepHealth {
        let mut sum = StepHealth::default();
        for priority in &self.priorities {
            sum = sum.plus(StepHealth {
                hosts: priority.health.hosts,
                counted: priority.health.counted(),
                healthy: priority.health.healthy,
            });
        }
        sum
    }
}

/// Brings the sets that hosts with new health belong to up to date.
pub(super) fn update_sets(
    sets: &mut [Arc<PrioritySet>],
    stale: &[bool],
    context: &SetContext<'_>,
    before: &[PriorityHosts],
    touched: &[(usize, Vec<usize>)],
) {
    for (set, _) in sets.iter_mut().zip(stale).filter(|(_, stale)| **stale) {
        *set = Arc::new(set.updated(context, before, touched));
    }
}
