//! A composite cluster: the members that a request tries, attempt by attempt.

use spillgate_core::model::CompositeCluster;

use crate::{envoy::discovery::Members, proto::Report};

/// The feature with which an attempt goes on to the next members until one has a host; on by default.
const SKIPS: &str = "envoy.reloadable_features.composite_cluster_skip_clusters_without_hosts";

/// The cluster of these members.
pub(super) fn composite(members: Members, report: &Report) -> CompositeCluster {
    CompositeCluster {
        members: members.names,
        skips: report.runtime_flag(SKIPS) != Some(false),
    }
}
