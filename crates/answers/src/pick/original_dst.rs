//! Requests whose host is the original destination of their connection.

use spillgate_core::{
    decide::{OverrideRequest, original_destination},
    route::{Connection, Destination, Headers, Routed},
    snapshot::{ClusterId, ClusterSnapshotKind, Snapshot},
};

use super::PickRequest;
use crate::unknown::{DESTINATION_UNKNOWN, SESSION_UNKNOWN};

/// The `ORIGINAL_DST` cluster of a destination and the reason, if the host of this attempt is not known:
/// the request does not state the destination of its connection and no header has one, or its session
/// names another host, which the cluster has only if an earlier request went there.
pub fn unknown_original_host<'r, H: Headers>(
    snapshot: &Snapshot,
    request: &PickRequest,
    routed: &Routed<'r, H>,
    to: &Destination<'r>,
    (attempt, now): (u32, u64),
) -> Option<(ClusterId, &'static str)> {
    let id = snapshot.cluster_id(to.cluster?)?;
    let ClusterSnapshotKind::OriginalDst(original) = &snapshot.cluster(id)?.kind else {
        return None;
    };
    let is_given = request.given.local || !request.given.restored;
    let none = Connection::default();
    let connection = if is_given { &routed.connection } else { &none };
    let named = original_destination(original, &routed.headers(to), connection);
    // Retries ignore the session.
    if attempt == 0 {
        let request = OverrideRequest {
            sessions: routed.sessions(to, now),
            listed: Vec::new(),
        };
        if let Some(session) = request.session()
            && (session.strict || named.as_ref() != Some(&session.address))
        {
            return Some((id, SESSION_UNKNOWN));
        }
    }
    (named.is_none() && !is_given).then_some((id, DESTINATION_UNKNOWN))
}

/// The host that a request for an `ORIGINAL_DST` cluster names.
pub fn original_host<'r, H: Headers>(
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
