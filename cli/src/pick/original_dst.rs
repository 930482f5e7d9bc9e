//! Requests whose host is the original destination of their connection.

use spillgate_core::{
    decide::original_destination,
    route::{Connection, Destination, Headers, Routed},
    snapshot::{ClusterId, ClusterSnapshotKind, Snapshot},
};

use super::PickRequest;

/// The `ORIGINAL_DST` cluster of a destination, if the request does not state the destination of its
/// connection and no header has one.
pub(crate) fn unstated<'r, H: Headers>(
    snapshot: &Snapshot,
    request: &PickRequest,
    routed: &Routed<'r, H>,
    to: &Destination<'r>,
) -> Option<ClusterId> {
    if request.given.local || !request.given.restored {
        return None;
    }
    let id = snapshot.cluster_id(to.cluster?)?;
    let ClusterSnapshotKind::OriginalDst(original) = &snapshot.cluster(id)?.kind else {
        return None;
    };
    let none = Connection::default();
    let named = original_destination(original, &routed.headers(to), &none);
    named.is_none().then_some(id)
}

/// The host that a request for an `ORIGINAL_DST` cluster names.
pub(crate) fn original_host<'r, H: Headers>(
    snapshot: &Snapshot,
    cluster: ClusterId,
    routed: &Routed<'r, H>,
    to: &Destination<'r>,
) -> Option<String> {
    match &snapshot.cluster(cluster)?.kind {
        ClusterSnapshotKind::OriginalDst(original) => {
            original_destination(original, &routed.headers(to), &routed.connection)
        }
        ClusterSnapshotKind::Plain(_)
        | ClusterSnapshotKind::Aggregate(_)
        | ClusterSnapshotKind::Composite(_) => None,
    }
}
