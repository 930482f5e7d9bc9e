//! An aggregate's choice of a member and one of its levels.

use alloc::format;

use super::{Facts, load::tried_line};
use crate::{
    draw::Draw,
    load::{HostClass, choose_priority},
    snapshot::{AggregateSnapshot, ClusterId, Snapshot},
    trace::{Ground, Step, StepKind, Trace},
};

/// The aggregate's own choice: always random, never by the request hash.
pub(super) fn choose_member(
    snapshot: &Snapshot,
    (cluster, aggregate): (ClusterId, &AggregateSnapshot),
    facts: &Facts<'_>,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> Option<(ClusterId, usize, HostClass)> {
    let line = &aggregate.line;
    let adjusted = tried_line(facts, line);
    let (healthy, degraded) = match &adjusted {
        Some(load) => (&load.healthy, &load.degraded),
        None => (&line.load.healthy, &line.load.degraded),
    };
    let roll = draw.draw();
    let (at, class) = choose_priority(roll, healthy, degraded);
    let chosen = line.levels.get(at);
    trace.step(|| {
        let name = chosen
            .and_then(|level| snapshot.cluster(level.cluster))
            .map_or("none", |cluster| cluster.name.as_str());
        Step {
            kind: StepKind::Cluster,
            what: match chosen {
                Some(level) => format!("{name}, its level {}", level.priority),
                None => "no member has a host".into(),
            },
            values: [
                ("roll", (roll % 100).into()),
                ("line", at.into()),
                ("healthy_load", healthy.as_slice().into()),
                ("degraded_load", degraded.as_slice().into()),
                (
                    "panic_threshold",
                    aggregate.panic_threshold.percent().into(),
                ),
                ("retry", adjusted.is_some().into()),
            ]
            .into(),
            ground: Ground::Members(cluster),
        }
    });
    let level = chosen?;
    Some((level.cluster, level.priority, class))
}
