//! The chain step that retries of a decision go on to (`retry: next_step`), and its hosts.

use alloc::vec::Vec;

use crate::{
    model::Metadata,
    snapshot::{ClusterId, ClusterSnapshotKind, HostList, Snapshot},
    subset::{ChosenSubset, SetChoice, StepIndex, Verdict},
};

/// The step that would serve in the cluster if the chosen one did not; `None` if retries stay in the step, or
/// if no later step serves.
#[inline(always)]
pub(super) fn after(
    snapshot: &Snapshot,
    cluster: ClusterId,
    chosen: Option<ChosenSubset>,
    criteria: &Metadata,
) -> Option<SetChoice> {
    after_step(snapshot, cluster, chosen?.step()?, criteria)
}

/// A separate function, so that a request without a chain does not pay for it.
#[cold]
#[inline(never)]
fn after_step(
    snapshot: &Snapshot,
    cluster: ClusterId,
    at: usize,
    criteria: &Metadata,
) -> Option<SetChoice> {
    match &snapshot.cluster(cluster)?.kind {
        ClusterSnapshotKind::Plain(plain) => {
            let steps = plain.chain.iter().map(|step| &step.found);
            serving_after(steps, at, criteria)
        }
        ClusterSnapshotKind::Aggregate(aggregate) => {
            let steps = aggregate.chain.iter().map(|step| &step.found);
            serving_after(steps, at, criteria)
        }
        _ => None,
    }
}

fn serving_after<'a>(
    mut steps: impl Iterator<Item = &'a StepIndex>,
    at: usize,
    criteria: &Metadata,
) -> Option<SetChoice> {
    if !steps.nth(at)?.step.retry_next_step {
        return None;
    }
    for (later, index) in steps.enumerate() {
        if let Verdict::Serves { set, .. } = index.verdict(criteria) {
            let step = at + 1 + later;
            return Some(SetChoice::Step { step, set });
        }
    }
    None
}

/// The hosts of a list that are not in another one. Both are sorted.
pub(super) fn outside(list: HostList<'_>, of: HostList<'_>) -> Vec<usize> {
    let (mut found, mut at) = (Vec::new(), 0);
    for host in list.iter() {
        while of.get(at).is_some_and(|other| other < host) {
            at += 1;
        }
        if of.get(at) != Some(host) {
            found.push(host);
        }
    }
    found
}
