//! The share of a member in its aggregate.

use alloc::vec::Vec;

use super::{
    Expr, Formula, Subject, Why,
    priority::{Priorities, percent},
};
use crate::{
    snapshot::{AggregateSnapshot, ClusterId, ClusterSnapshotKind, Snapshot},
    trace::PriorityRef,
};

/// Why a member of an aggregate gets its share: the sum of the loads of its priorities.
///
/// `None` if `aggregate` is no aggregate or has no priority of `member`.
#[must_use]
pub fn why_member(snapshot: &Snapshot, aggregate: ClusterId, member: ClusterId) -> Option<Why> {
    let compiled = compiled(snapshot, aggregate)?;
    let priorities = compiled.line.priorities.iter().enumerate();
    let places = priorities.filter(|(_, priority)| priority.cluster == member);
    let places: Vec<usize> = places.map(|(place, _)| place).collect();
    let causes: Vec<Why> = places
        .iter()
        .filter_map(|&place| why_linearized(snapshot, aggregate, place))
        .collect();
    if causes.is_empty() {
        return None;
    }
    let loads = places
        .iter()
        .map(|&place| compiled.line.load.of_priority(place));
    let loads: Vec<u32> = loads.collect();
    let expr = Expr::Sum(loads.iter().copied().map(Expr::number).collect());
    Some(Why::of(
        Subject::MemberShare { aggregate, member },
        percent(loads.iter().sum()),
        Formula::of(expr),
        causes,
    ))
}

/// Why a linearized priority of an aggregate gets its load.
#[must_use]
pub fn why_linearized(snapshot: &Snapshot, aggregate: ClusterId, place: usize) -> Option<Why> {
    let compiled = compiled(snapshot, aggregate)?;
    let names = compiled.line.priorities.iter().map(|priority| PriorityRef {
        cluster: priority.cluster,
        priority: priority.number,
    });
    let names: Vec<PriorityRef> = names.collect();
    let why = Priorities {
        owner: aggregate,
        threshold: compiled.panic_threshold,
        health: &compiled.line.health,
        names: &names,
        load: &compiled.line.load,
    }
    .load(place)?;
    Some(Why {
        subject: Subject::LinearizedLoad {
            aggregate,
            priority: *names.get(place)?,
        },
        ..why
    })
}

fn compiled(snapshot: &Snapshot, aggregate: ClusterId) -> Option<&AggregateSnapshot> {
    match &snapshot.cluster(aggregate)?.kind {
        ClusterSnapshotKind::Aggregate(compiled) => Some(compiled),
        ClusterSnapshotKind::Plain(_) | ClusterSnapshotKind::OriginalDst(_) => None,
    }
}
