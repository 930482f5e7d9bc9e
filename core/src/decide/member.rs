//! The choice of a member cluster and its priority in an aggregate.

use super::{DecisionContext, steps};
use crate::{
    draw::Draw,
    load::HostClass,
    snapshot::{AggregateSnapshot, ClusterId},
    subset::ChosenSubset,
    trace::{ConfigRef, MemberChoice, NumberSource, PriorityRef, Step, StepData, Trace},
};

/// The choice of an aggregate.
pub(super) struct Member {
    pub(super) id: ClusterId,
    pub(super) priority: (usize, HostClass),
    /// The serving step of the subset fallback chain; the member's set has the same number.
    pub(super) step: Option<ChosenSubset>,
}

impl<H> DecisionContext<'_, H> {
    /// Chooses a linearized priority. The choice is random, as in Envoy, unless
    /// [`ClusterChoice::Hash`](super::ClusterChoice::Hash) or a session key applies.
    pub(super) fn choose_member(
        &self,
        aggregate: &AggregateSnapshot,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Option<Member> {
        let (snapshot, facts) = (self.snapshot, self.facts);
        let roll = facts.roll(self.hash);
        let serving = aggregate.serving_priorities(facts.criteria, |at, index, verdict| {
            trace.step(|| steps::chain_step(at, index, verdict));
        })?;
        let roll_from = match (roll, facts.key) {
            (None, _) => NumberSource::Random,
            (Some(_), Some(_)) => NumberSource::SessionKey,
            (Some(_), None) => NumberSource::RequestHash,
        };
        let roll = roll.unwrap_or_else(|| draw.draw());
        let (chosen, class) = serving.with_loads(facts, |loads| {
            let (at, class) = loads.choose(roll);
            let chosen = serving.linearized.priorities.get(at);
            trace.step(|| {
                let step = serving
                    .step
                    .and_then(|step| snapshot.chain().get(step.step()?));
                let panic_threshold =
                    step.map_or(aggregate.panic_threshold, |step| step.panic_threshold);
                Step {
                    data: StepData::Member(MemberChoice {
                        chosen: chosen.map(|priority| PriorityRef {
                            cluster: priority.cluster,
                            priority: priority.number,
                        }),
                        index: at,
                        roll: roll % 100,
                        roll_from,
                        healthy_load: loads.healthy.into(),
                        degraded_load: loads.degraded.into(),
                        panic_threshold: panic_threshold.percent(),
                        retry: loads.retry.map(steps::exclusion),
                    }),
                    config: ConfigRef::Members(self.request.cluster),
                }
            });
            (chosen, class)
        });
        let priority = chosen?;
        Some(Member {
            id: priority.cluster,
            priority: (priority.number, class),
            step: serving.step,
        })
    }
}
