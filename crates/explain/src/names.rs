//! The names of clusters, hosts and priorities.

use alloc::{format, string::String};

use spillgate_core::{
    snapshot::{ClusterId, HostRef, Snapshot},
    trace::PriorityRef,
};

/// The name of a cluster; empty if the snapshot has no such cluster.
#[must_use]
pub fn cluster_name(snapshot: &Snapshot, cluster: ClusterId) -> &str {
    snapshot
        .cluster(cluster)
        .map_or("", |cluster| cluster.name.as_str())
}

/// The address of a host, `ip:port`; empty if the snapshot has no such host.
#[must_use]
pub fn host_address(snapshot: &Snapshot, host: HostRef) -> &str {
    snapshot
        .endpoint(host)
        .map_or("", |endpoint| endpoint.address.as_str())
}

/// `P0`, or `member P0` for a priority of another cluster than the one in question.
#[must_use]
pub fn priority_name(snapshot: &Snapshot, of: ClusterId, at: PriorityRef) -> String {
    let PriorityRef { cluster, priority } = at;
    if cluster == of {
        format!("P{priority}")
    } else {
        format!("{} P{priority}", cluster_name(snapshot, cluster))
    }
}
