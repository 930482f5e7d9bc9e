//! The chain step that retries of a decision go on to (`retry: next_step`), and its hosts.

use alloc::vec::Vec;

use crate::{
    model::Metadata,
    snapshot::{ClusterId, ClusterSnapshotKind, HostList, Snapshot},
    subset::{ChosenSubset, SetChoice, Verdict},
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
    let kind = &snapshot.cluster(cluster)?.kind;
    let found = |at: usize| match kind {
        ClusterSnapshotKind::Plain(plain) => plain.chain.get(at).map(|step| &step.found),
        ClusterSnapshotKind::Aggregate(aggregate) => {
            aggregate.chain.get(at).map(|step| &step.found)
        }
        _ => None,
    };
    if !found(at)?.step.retry_next_step {
        return None;
    }
    let mut step = at;
    loop {
        step += 1;
        if let Verdict::Serves { set, .. } = found(step)?.verdict(criteria) {
            return Some(SetChoice::Step { step, set });
        }
    }
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
