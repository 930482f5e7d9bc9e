//! Run-time hosts: the output of `/clusters?format=json` and of `istioctl proxy-config endpoints`.

use super::{Part, Parts};
use crate::{node::Node, proto::field_of};

/// `{"cluster_statuses": [...]}`.
pub(super) fn open<'n, 'a>(part: &Part<'n, 'a>) -> Option<Parts<'n, 'a>> {
    part.field("cluster_statuses")?.items()
}

/// Whether a message is a `ClusterStatus`.
pub(in crate::envoy::document) fn is_status(node: &Node<'_>) -> bool {
    let has = |field| field_of(node, field).is_some();
    has("host_statuses") || (has("name") && has("added_via_api"))
}
