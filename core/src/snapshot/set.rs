//! Sets of hosts over all priorities with their own health, panic mode and loads: a whole cluster
//! or a subset.
//!
//! One structure for both, so every rule is written once. Priorities are shared pointers: a change
//! of health rebuilds the host's priority in the cluster and in its own subsets, and everything
//! else, including tables, stays the same memory. A worker's turns survive an update by comparing
//! these pointers.

use alloc::{sync::Arc, vec::Vec};

use super::{
    HostList, HostSet, HostsSource, PriorityHosts, Settings,
    build_table::build_table,
    host_set::{HostSetContext, LocalityWeights, Members},
    zones::LocalZones,
};
use crate::{
    load::{HostClass, PriorityHealth, PriorityLoad},
    model::StepHealth,
};

/// A compiled set of hosts. Priorities that a change does not touch are shared with the previous
/// set.
#[derive(Debug, Clone, Default)]
pub struct PrioritySet {
    /// The priorities, P0 first, numbered as in the cluster.
    pub priorities: Vec<Arc<HostSet>>,
    /// The loads of the priorities.
    pub load: PriorityLoad,
}

/// The values that the sets of a cluster are built from.
#[derive(Clone, Copy)]
pub(super) struct SetContext<'a> {
    pub(super) settings: &'a Settings,
    pub(super) hosts: &'a [PriorityHosts],
    pub(super) local: Option<&'a LocalZones>,
    pub(super) weights: LocalityWeights,
}

impl PrioritySet {
    /// The set of all hosts of a cluster.
    pub(super) fn whole(context: &SetContext<'_>) -> Self {
        let mut members = |priority: usize| {
            Members::All(context.hosts.get(priority).map_or(0, PriorityHosts::len))
        };
        Self::build(context, &mut members)
    }

    /// A set of some hosts: for each priority, their indices in ascending order.
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
                priority.table = context.priority(number).and_then(|context| {
                    build_table(
                        &context,
                        &priority,
                        // Tables never contain degraded hosts outside of panic mode (`normalizeWeights`).
                        serving_source(&load, number, HostClass::Healthy),
                    )
                });
                Arc::new(priority)
            })
            .collect();
        Self { priorities, load }
    }

    /// The same set after hosts changed their health. `touched` has the changed hosts of each
    /// priority, each once; `before` are the hosts before the change.
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
            // A priority without a changed host can enter or leave panic mode: its load depends on the
            // others.
            let stale = touched.iter().any(|(at, _)| *at == number)
                || load.panics(number) != self.load.panics(number);
            // In panic mode a table contains other hosts.
            if let (true, true, Some(context)) = (
                stale,
                context.settings.policy.hashes(),
                context.priority(number),
            ) {
                let mut changed = HostSet::clone(priority);
                changed.table = build_table(
                    &context,
                    &changed,
                    serving_source(&load, number, HostClass::Healthy),
                );
                *priority = Arc::new(changed);
            }
        }
        Self { priorities, load }
    }

    /// The hosts of a priority that serve a class: all hosts in panic mode.
    #[must_use]
    pub fn hosts(&self, number: usize, class: HostClass) -> HostList<'_> {
        match self.priorities.get(number) {
            Some(priority) => priority.list(serving_source(&self.load, number, class)),
            None => HostList::EMPTY,
        }
    }

    /// The hosts of a source in a priority.
    #[must_use]
    pub fn list(&self, number: usize, source: HostsSource) -> HostList<'_> {
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

    /// Whether the set has no hosts, whatever their health.
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
            // Zone-aware routing applies only to priority 0.
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

/// The host list of a priority that serves a class: all hosts in panic mode.
fn serving_source(load: &PriorityLoad, number: usize, class: HostClass) -> HostsSource {
    if load.panics(number) {
        HostsSource::All
    } else {
        HostsSource::Class(class)
    }
}

/// Updates the sets that contain hosts with changed health.
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
