//! A pick within one cluster: which of its host sets chooses, how often, and the resulting decision.
//!
//! Functions here hand their decision over as the last thing they do, so that it is written once, to
//! where the caller wants it: copying it would take longer than most of the steps that lead to it.

use core::ops::ControlFlow;

use super::{
    ChosenLevel, ChosenSubset, Decision, Facts, Reason, State,
    load::{rejects, selections},
    steps,
};
use crate::{
    draw::Draw,
    load::HostClass,
    snapshot::{ClusterId, HostRef, PlainSnapshot, PrioritySet, Snapshot, Subsets},
    subset::{Choice, SubsetReason},
    trace::{ChosenBy, Step, Trace},
};

/// A pick within one cluster.
pub(super) struct Pick<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) facts: &'a Facts<'a>,
    /// The cluster that the request is routed to.
    pub(super) cluster: ClusterId,
    /// The cluster whose hosts are asked: the same, or a member of an aggregate.
    pub(super) owner: ClusterId,
    pub(super) plain: &'a PlainSnapshot,
    /// The priority that an aggregate chose. Hash policies do not look at it.
    pub(super) forced: Option<(usize, HostClass)>,
    pub(super) hash: Option<u64>,
    /// Whether the cluster's hash table chooses.
    pub(super) uses_table: bool,
}

/// A set of hosts that is asked.
#[derive(Clone, Copy)]
pub(super) struct AskedSet<'a> {
    pub(super) choice: Choice,
    pub(super) set: &'a PrioritySet,
    /// Why this one, where there are several.
    reason: Option<SubsetReason>,
}

/// One of the choices of a pick. Retries may make several, until none of their predicates rejects
/// the host.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    /// What the choice goes by: the hash, or a draw in its place.
    pub(super) key: u64,
    /// Counts from 0.
    pub(super) number: u32,
}

impl Pick<'_> {
    /// Asks the set that a step of the chain chose; without one the cluster's subsets decide.
    pub(super) fn run(
        &self,
        asked: Option<ChosenSubset>,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        match (&self.plain.subsets, asked) {
            (None, None) => {
                let whole = AskedSet {
                    choice: Choice::Whole,
                    set: &self.plain.whole,
                    reason: None,
                };
                self.set(whole, state, draw, trace)
            }
            (Some(subsets), None) => self.subsets(subsets, state, draw, trace),
            (_, Some(asked)) => self.subset(asked, state, draw, trace),
        }
    }

    /// Asks the subset that the criteria select, or what stands in for it.
    fn subsets(
        &self,
        subsets: &Subsets,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        if subsets.index.asks_again() {
            return self.one_of_subsets(subsets, state, draw, trace);
        }
        let mut selected = None;
        subsets.index.choose(self.facts.criteria, |choice, reason| {
            selected = Some(ChosenSubset { choice, reason });
            ControlFlow::Break(())
        });
        match selected {
            Some(subset) => {
                trace.step(|| self.subset_step(subset));
                self.subset(subset, state, draw, trace)
            }
            None => {
                trace.step(|| steps::no_subset(self.owner, self.facts.criteria));
                self.no_host(None)
            }
        }
    }

    /// Asks one subset after the other until one has a host.
    fn one_of_subsets(
        &self,
        subsets: &Subsets,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let mut decision = self.no_host(None);
        subsets.index.choose(self.facts.criteria, |choice, reason| {
            let subset = ChosenSubset { choice, reason };
            trace.step(|| self.subset_step(subset));
            decision = self.subset(subset, state, draw, trace);
            match decision.host {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        if decision.subset.is_none() {
            trace.step(|| steps::no_subset(self.owner, self.facts.criteria));
        }
        decision
    }

    fn subset_step(&self, subset: ChosenSubset) -> Step {
        let asked = (subset.choice, subset.reason);
        steps::subset(self.owner, self.plain, self.facts.criteria, asked)
    }

    fn subset(
        &self,
        subset: ChosenSubset,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let choice = subset.choice;
        match (self.plain.set(choice), choice) {
            (Some(set), _) => {
                let asked = AskedSet {
                    choice,
                    set,
                    reason: Some(subset.reason),
                };
                self.set(asked, state, draw, trace)
            }
            // A subset of one host: no priority is chosen and no health is looked at.
            (None, Choice::Host { priority, host }) => {
                let level = ChosenLevel {
                    owner: self.owner,
                    priority,
                    class: HostClass::Healthy,
                    panic: false,
                    source: None,
                };
                self.found(Some(subset), level, Some(host), 0)
            }
            (None, _) => self.no_host(Some(subset)),
        }
    }

    /// Asks a set.
    fn set(
        &self,
        asked: AskedSet<'_>,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let hash = match self.facts.key {
            None if self.uses_table => Some(self.hash.unwrap_or_else(|| draw.draw())),
            key => key,
        };
        if !self.facts.tried.is_empty() {
            return self.attempts(asked, hash, state, draw, trace);
        }
        let attempt = Attempt {
            key: hash.unwrap_or_else(|| draw.draw()),
            number: 0,
        };
        self.attempt(asked, attempt, state, draw, trace)
    }

    /// Asks again and again while predicates reject what was chosen; the last choice wins.
    #[cold]
    fn attempts(
        &self,
        asked: AskedSet<'_>,
        hash: Option<u64>,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let mut number = 0;
        loop {
            let attempt = Attempt {
                key: hash.unwrap_or_else(|| draw.draw()),
                number,
            };
            let decision = self.attempt(asked, attempt, state, draw, trace);
            let rejected = decision
                .host_ref()
                .filter(|&host| rejects(self.snapshot, self.facts, host));
            let Some(rejected) = rejected else {
                return decision;
            };
            trace.step(|| steps::rejected(rejected));
            number += 1;
            if number >= selections(self.facts) {
                return decision;
            }
        }
    }

    fn attempt(
        &self,
        asked: AskedSet<'_>,
        attempt: Attempt,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let level = self.level(asked, attempt.key, state, draw, trace);
        let host = self.host(asked, level, attempt, state, draw);
        trace.step(|| {
            let by = match self.facts.key {
                Some(_) => ChosenBy::SessionKey,
                None => ChosenBy::Policy(self.plain.settings.policy.name()),
            };
            steps::host(self.plain, asked.choice, &level, host, (by, attempt.number))
        });
        let subset = asked.reason.map(|reason| ChosenSubset {
            choice: asked.choice,
            reason,
        });
        self.found(subset, level, host, attempt.key)
    }

    /// What a set answered; `key` is the draw that stood in for the request hash.
    fn found(
        &self,
        subset: Option<ChosenSubset>,
        level: ChosenLevel,
        host: Option<usize>,
        key: u64,
    ) -> Decision {
        Decision {
            cluster: self.cluster,
            subset,
            level: Some(level),
            host,
            hash: self.hash.unwrap_or(key),
            reason: match host {
                Some(_) => Reason::Chosen,
                None => Reason::NoHost,
            },
            moved: None,
        }
    }

    const fn no_host(&self, subset: Option<ChosenSubset>) -> Decision {
        Decision {
            subset,
            ..Decision::none(self.cluster, self.hash, Reason::NoHost)
        }
    }

    pub(super) const fn host_ref(&self, priority: usize, host: usize) -> HostRef {
        HostRef {
            cluster: self.owner,
            priority,
            host,
        }
    }
}
