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
    // Clusters without hosts have one of the others.
    let own = ["added_via_api", "observability_name", "eds_service_name"];
    has("host_statuses") || has("name") && own.into_iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::read_json;

    #[test]
    fn a_status_without_hosts_is_no_cluster() {
        let is = |text: &str| is_status(&read_json(text).expect("JSON").roots[0]);
        assert!(is(r#"{"name": "a", "observability_name": "a"}"#));
        assert!(is(r#"{"name": "a", "added_via_api": true}"#));
        assert!(!is(r#"{"name": "a", "type": "STATIC"}"#));
    }
}
