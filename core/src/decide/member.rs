//! An aggregate's choice of a member and one of its priorities.

use super::{Undecided, steps};
use crate::{
    draw::Draw,
    load::HostClass,
    snapshot::{AggregateSnapshot, ClusterId},
    subset::ChosenSubset,
    trace::{ConfigRef, MemberChoice, PriorityRef, Step, StepData, Trace},
};

/// What an aggregate chose.
pub(super) struct Member {
    pub(super) id: ClusterId,
    pub(super) priority: (usize, HostClass),
    /// The step of the chain that serves; the member's set has the same number.
    pub(super) step: Option<ChosenSubset>,
}

impl<H> Undecided<'_, H> {
    /// The aggregate's own choice: in Envoy always random; by the request hash only where that is
    /// asked for.
    pub(super) fn choose_member(
        &self,
        aggregate: &AggregateSnapshot,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Option<Member> {
        let (snapshot, facts) = (self.snapshot, self.facts);
        let roll = facts.roll(self.hash);
        let linearized = aggregate.linearized(facts.criteria, |at, index, verdict| {
            trace.step(|| steps::chain_step(at, index, verdict));
        })?;
        let by_hash = roll.is_some();
        let roll = roll.unwrap_or_else(|| draw.draw());
        let (chosen, class) = linearized.with_loads(facts, |loads| {
            let (at, class) = loads.choose(roll);
            let chosen = linearized.line.priorities.get(at);
            trace.step(|| {
                let step = linearized
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
                        place: at,
                        roll: roll % 100,
                        by_hash,
                        healthy_load: loads.healthy.into(),
                        degraded_load: loads.degraded.into(),
                        panic_threshold: panic_threshold.percent(),
                        retry: loads.of_retry,
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
            step: linearized.step,
        })
    }
}
