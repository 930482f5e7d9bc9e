//! How a cluster finds its hosts: its discovery type, or its members.

use alloc::{format, string::String, vec::Vec};

use super::schema::{AGGREGATE, CUSTOM_CLUSTER_TYPE};
use crate::{
    Position,
    node::{NodeValue, quote},
    proto::{Any, Message, Report, field_of},
};

/// `Cluster.type`, and the equivalent custom types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Discovery {
    Static,
    StrictDns,
    LogicalDns,
    Eds,
    OriginalDst,
    Other,
}

const DISCOVERY: [(&str, i64, Discovery); 5] = [
    ("STATIC", 0, Discovery::Static),
    ("STRICT_DNS", 1, Discovery::StrictDns),
    ("LOGICAL_DNS", 2, Discovery::LogicalDns),
    ("EDS", 3, Discovery::Eds),
    ("ORIGINAL_DST", 4, Discovery::OriginalDst),
];

/// The code of limits about clusters whose hosts are not known.
pub(crate) const HOSTS_UNKNOWN: &str = "config/hosts-unknown";

/// The message type of an aggregate's config.
pub(crate) const AGGREGATE_TYPE: &str = "envoy.extensions.clusters.aggregate.v3.ClusterConfig";
/// The message type of a composite cluster's config.
pub(crate) const COMPOSITE_TYPE: &str = "envoy.extensions.clusters.composite.v3.ClusterConfig";
const DNS_TYPE: &str = "envoy.extensions.clusters.dns.v3.DnsCluster";

/// The members of an aggregate or composite cluster.
#[derive(Default)]
pub(crate) struct Members {
    pub(crate) names: Vec<String>,
    pub(crate) positions: Vec<Position>,
    pub(crate) position: Option<Position>,
}

/// The source of a cluster's hosts.
pub(crate) enum HostOrigin {
    /// Other clusters, by their health.
    Aggregate(Members),
    /// Other clusters, in the order of attempts.
    #[cfg(feature = "yaml")]
    Composite(Members),
    /// The cluster's own discovery.
    Own(Discovery),
}

impl HostOrigin {
    /// How the cluster finds its hosts; `None` if those are the hosts of other clusters.
    pub(crate) const fn discovery(&self) -> Option<Discovery> {
        match self {
            Self::Own(discovery) => Some(*discovery),
            Self::Aggregate(_) => None,
            #[cfg(feature = "yaml")]
            Self::Composite(_) => None,
        }
    }
}

/// Reads `type` and `cluster_type`.
pub(crate) fn read_origin(message: &Message<'_, '_>, report: &mut Report) -> HostOrigin {
    let discovery = message
        .enumeration("type", &DISCOVERY, report)
        .unwrap_or(Discovery::Static);
    let Some(custom) = message.message("cluster_type", &CUSTOM_CLUSTER_TYPE, report) else {
        return HostOrigin::Own(discovery);
    };
    let type_name = custom.required_string("name", report).unwrap_or_default();
    match custom.any("typed_config", report) {
        Some(any) if any.type_name == DNS_TYPE => HostOrigin::Own(dns(&any)),
        Some(any) if any.type_name == AGGREGATE_TYPE => {
            HostOrigin::Aggregate(aggregate_members(any, report))
        }
        #[cfg(feature = "yaml")]
        Some(any) if any.type_name == COMPOSITE_TYPE => {
            HostOrigin::Composite(composite_members(any, report))
        }
        _ => {
            let expected = match type_name {
                "envoy.clusters.aggregate" => Some(AGGREGATE_TYPE),
                "envoy.clusters.composite" => Some(COMPOSITE_TYPE),
                _ => None,
            };
            if let Some(expected) = expected {
                custom
                    .error(
                        "typed_config",
                        "config/type",
                        "not the configuration of this cluster type",
                    )
                    .expected(expected)
                    .push_to(report);
            }
            HostOrigin::Own(custom_discovery(message, type_name, report))
        }
    }
}

/// The members in the configuration of an aggregate.
fn aggregate_members(any: Any<'_, '_>, report: &mut Report) -> Members {
    let mut members = Members::default();
    let Some(config) = any.open(&AGGREGATE, report) else {
        return members;
    };
    members.position = config.get("clusters").map(|node| node.position);
    for node in config.strings("clusters", report) {
        if let NodeValue::String(name) = &node.value {
            members.names.push(name.as_ref().into());
            members.positions.push(node.position);
        }
    }
    if members.names.is_empty() {
        report.push(config.error("clusters", "config/missing", "aggregate without members"));
    }
    members
}

#[cfg(feature = "yaml")]
/// The members in the configuration of a composite cluster.
fn composite_members(any: Any<'_, '_>, report: &mut Report) -> Members {
    let mut members = Members::default();
    let Some(config) = any.open(&super::schema::COMPOSITE, report) else {
        return members;
    };
    members.position = config.get("clusters").map(|node| node.position);
    let entries: Vec<_> = config.list("clusters", report).collect();
    if entries.is_empty() {
        report.push(config.error("clusters", "config/missing", "composite without members"));
    }
    for (path, node) in entries {
        let Some(entry) = Message::open(node, path, &super::schema::COMPOSITE_ENTRY, report) else {
            continue;
        };
        if let Some(name) = entry.required_string("name", report) {
            members.names.push(name.into());
            members.positions.push(entry.position_of("name"));
        }
    }
    members
}

/// Whether all addresses of the name are one host; other fields are not read.
fn dns(any: &Any<'_, '_>) -> Discovery {
    match field_of(any.node, "all_addresses_in_single_endpoint").map(|node| &node.value) {
        Some(NodeValue::Bool(true)) => Discovery::LogicalDns,
        _ => Discovery::StrictDns,
    }
}

/// A `LOGICAL_DNS` cluster has exactly one name.
pub(crate) fn check_single_endpoint(assignment: &Message<'_, '_>, report: &mut Report) {
    let mut endpoints = 0;
    let mut localities = 0;
    for (_, node) in assignment.list("endpoints", report) {
        localities += 1;
        endpoints += match field_of(node, "lb_endpoints") {
            Some(node) => match &node.value {
                NodeValue::List(items) => items.len(),
                _ => 1,
            },
            None => 0,
        };
    }
    if (localities, endpoints) != (1, 1) {
        assignment
            .error(
                "endpoints",
                "config/logical-dns",
                "a LOGICAL_DNS cluster requires exactly one endpoint",
            )
            .expected("one locality with one endpoint")
            .push_to(report);
    }
}

fn custom_discovery(message: &Message<'_, '_>, name: &str, report: &mut Report) -> Discovery {
    match name {
        "envoy.cluster.static" => Discovery::Static,
        "envoy.cluster.strict_dns" => Discovery::StrictDns,
        "envoy.cluster.logical_dns" => Discovery::LogicalDns,
        "envoy.clusters.dns" | "envoy.cluster.dns" => Discovery::StrictDns,
        "envoy.cluster.eds" => Discovery::Eds,
        "envoy.cluster.original_dst" => Discovery::OriginalDst,
        _ => {
            let path = message.path.field("cluster_type");
            let what = format!(
                "cluster type {} is not modeled; its hosts are not known from the configuration",
                quote(name)
            );
            let position = message.position_of("cluster_type");
            report.limit(HOSTS_UNKNOWN, what, &path, position);
            Discovery::Other
        }
    }
}
