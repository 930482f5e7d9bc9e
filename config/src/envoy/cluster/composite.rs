//! A composite cluster: the members that a request tries, attempt by attempt.

use alloc::vec::Vec;

use spillgate_core::model::CompositeCluster;

use crate::{
    envoy::{
        discovery::Members,
        schema::{COMPOSITE, COMPOSITE_ENTRY},
    },
    proto::{Any, Message, Report},
};

/// The feature with which an attempt goes on to the next members until one has a host; on by default.
const SKIPS: &str = "envoy.reloadable_features.composite_cluster_skip_clusters_without_hosts";

/// The members in `ClusterConfig`.
pub(crate) fn composite_members(any: Any<'_, '_>, report: &mut Report) -> Members {
    let mut members = Members::default();
    let Some(config) = any.open(&COMPOSITE, report) else {
        return members;
    };
    members.position = config.get("clusters").map(|node| node.position);
    let entries: Vec<_> = config.list("clusters", report).collect();
    if entries.is_empty() {
        report.push(config.error("clusters", "config/missing", "composite without members"));
    }
    for (path, node) in entries {
        let Some(entry) = Message::open(node, path, &COMPOSITE_ENTRY, report) else {
            continue;
        };
        if let Some(name) = entry.required_string("name", report) {
            members.names.push(name.into());
            members.positions.push(entry.position_of("name"));
        }
    }
    members
}

/// The cluster of these members.
pub(super) fn composite(members: Members, report: &Report) -> CompositeCluster {
    CompositeCluster {
        members: members.names,
        skips: report.runtime_flag(SKIPS) != Some(false),
    }
}
