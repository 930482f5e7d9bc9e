//! A cluster as gRPC reads it (CDS).

use spillgate_config::node::Node;
use spillgate_grpc::shares::FieldErrors;

use super::{
    messages::{inside, name_of, type_of},
    policy::{ReadPolicy, read_policy},
};

const TYPES: [&str; 5] = ["STATIC", "STRICT_DNS", "LOGICAL_DNS", "EDS", "ORIGINAL_DST"];
const AGGREGATE: &str = "envoy.extensions.clusters.aggregate.v3.ClusterConfig";
const TLS: &str = "envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext";

/// A cluster.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ReadCluster {
    /// The errors for which gRPC rejects it.
    pub(super) errors: FieldErrors,
    /// Its policy; `None` after an error.
    pub(super) policy: Option<ReadPolicy>,
    /// Whether it has the addresses of a DNS name as hosts.
    pub(super) logical_dns: bool,
    /// What the answer assumes.
    pub(super) notes: Vec<String>,
}

/// Reads a cluster. `is_static`: it is part of a bootstrap, whose clusters no gRPC client receives; they
/// are read as if a control plane sent them with their endpoints.
pub(super) fn read_cluster(cluster: &Node<'_>, is_static: bool) -> ReadCluster {
    let mut read = ReadCluster::default();
    discovery(cluster, is_static, &mut read);
    read.policy = read_policy(cluster, &mut read.errors);
    if names_least_request(cluster) {
        read.notes.push(
            "gRPC's Java and Go clients can have LEAST_REQUEST (A48); here, it is the client of gRPC 1.85 in C++ \
             and Python, which does not"
                .into(),
        );
    }
    if let Some(config) = inside(cluster, &["transport_socket", "typed_config"]) {
        match type_of(config) {
            Some(TLS) => read.notes.push(
                "the TLS settings of the cluster are not checked against those that gRPC supports"
                    .into(),
            ),
            _ => read.errors.add(
                "transport_socket.typed_config.type_url",
                "unsupported transport socket type",
            ),
        }
    }
    if let Some(server) = inside(cluster, &["lrs_server"])
        && inside(server, &["self"]).is_none()
    {
        read.errors.add("lrs_server", "ConfigSource is not self");
    }
    read
}

/// Whether `lb_policy` is LEAST_REQUEST and applies.
fn names_least_request(cluster: &Node<'_>) -> bool {
    let named = inside(cluster, &["lb_policy"])
        .and_then(|node| name_of(node, &["ROUND_ROBIN", "LEAST_REQUEST"]));
    named == Some("LEAST_REQUEST") && inside(cluster, &["load_balancing_policy"]).is_none()
}

fn discovery(cluster: &Node<'_>, is_static: bool, read: &mut ReadCluster) {
    if let Some(custom) = inside(cluster, &["cluster_type"]) {
        let name = inside(custom, &["typed_config"]).and_then(type_of);
        match name {
            Some(AGGREGATE) => {}
            None => {
                let field = "cluster_type.typed_config";
                read.errors.add(field, "field not present");
            }
            Some(name) => read.errors.add(
                "cluster_type.typed_config.type_url",
                format!("unknown cluster_type extension: {name}"),
            ),
        }
        return;
    }
    let stated = inside(cluster, &["type"]);
    match stated.map_or(Some("STATIC"), |node| name_of(node, &TYPES)) {
        Some("EDS") => {
            let config = inside(cluster, &["eds_cluster_config", "eds_config"]);
            let supported = |config: &Node<'_>| {
                inside(config, &["ads"]).is_some() || inside(config, &["self"]).is_some()
            };
            if config.is_some_and(supported) {
                return;
            }
            if is_static {
                read.notes.push(assumed("EDS without ads or self"));
                return;
            }
            let (field, error) = match (inside(cluster, &["eds_cluster_config"]), config) {
                (None, _) => ("eds_cluster_config", "field not present"),
                (_, None) => ("eds_cluster_config.eds_config", "field not present"),
                _ => (
                    "eds_cluster_config.eds_config",
                    "ConfigSource is not ads or self",
                ),
            };
            read.errors.add(field, error);
        }
        Some("LOGICAL_DNS") => read.logical_dns = true,
        Some(kind @ ("STATIC" | "STRICT_DNS")) if is_static => read.notes.push(assumed(kind)),
        _ => read.errors.add("type", "unknown discovery type"),
    }
}

fn assumed(kind: &str) -> String {
    format!(
        "assumed: a control plane sends the cluster and its endpoints with type EDS over ADS; gRPC does not support {kind}"
    )
}
