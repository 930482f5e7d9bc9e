//! The steps of a chain, compiled: sets of hosts in plain clusters, lines of levels in aggregates.

use alloc::{sync::Arc, vec::Vec};

use super::{
    AggregateSnapshot, ClusterId, LevelHosts, PlainSnapshot, PrioritySet, Settings, Snapshot,
    set::SetContext,
};
use crate::{
    load::{AggregateLoad, LevelHealth, last_resort_load, linearise},
    model::{ChainHosts, ChainStep, Level, PanicThreshold, StepHealth},
    subset::{Choice, StepIndex, SubsetIndex},
};

/// A step in a cluster with endpoints.
#[derive(Debug, Clone)]
pub struct PlainStep {
    /// Which sets there are.
    pub found: StepIndex,
    /// The cluster's settings, with those of the step in their place.
    pub settings: Arc<Settings>,
    /// The hosts of each set, by number.
    pub sets: Vec<Arc<PrioritySet>>,
}

/// A step in an aggregate.
#[derive(Debug, Clone)]
pub struct AggregateStep {
    /// Which sets any member has. A set's health is that of all members together.
    pub found: StepIndex,
    /// The levels of each set, by number.
    pub lines: Vec<Arc<StepLine>>,
}

/// The levels of the members' sets of the same values in one line. Where requests go depends on
/// the health of these hosts, not on that of whole members as in Envoy.
#[derive(Debug, Clone)]
pub struct StepLine {
    /// The members that have such a set, in order, each with the set's number there.
    pub members: Vec<(ClusterId, usize)>,
    /// The step's threshold.
    pub panic_threshold: PanicThreshold,
    /// The levels and their loads.
    pub line: AggregateLoad<ClusterId>,
}

impl PlainStep {
    pub(super) fn build(step: &Arc<ChainStep>, levels: &[Level], context: &SetContext<'_>) -> Self {
        let settings = Arc::new(context.settings.in_step(step));
        let context = SetContext {
            settings: &settings,
            ..*context
        };
        let (index, members) = SubsetIndex::of_step(&step.hosts, levels);
        let sets: Vec<Arc<PrioritySet>> = match &step.hosts {
            ChainHosts::Any => [Arc::new(PrioritySet::whole(&context))].into(),
            _ => members
                .into_iter()
                .map(|members| Arc::new(PrioritySet::listed(&context, members)))
                .collect(),
        };
        Self {
            found: StepIndex {
                step: step.clone(),
                index: Arc::new(index),
                health: sets.iter().map(|set| set.step_health()).collect(),
            },
            settings,
            sets,
        }
    }

    /// The step after hosts have changed their health, which concerns these of its sets.
    pub(super) fn update(
        &mut self,
        stale: &[bool],
        context: &SetContext<'_>,
        before: &[LevelHosts],
        touched: &[(usize, Vec<usize>)],
    ) {
        let settings = self.settings.clone();
        let context = SetContext {
            settings: &settings,
            ..*context
        };
        super::update::update_sets(&mut self.sets, stale, &context, before, touched);
        for ((set, health), stale) in self.sets.iter().zip(&mut self.found.health).zip(stale) {
            if *stale {
                *health = set.step_health();
            }
        }
    }
}

impl AggregateStep {
    fn build(place: usize, step: &Arc<ChainStep>, members: &[ClusterId], all: &Snapshot) -> Self {
        let plain = |&id: &ClusterId| Some((id, &all.plain(id)?.chain.get(place)?.found));
        let members: Vec<(ClusterId, &StepIndex)> = members.iter().filter_map(plain).collect();
        let index = SubsetIndex::union(&step.hosts, members.iter().map(|(_, found)| &*found.index));
        let count = match &step.hosts {
            ChainHosts::Keys(_) => index.entries().len(),
            ChainHosts::Match(_) | ChainHosts::Any => 1,
        };
        let lines: Vec<Arc<StepLine>> = (0..count)
            .map(|set| {
                let member = |(id, found): &(ClusterId, &StepIndex)| {
                    Some((*id, found.number_of(&index, set)?))
                };
                let members = members.iter().filter_map(member).collect();
                Arc::new(StepLine::build(place, step, members, all))
            })
            .collect();
        Self {
            found: StepIndex {
                step: step.clone(),
                index: Arc::new(index),
                health: lines.iter().map(|line| line.health(place, all)).collect(),
            },
            lines,
        }
    }

    /// The step after sets of members have changed.
    fn updated(&self, place: usize, all: &Snapshot, before: &Snapshot) -> Self {
        let mut new = self.clone();
        for (line, health) in new.lines.iter_mut().zip(&mut new.found.health) {
            let stale = line.members.iter().any(|&(id, set)| {
                let set = |of: &Snapshot| {
                    let sets = &of.plain(id)?.chain.get(place)?.sets;
                    sets.get(set).map(Arc::as_ptr)
                };
                set(all) != set(before)
            });
            if stale {
                let members = line.members.clone();
                *line = Arc::new(StepLine::build(place, &self.found.step, members, all));
                *health = line.health(place, all);
            }
        }
        new
    }
}

impl StepLine {
    fn build(
        place: usize,
        step: &ChainStep,
        members: Vec<(ClusterId, usize)>,
        all: &Snapshot,
    ) -> Self {
        let health: Vec<(ClusterId, Vec<LevelHealth>)> = members
            .iter()
            .filter_map(|&(id, set)| {
                let found = all.plain(id)?.chain.get(place)?;
                let levels = found.sets.get(set)?.levels.iter();
                let health = levels.map(|level| found.settings.counted(&level.health));
                Some((id, health.collect()))
            })
            .collect();
        let health = health.iter().map(|(id, health)| (*id, health.as_slice()));
        let mut line = linearise(health, step.panic_threshold);
        if step.last_resort {
            line.load = last_resort_load(&line.health, step.panic_threshold);
        }
        Self {
            members,
            panic_threshold: step.panic_threshold,
            line,
        }
    }

    fn health(&self, place: usize, all: &Snapshot) -> StepHealth {
        let of_member = |&(id, set): &(ClusterId, usize)| {
            let found = &all.plain(id)?.chain.get(place)?.found;
            found.health.get(set).copied()
        };
        let health = self.members.iter().filter_map(of_member);
        health.fold(StepHealth::default(), StepHealth::plus)
    }

    /// What the choice of this line comes to in a member.
    pub(crate) fn choice(&self, whole: Choice, member: ClusterId) -> Option<Choice> {
        let mut members = self.members.iter();
        let &(_, set) = members.find(|(id, _)| *id == member)?;
        match whole {
            Choice::Step { step, .. } => Some(Choice::Step { step, set }),
            _ => None,
        }
    }
}

impl AggregateSnapshot {
    /// The line of a choice that was made among the aggregate's own sets.
    #[must_use]
    pub fn step_line(&self, choice: Choice) -> Option<&StepLine> {
        match choice {
            Choice::Step { step, set } => Some(self.chain.get(step)?.lines.get(set)?),
            _ => None,
        }
    }

    /// The steps, after members have changed since `before`, or for the first time.
    pub(super) fn linked_steps(
        &self,
        all: &Snapshot,
        before: Option<&Snapshot>,
    ) -> Vec<AggregateStep> {
        match before {
            None => {
                let steps = all.chain.iter().enumerate();
                steps
                    .map(|(place, step)| AggregateStep::build(place, step, &self.members, all))
                    .collect()
            }
            Some(before) => {
                let steps = self.chain.iter().enumerate();
                steps
                    .map(|(place, step)| step.updated(place, all, before))
                    .collect()
            }
        }
    }
}

impl PlainSnapshot {
    /// The settings that hold for a choice.
    #[must_use]
    pub fn settings_of(&self, choice: Choice) -> &Settings {
        match choice {
            Choice::Step { step, .. } => {
                let step = self.chain.get(step);
                step.map_or(&self.settings, |step| &step.settings)
            }
            _ => &self.settings,
        }
    }
}

impl PrioritySet {
    fn step_health(&self) -> StepHealth {
        let levels = self.levels.iter().map(|level| StepHealth {
            hosts: level.health.hosts,
            counted: level.health.counted(),
            healthy: level.health.healthy,
        });
        levels.fold(StepHealth::default(), StepHealth::plus)
    }
}
