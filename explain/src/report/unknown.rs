//! Clusters whose hosts are not known, and which answers depend on them.

use spillgate_core::snapshot::{ClusterId, ClusterSnapshotKind, Snapshot};

/// The attempts of requests that an answer is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoveredAttempts {
    /// The first: loads decide between the members of an aggregate.
    First,
    /// Any: a retry, or a loss of hosts, can reach every member of an aggregate.
    Any,
}

/// The cluster with unknown hosts that requests of `cluster` can reach: itself, or a member of an
/// aggregate. In the snapshot, clusters with unknown hosts have none.
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
    let found = snapshot.cluster(cluster)?;
    let ClusterSnapshotKind::Aggregate(aggregate) = &found.kind else {
        return is_unknown(&found.name).then_some(&*found.name);
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
        let own = priorities.zip(&aggregate.linearized.health);
        let own = own.filter(|(priority, _)| priority.cluster == member);
        let own = own.map(|(_, health)| health.availability().healthy);
        available += own.sum::<u32>();
    }
    None
}
