//! Hosts that service discovery removed and that health checks keep.

use alloc::format;

use spillgate_core::model::{CoarseHealth, PlainCluster};

use crate::{Diagnostic, envoy::marks::ClusterMarks, node::quote};

/// A warning that names such hosts, at the cluster that could set `ignore_health_on_host_removal`.
pub(crate) fn removed_hosts(
    name: &str,
    plain: &PlainCluster,
    marks: Option<&ClusterMarks>,
) -> Option<Diagnostic> {
    let hosts = plain.priorities.iter().flat_map(|of| &of.endpoints);
    let removed = hosts.filter(|host| host.health.flags.pending_dynamic_removal);
    let in_use = removed.filter(|host| host.health.coarse() != CoarseHealth::Unhealthy);
    let count = in_use.count();
    let (are, they) = match count {
        0 => return None,
        1 => (
            "host is removed and stays",
            "its active health check passes",
        ),
        _ => (
            "hosts are removed and stay",
            "their active health checks pass",
        ),
    };
    let what =
        format!("{count} {are} in use, because {they}; ignore_health_on_host_removal is not set");
    let warning = Diagnostic::warning("clusters/removed-hosts", what).found(quote(name));
    Some(match marks {
        Some(marks) => warning.at("", marks.cluster),
        None => warning,
    })
}
