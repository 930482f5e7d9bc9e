//! The share of a member in its aggregate.

use alloc::{format, string::String, vec::Vec};

use super::{
    LevelRef, Subject, Why,
    level::{Line, percent},
};
use crate::snapshot::{AggregateSnapshot, ClusterId, Kind, Snapshot};

/// Why a member of an aggregate gets its share: the sum of the loads of its levels.
///
/// `None` when `aggregate` is no aggregate or has no level of `member`.
#[must_use]
pub fn why_cluster(snapshot: &Snapshot, aggregate: ClusterId, member: ClusterId) -> Option<Why> {
    let compiled = compiled(snapshot, aggregate)?;
    let lines = || {
        let levels = compiled.line.levels.iter().enumerate();
        levels.filter(|(_, level)| level.cluster == member)
    };
    let causes: Vec<Why> = lines()
        .filter_map(|(line, _)| why_line_level(snapshot, aggregate, line))
        .collect();
    if causes.is_empty() {
        return None;
    }
    let loads: Vec<u32> = lines()
        .map(|(line, _)| compiled.line.load.of_level(line))
        .collect();
    let parts: Vec<String> = loads.iter().map(|load| format!("{load}")).collect();
    Some(Why::of(
        Subject::ClusterShare { aggregate, member },
        percent(loads.iter().sum()),
        parts.join(" + "),
        causes,
    ))
}

/// Why a level in the line of an aggregate gets its load.
#[must_use]
pub fn why_line_level(snapshot: &Snapshot, aggregate: ClusterId, line: usize) -> Option<Why> {
    let compiled = compiled(snapshot, aggregate)?;
    let names: Vec<LevelRef> = compiled
        .line
        .levels
        .iter()
        .map(|level| LevelRef {
            cluster: level.cluster,
            priority: level.priority,
        })
        .collect();
    Line {
        owner: aggregate,
        threshold: compiled.panic_threshold,
        health: &compiled.line.health,
        names: &names,
        load: &compiled.line.load,
    }
    .load(line)
    .map(|why| Why {
        subject: Subject::LineLoad { aggregate, line },
        ..why
    })
}

fn compiled(snapshot: &Snapshot, aggregate: ClusterId) -> Option<&AggregateSnapshot> {
    match &snapshot.cluster(aggregate)?.kind {
        Kind::Aggregate(compiled) => Some(compiled),
        Kind::Plain(_) | Kind::OriginalDst(_) => None,
    }
}
