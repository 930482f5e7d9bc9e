//! The share of a member in an aggregate cluster.

use alloc::vec::Vec;

use super::{
    Expr, Formula, Subject, Why,
    priority::{Priorities, load_of, percent},
};
use crate::{
    snapshot::{AggregateSnapshot, ClusterId, ClusterSnapshotKind, Snapshot},
    trace::{PriorityRef, RetryExclusion},
};

/// Explains the share of a member in an aggregate: the sum of the loads of its linearized
/// priorities.
///
/// `None` if `aggregate` is not an aggregate cluster or has no priority of `member`.
#[must_use]
pub fn explain_member_share(
    snapshot: &Snapshot,
    aggregate: ClusterId,
    member: ClusterId,
) -> Option<Why> {
    let compiled = compiled(snapshot, aggregate)?;
    let priorities = compiled.linearized.priorities.iter().enumerate();
    let indices = priorities.filter(|(_, priority)| priority.cluster == member);
    let indices: Vec<usize> = indices.map(|(index, _)| index).collect();
    let causes: Vec<Why> = indices
        .iter()
        .filter_map(|&index| why_linearized(snapshot, aggregate, index))
        .collect();
    if causes.is_empty() {
        return None;
    }
    let loads = indices
        .iter()
        .map(|&index| compiled.linearized.load.of_priority(index));
    let loads: Vec<u32> = loads.collect();
    let expr = Expr::Sum(loads.iter().copied().map(Expr::number).collect());
    Some(Why::of(
        Subject::MemberShare { aggregate, member },
        percent(loads.iter().sum()),
        Formula::of(expr),
        causes,
    ))
}

/// Explains the load of a linearized priority of an aggregate, by its index in
/// [`AggregateLoad::priorities`](crate::load::AggregateLoad::priorities).
#[must_use]
pub fn why_linearized(snapshot: &Snapshot, aggregate: ClusterId, index: usize) -> Option<Why> {
    why_linearized_in(snapshot, aggregate, index, None)
}

/// As [`why_linearized`], for a retry that avoids these linearized priorities.
#[must_use]
pub fn why_linearized_in(
    snapshot: &Snapshot,
    aggregate: ClusterId,
    index: usize,
    retry: Option<&RetryExclusion>,
) -> Option<Why> {
    let compiled = compiled(snapshot, aggregate)?;
    let names = compiled
        .linearized
        .priorities
        .iter()
        .map(|priority| PriorityRef {
            cluster: priority.cluster,
            priority: priority.number,
        });
    let names: Vec<PriorityRef> = names.collect();
    let why = Priorities {
        owner: aggregate,
        threshold: compiled.panic_threshold,
        health: &compiled.linearized.health,
        names: &names,
        load: &load_of(&compiled.linearized.load, retry),
        retry,
    }
    .load(index)?;
    Some(Why {
        subject: Subject::LinearizedLoad {
            aggregate,
            priority: *names.get(index)?,
        },
        ..why
    })
}

fn compiled(snapshot: &Snapshot, aggregate: ClusterId) -> Option<&AggregateSnapshot> {
    match &snapshot.cluster(aggregate)?.kind {
        ClusterSnapshotKind::Aggregate(compiled) => Some(compiled),
        ClusterSnapshotKind::Plain(_)
        | ClusterSnapshotKind::Composite(_)
        | ClusterSnapshotKind::OriginalDst(_) => None,
    }
}
