//! A set of hosts over all levels, with health, panic and loads of its own: a whole cluster or
//! one of its subsets.

use alloc::{sync::Arc, vec::Vec};

use super::{
    HostList, LevelHosts, LevelSet, Settings, Source,
    build_table::build_table,
    level_set::{LevelContext, LocalityWeights, Members},
    zones::LocalZones,
};
use crate::{
    load::{HostClass, LevelHealth, PriorityLoad},
    model::StepHealth,
};

/// A compiled set. Levels that a change does not touch are shared with the set before it.
#[derive(Debug, Clone, Default)]
pub struct PrioritySet {
    /// The levels, 0 first, numbered as in the cluster.
    pub levels: Vec<Arc<LevelSet>>,
    /// How traffic is spread over them.
    pub load: PriorityLoad,
}

/// What the sets of a cluster are built from.
#[derive(Clone, Copy)]
pub(super) struct SetContext<'a> {
    pub(super) settings: &'a Settings,
    pub(super) hosts: &'a [LevelHosts],
    pub(super) local: Option<&'a LocalZones>,
    pub(super) weights: LocalityWeights,
}

impl PrioritySet {
    /// All hosts of a cluster.
    pub(super) fn whole(context: &SetContext<'_>) -> Self {
        let mut members =
            |level: usize| Members::All(context.hosts.get(level).map_or(0, LevelHosts::len));
        Self::build(context, &mut members)
    }

    /// Some of them: by level, their numbers in ascending order.
    pub(super) fn listed(context: &SetContext<'_>, mut members: Vec<Vec<u32>>) -> Self {
        Self::build(context, &mut |level| {
            Members::Listed(
                members
                    .get_mut(level)
                    .map(core::mem::take)
                    .unwrap_or_default(),
            )
        })
    }

    fn build(context: &SetContext<'_>, members: &mut dyn FnMut(usize) -> Members) -> Self {
        let levels: Vec<LevelSet> = (0..context.hosts.len())
            .filter_map(|level| Some(LevelSet::build(&context.level(level)?, members(level))))
            .collect();
        let health = levels.iter().map(|level| level.health).collect();
        let load = context.settings.load(health);
        let levels = levels
            .into_iter()
            .enumerate()
            .map(|(priority, mut level)| {
                level.table = context
                    .level(priority)
                    .and_then(|context| build_table(&context, &level, load.panics(priority)));
                Arc::new(level)
            })
            .collect();
        Self { levels, load }
    }

    /// The same set after hosts of some levels have changed their health: by level, the numbers
    /// of those that have, each once. `before` are the hosts as they were.
    pub(super) fn updated(
        &self,
        context: &SetContext<'_>,
        before: &[LevelHosts],
        touched: &[(usize, Vec<usize>)],
    ) -> Self {
        let mut levels = self.levels.clone();
        for (priority, changed) in touched {
            let found = (levels.get_mut(*priority), before.get(*priority));
            if let ((Some(level), Some(before)), Some(context)) = (found, context.level(*priority))
            {
                *level = Arc::new(level.updated(&context, before, changed));
            }
        }
        let health = levels.iter().map(|level| level.health).collect();
        let load = context.settings.load(health);
        for (priority, level) in levels.iter_mut().enumerate() {
            let stale = touched.iter().any(|(at, _)| *at == priority)
                || load.panics(priority) != self.load.panics(priority);
            // A table holds other hosts in panic than out of it.
            if let (true, true, Some(context)) = (
                stale,
                context.settings.policy.hashes(),
                context.level(priority),
            ) {
                let mut changed = LevelSet::clone(level);
                changed.table = build_table(&context, &changed, load.panics(priority));
                *level = Arc::new(changed);
            }
        }
        Self { levels, load }
    }

    /// Which hosts of a level serve a class: all of them in panic.
    #[must_use]
    pub fn hosts(&self, priority: usize, class: HostClass) -> HostList<'_> {
        match self.levels.get(priority) {
            Some(level) => level.hosts(class, self.load.panics(priority)),
            None => HostList::EMPTY,
        }
    }

    /// The hosts that a source of a level stands for.
    #[must_use]
    pub fn list(&self, priority: usize, source: Source) -> HostList<'_> {
        self.levels
            .get(priority)
            .map_or(HostList::EMPTY, |level| level.list(source))
    }

    /// The health of each level.
    #[must_use]
    pub fn health(&self) -> Vec<LevelHealth> {
        self.levels.iter().map(|level| level.health).collect()
    }

    /// Whether it has no host at all, usable or not.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.levels.iter().all(|level| level.members().is_empty())
    }
}

impl<'a> SetContext<'a> {
    fn level(&self, priority: usize) -> Option<LevelContext<'a>> {
        Some(LevelContext {
            settings: self.settings,
            hosts: self.hosts.get(priority)?,
            // Zones count in level 0 only.
            local: self.local.filter(|_| priority == 0),
            weights: self.weights,
        })
    }
}

impl PrioritySet {
    pub(super) fn step_health(&self) -> StepHealth {
        let mut sum = StepHealth::default();
        for level in &self.levels {
            sum = sum.plus(StepHealth {
                hosts: level.health.hosts,
                counted: level.health.counted(),
                healthy: level.health.healthy,
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
    before: &[LevelHosts],
    touched: &[(usize, Vec<usize>)],
) {
    for (set, _) in sets.iter_mut().zip(stale).filter(|(_, stale)| **stale) {
        *set = Arc::new(set.updated(context, before, touched));
    }
}
