//! An aggregate's choice of a member and one of its levels.

use alloc::format;

use super::{Undecided, chain};
use crate::{
    draw::Draw,
    load::HostClass,
    snapshot::{AggregateSnapshot, ClusterId},
    subset::ChosenSubset,
    trace::{Ground, Step, StepKind, Trace},
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
            trace.step(|| chain::told(at, index, verdict));
        })?;
        let by_hash = roll.is_some();
        let roll = roll.unwrap_or_else(|| draw.draw());
        let (chosen, class) = linearized.with_loads(facts, |loads| {
            let (at, class) = loads.choose(roll);
            let chosen = linearized.line.levels.get(at);
            trace.step(|| {
                let step = linearized
                    .step
                    .and_then(|step| snapshot.chain().get(step.step()?));
                let panic_threshold =
                    step.map_or(aggregate.panic_threshold, |step| step.panic_threshold);
                let name = chosen
                    .and_then(|level| snapshot.cluster(level.cluster))
                    .map_or("none", |cluster| cluster.name.as_str());
                Step {
                    kind: StepKind::Cluster,
                    what: match chosen {
                        Some(level) if by_hash => {
                            format!("{name}, its level {}, by the request hash", level.priority)
                        }
                        Some(level) => format!("{name}, its level {}", level.priority),
                        None => "no member has a host".into(),
                    },
                    values: [
                        ("roll", (roll % 100).into()),
                        ("line", at.into()),
                        ("healthy_load", loads.healthy.into()),
                        ("degraded_load", loads.degraded.into()),
                        ("panic_threshold", panic_threshold.percent().into()),
                        ("retry", loads.of_retry.into()),
                    ]
                    .into(),
                    ground: Ground::Members(self.request.cluster),
                }
            });
            (chosen, class)
        });
        let level = chosen?;
        Some(Member {
            id: level.cluster,
            priority: (level.priority, class),
            step: linearized.step,
        })
    }
}
