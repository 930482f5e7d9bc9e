//! A pick within one cluster: which of its host sets chooses, how often, and the resulting decision.
//!
//! Functions here hand their decision over as the last thing they do, so that it is written once, to
//! where the caller wants it: copying it would take longer than most of the steps that lead to it.

use core::ops::ControlFlow;

use super::{BalancerState, ChosenPriority, Decision, Reason, steps};
use crate::{
    draw::Draw,
    load::HostClass,
    plan::{Asked, AskedSet, ClusterPlan, Sets, selections},
    snapshot::{ClusterId, Subsets},
    subset::ChosenSubset,
    trace::{ChosenBy, Step, Trace},
};

/// A pick within one cluster.
pub(super) struct Pick<'a> {
    pub(super) plan: ClusterPlan<'a>,
    /// The cluster that the request is routed to.
    pub(super) cluster: ClusterId,
    pub(super) hash: Option<u64>,
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
    /// Asks the set of the step that serves; without a chain the cluster's subsets decide.
    pub(super) fn run(
        &self,
        step: Option<ChosenSubset>,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        match self.plan.plain.sets(step) {
            Sets::Whole => self.set(self.plan.plain.asked_whole(), state, draw, trace),
            Sets::Subsets(subsets) => self.subsets(subsets, state, draw, trace),
            Sets::Step(subset) => self.subset(subset, state, draw, trace),
        }
    }

    /// Asks the subset that the criteria select, or what stands in for it.
    fn subsets(
        &self,
        subsets: &Subsets,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        if subsets.index.asks_again() {
            return self.one_of_subsets(subsets, state, draw, trace);
        }
        match subsets.first(self.plan.facts.criteria) {
            Some(subset) => {
                trace.step(|| self.subset_step(subset));
                self.subset(subset, state, draw, trace)
            }
            None => {
                trace.step(|| steps::no_subset(self.plan.owner, self.plan.facts.criteria));
                self.no_host(None)
            }
        }
    }

    /// Asks one subset after the other until one has a host.
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
            trace.step(|| steps::no_subset(self.plan.owner, self.plan.facts.criteria));
        }
        decision
    }

    fn subset_step(&self, subset: ChosenSubset) -> Step {
        let asked = (subset.choice, subset.reason);
        steps::subset(
            self.plan.owner,
            self.plan.plain,
            self.plan.facts.criteria,
            asked,
        )
    }

    fn subset(
        &self,
        subset: ChosenSubset,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        match self.plan.plain.asked(subset) {
            Asked::Set(asked) => self.set(asked, state, draw, trace),
            Asked::Host {
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
            Asked::Nobody => self.no_host(Some(subset)),
        }
    }

    /// Asks a set.
    fn set(
        &self,
        asked: AskedSet<'_>,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let hash = match self.plan.facts.key {
            None if self.plan.uses_table => Some(self.hash.unwrap_or_else(|| draw.draw())),
            key => key,
        };
        if !self.plan.facts.tried.is_empty() {
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
            let decision = self.attempt(asked, attempt, state, draw, trace);
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

    fn attempt(
        &self,
        asked: AskedSet<'_>,
        attempt: Attempt,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let priority = self.priority(asked, attempt.key, state, draw, trace);
        let host = self.host(asked, priority, attempt, state, draw);
        trace.step(|| {
            let by = match self.plan.facts.key {
                Some(_) => ChosenBy::SessionKey,
                None => ChosenBy::Policy(self.plan.plain.settings.policy.name()),
            };
            steps::host(
                self.plan.plain,
                asked.choice,
                &priority,
                host,
                (by, attempt.number),
            )
        });
        let subset = asked.reason.map(|reason| ChosenSubset {
            choice: asked.choice,
            reason,
        });
        self.found(subset, priority, host, attempt.key)
    }

    /// What a set answered; `key` is the draw that stood in for the request hash.
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
