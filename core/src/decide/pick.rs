//! A pick within one cluster: subsets, attempts, and the resulting decision.
//!
//! The functions here return their decision as the last expression. The compiler then writes it
//! once to its final location; copying it would cost more than most of the preceding steps.

use core::ops::ControlFlow;

use super::{
    BalancerState, ChosenPriority, Decision, Reason, next_step, recorded::RecordedDraws, steps,
};
use crate::{
    draw::Draw,
    load::HostClass,
    plan::{ClusterPlan, PlannedSet, SetTarget, Sets, selections},
    snapshot::{ClusterId, Subsets},
    subset::ChosenSubset,
    trace::{ChosenBy, HostNumbers, Step, Trace},
};

/// A pick within one cluster.
pub(super) struct Pick<'a> {
    pub(super) plan: ClusterPlan<'a>,
    /// The cluster that the request is routed to.
    pub(super) cluster: ClusterId,
    pub(super) hash: Option<u64>,
}

/// One attempt of a pick. A retry makes several attempts until no retry host predicate rejects the
/// host.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    /// The number that the choice depends on: the request hash or a random number.
    pub(super) key: u64,
    /// The number of the attempt, from 0.
    pub(super) number: u32,
}

impl Pick<'_> {
    /// Picks from the set of the serving chain step; without a chain, from the subsets or the whole
    /// cluster.
    pub(super) fn run(
        &self,
        step: Option<ChosenSubset>,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        match self.plan.plain.sets(step) {
            Sets::Whole => self.set(self.plan.plain.whole_set(), state, draw, trace),
            Sets::Subsets(subsets) => self.subsets(subsets, state, draw, trace),
            Sets::Step(subset) => self.subset(subset, state, draw, trace),
        }
    }

    /// Picks from the subset of the criteria, or from a fallback.
    fn subsets(
        &self,
        subsets: &Subsets,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        if subsets.index.may_try_again() {
            return self.one_of_subsets(subsets, state, draw, trace);
        }
        match subsets.first(self.plan.facts.criteria) {
            Some(subset) => {
                trace.step(|| self.subset_step(subset));
                self.subset(subset, state, draw, trace)
            }
            None => {
                trace.step(|| {
                    steps::no_subset(self.plan.owner, self.plan.plain, self.plan.facts.criteria)
                });
                self.no_host(None)
            }
        }
    }

    /// Tries one subset after the other until one has a host.
    fn one_of_subsets(
        &self,
        subsets: &Subsets,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let mut decision = self.no_host(None);
        subsets.index.choose(self.plan.facts.criteria, |subset| {
            trace.step(|| self.subset_step(subset));
            decision = self.subset(subset, state, draw, trace);
            match decision.host {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        if decision.subset.is_none() {
            trace.step(|| {
                steps::no_subset(self.plan.owner, self.plan.plain, self.plan.facts.criteria)
            });
        }
        decision
    }

    fn subset_step(&self, subset: ChosenSubset) -> Step {
        let planned = (subset.choice, subset.reason);
        steps::subset(
            self.plan.owner,
            self.plan.plain,
            self.plan.facts.criteria,
            planned,
        )
    }

    fn subset(
        &self,
        subset: ChosenSubset,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        match self.plan.plain.target(subset) {
            SetTarget::Set(planned) => self.set(planned, state, draw, trace),
            SetTarget::Host {
                priority: number,
                host,
            } => {
                let priority = ChosenPriority {
                    owner: self.plan.owner,
                    number,
                    class: HostClass::Healthy,
                    panic: false,
                    source: None,
                };
                self.found(Some(subset), priority, Some(host), 0)
            }
            SetTarget::Missing => self.no_host(Some(subset)),
        }
    }

    /// Picks from a set of hosts.
    fn set(
        &self,
        planned: PlannedSet<'_>,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let hash = match self.plan.facts.key {
            None if self.plan.uses_table => Some(self.hash.unwrap_or_else(|| draw.draw())),
            key => key,
        };
        if !self.plan.facts.tried.is_empty() {
            return self.attempts(planned, hash, state, draw, trace);
        }
        let attempt = Attempt {
            key: hash.unwrap_or_else(|| draw.draw()),
            number: 0,
        };
        self.attempt(planned, attempt, state, draw, trace)
    }

    /// Repeats the choice while predicates reject the host; the last choice counts.
    #[cold]
    fn attempts(
        &self,
        planned: PlannedSet<'_>,
        hash: Option<u64>,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let mut number = 0;
        loop {
            let attempt = Attempt {
                key: hash.unwrap_or_else(|| draw.draw()),
                number,
            };
            let decision = self.attempt(planned, attempt, state, draw, trace);
            let rejected = decision.host_ref().filter(|&host| self.plan.rejects(host));
            let Some(rejected) = rejected else {
                return decision;
            };
            trace.step(|| steps::rejected(rejected));
            number += 1;
            if number >= selections(self.plan.facts) {
                return decision;
            }
        }
    }

    fn attempt<T: Trace>(
        &self,
        planned: PlannedSet<'_>,
        attempt: Attempt,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut T,
    ) -> Decision {
        let draw = &mut RecordedDraws::<_, T>::new(draw);
        let priority = self.priority(planned, attempt.key, state, draw, trace);
        draw.forget();
        let host = self.host(planned, priority, attempt, state, draw);
        trace.step_if(|| {
            let host = host.filter(|_| self.plan.uses_table)?;
            steps::table_locality(self.plan.plain, planned.set, &priority, host)
        });
        trace.step(|| {
            let numbers = if T::NUMBERED {
                let drawn = (state, draw.numbers());
                self.host_numbers(planned, priority, attempt, host, drawn)
            } else {
                None
            };
            let by = match self.plan.facts.key {
                Some(_) => ChosenBy::SessionKey,
                None => ChosenBy::Policy(self.plan.plain.settings.policy.name()),
            };
            steps::host(
                self.plan.plain,
                planned.choice,
                &priority,
                host,
                by,
                (self.plan.facts.tried.len() as u32, attempt.number),
                (self.number_source(), numbers.unwrap_or(HostNumbers::None)),
            )
        });
        let subset = planned.reason.map(|reason| ChosenSubset {
            choice: planned.choice,
            reason,
        });
        self.found(subset, priority, host, attempt.key)
    }

    /// The decision for a choice; `key` is the random number in place of the request hash.
    fn found(
        &self,
        subset: Option<ChosenSubset>,
        priority: ChosenPriority,
        host: Option<usize>,
        key: u64,
    ) -> Decision {
        Decision {
            cluster: self.cluster,
            subset,
            next_step: next_step::after(
                self.plan.snapshot,
                self.cluster,
                subset,
                self.plan.facts.criteria,
            ),
            priority: Some(priority),
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
}
