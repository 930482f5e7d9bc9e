//! Clusters whose hosts are not known, and which answers depend on them.

use spillgate_core::snapshot::{ClusterId, ClusterSnapshotKind, CompositeSnapshot, Snapshot};

/// The attempts of requests that an answer is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoveredAttempts {
    /// The first: loads decide between the members of an aggregate.
    First,
    /// Any: a retry, or a loss of hosts, can reach every member of an aggregate.
    Any,
}

/// The cluster with unknown hosts that requests of `cluster` can reach: itself, or a member of an
/// aggregate or composite cluster. In the snapshot, clusters with unknown hosts have none.
///
/// A member is not reached if the healthy hosts of the members before it take all requests,
/// whatever hosts it has.
#[must_use]
pub fn reached_unknown(
    snapshot: &Snapshot,
    cluster: ClusterId,
    attempts: CoveredAttempts,
    is_unknown: impl Fn(&str) -> bool,
) -> Option<&str> {
    reached(snapshot, cluster, attempts, &is_unknown)
}

fn reached<'s>(
    snapshot: &'s Snapshot,
    cluster: ClusterId,
    attempts: CoveredAttempts,
    is_unknown: &dyn Fn(&str) -> bool,
) -> Option<&'s str> {
    let found = snapshot.cluster(cluster)?;
    let aggregate = match &found.kind {
        ClusterSnapshotKind::Aggregate(aggregate) => aggregate,
        ClusterSnapshotKind::Composite(composite) => {
            return of_composite(snapshot, composite, attempts, is_unknown);
        }
        ClusterSnapshotKind::Plain(_) | ClusterSnapshotKind::OriginalDst(_) => {
            return is_unknown(&found.name).then_some(&*found.name);
        }
    };
    // The availability of the priorities of the members so far, in percent.
    let mut available = 0;
    for &member in &aggregate.members {
        let name = snapshot.cluster(member)?.name.as_str();
        if is_unknown(name) {
            let enough = available >= 100 && aggregate.chain.is_empty();
            return (attempts == CoveredAttempts::Any || !enough).then_some(name);
        }
        let priorities = aggregate.linearized.priorities.iter();
        let own = priorities
            .zip(&aggregate.linearized.health)
            .filter(|(priority, _)| priority.cluster == member)
            .map(|(_, health)| health.availability().healthy);
        available += own.sum::<u32>();
    }
    None
}

/// The first member that an attempt may ask. A member whose hosts are known and take every request
/// ends the search for first attempts.
fn of_composite<'s>(
    snapshot: &'s Snapshot,
    composite: &CompositeSnapshot,
    attempts: CoveredAttempts,
    is_unknown: &dyn Fn(&str) -> bool,
) -> Option<&'s str> {
    let most = match attempts {
        CoveredAttempts::First if !composite.skips => 1,
        CoveredAttempts::First | CoveredAttempts::Any => composite.members.len(),
    };
    for member in composite.members.iter().take(most).flatten() {
        let found = snapshot.cluster(*member)?;
        // Its hosts depend on the request.
        if matches!(found.kind, ClusterSnapshotKind::OriginalDst(_)) {
            return Some(&found.name);
        }
        let found = reached(snapshot, *member, attempts, is_unknown);
        let serves = || snapshot.distribution(*member, None).no_host <= 0.0;
        if found.is_some() || (attempts == CoveredAttempts::First && serves()) {
            return found;
        }
    }
    None
}
