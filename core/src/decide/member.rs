//! An aggregate's choice of a member and one of its levels.

use super::{ChosenSubset, Facts, chain::choose_step, load::tried_line};
use crate::{
    draw::Draw,
    load::{HostClass, choose_priority},
    snapshot::{AggregateSnapshot, ClusterId, Snapshot},
    trace::{ConfigRef, MemberChoice, PriorityRef, Step, StepData, Trace},
};

/// What an aggregate chose.
pub(super) struct Member {
    pub(super) id: ClusterId,
    pub(super) level: (usize, HostClass),
    /// What the chain chose; the member's set has the same number.
    pub(super) asked: Option<ChosenSubset>,
}

/// The aggregate's own choice: in Envoy always random, never by the request hash. `roll` is what
/// the hash makes of itself where it shall decide.
pub(super) fn choose_member(
    snapshot: &Snapshot,
    (cluster, aggregate): (ClusterId, &AggregateSnapshot),
    facts: &Facts<'_>,
    roll: Option<u64>,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> Option<Member> {
    let (mut line, mut panic_threshold) = (&aggregate.line, aggregate.panic_threshold);
    let mut asked = None;
    if !aggregate.chain.is_empty() {
        let mut steps = aggregate.chain.iter().map(|step| &step.found);
        let chosen = choose_step(&mut steps, facts.criteria, trace)?;
        line = aggregate.line(chosen.choice)?;
        panic_threshold = snapshot.chain().get(chosen.step()?)?.panic_threshold;
        asked = Some(chosen);
    }
    let adjusted = tried_line(facts, line);
    let (healthy, degraded) = match &adjusted {
        Some(load) => (&load.healthy, &load.degraded),
        None => (&line.load.healthy, &line.load.degraded),
    };
    let by_hash = roll.is_some();
    let roll = roll.unwrap_or_else(|| draw.draw());
    let (at, class) = choose_priority(roll, healthy, degraded);
    let chosen = line.levels.get(at);
    trace.step(|| Step {
        data: StepData::Member(MemberChoice {
            chosen: chosen.map(|level| PriorityRef {
                cluster: level.cluster,
                priority: level.priority,
            }),
            place: at,
            roll: roll % 100,
            by_hash,
            healthy_load: healthy.clone(),
            degraded_load: degraded.clone(),
            panic_threshold: panic_threshold.percent(),
            retry: adjusted.is_some(),
        }),
        config: ConfigRef::Members(cluster),
    });
    let level = chosen?;
    Some(Member {
        id: level.cluster,
        level: (level.priority, class),
        asked,
    })
}
