//! How a cluster finds its hosts: by itself, or as an aggregate of others.

use alloc::{string::String, vec::Vec};

use super::schema::{AGGREGATE, CUSTOM_CLUSTER_TYPE};
use crate::{
    Position,
    node::Value,
    proto::{Message, Report},
};

/// `Cluster.type`, and the custom types that mean the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Discovery {
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

const AGGREGATE_TYPE: &str = "envoy.extensions.clusters.aggregate.v3.ClusterConfig";

/// The members of an aggregate.
pub(super) struct Members {
    pub(super) names: Vec<String>,
    pub(super) positions: Vec<Position>,
    pub(super) position: Option<Position>,
}

/// The members if this is an aggregate, or else how the cluster finds its hosts.
pub(super) fn aggregate_members(
    message: &Message<'_, '_>,
    report: &mut Report,
) -> Result<Members, Discovery> {
    let discovery = message
        .enumeration("type", &DISCOVERY, report)
        .unwrap_or(Discovery::Static);
    let custom = message
        .message("cluster_type", &CUSTOM_CLUSTER_TYPE, report)
        .ok_or(discovery)?;
    let type_name = custom.required_string("name", report).unwrap_or_default();
    let any = custom.any("typed_config", report);
    let Some(any) = any.filter(|any| any.type_name == AGGREGATE_TYPE) else {
        if type_name == "envoy.clusters.aggregate" {
            report.push(
                custom
                    .error(
                        "typed_config",
                        "config/type",
                        "not the config of an aggregate cluster",
                    )
                    .expected(AGGREGATE_TYPE),
            );
        }
        return Err(custom_discovery(message, type_name, report));
    };
    let mut members = Members {
        names: Vec::new(),
        positions: Vec::new(),
        position: None,
    };
    let Some(config) = any.open(&AGGREGATE, report) else {
        return Ok(members);
    };
    members.position = config.get("clusters").map(|node| node.position);
    for node in config.strings("clusters", report) {
        if let Value::String(name) = &node.value {
            members.names.push(name.as_ref().into());
            members.positions.push(node.position);
        }
    }
    if members.names.is_empty() {
        report.push(config.error("clusters", "config/missing", "an aggregate without members"));
    }
    Ok(members)
}

fn custom_discovery(message: &Message<'_, '_>, name: &str, report: &mut Report) -> Discovery {
    match name {
        "envoy.cluster.static" => Discovery::Static,
        "envoy.cluster.strict_dns" => Discovery::StrictDns,
        "envoy.cluster.logical_dns" | "envoy.clusters.dns" | "envoy.cluster.dns" => {
            Discovery::LogicalDns
        }
        "envoy.cluster.eds" => Discovery::Eds,
        _ => {
            let path = message.path.field("cluster_type");
            report.unmodelled("cluster_type", &path, message.position_of("cluster_type"));
            Discovery::Other
        }
    }
}
