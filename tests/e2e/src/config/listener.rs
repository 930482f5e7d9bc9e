//! Listeners and their routes.

use serde_json::{Value, json};
use spillgate_config::filter::FilterForm;

use super::address::socket_address;
use super::filter::{CLUSTER_HEADER, our_module};

/// The request header that hash policies use.
pub const KEY_HEADER: &str = "x-key";

/// A listener at a port of 127.0.0.1, with filters before the router.
#[must_use]
pub fn http_listener(name: &str, port: u16, routes: &[Value], filters: Vec<Value>) -> Value {
    let virtual_host = json!({"name": name, "domains": ["*"], "routes": routes});
    json!({
        "name": name,
        // A port in use must be an error, not a share of another process's connections.
        "enable_reuse_port": false,
        "address": socket_address("127.0.0.1", port),
        "filter_chains": [{"filters": [http_connection_manager(name, virtual_host, filters)]}],
    })
}

/// The route of a path to a cluster.
#[must_use]
pub fn to_cluster(path: &str, cluster: &str) -> Value {
    json!({
        "match": {"path": path},
        "route": {"cluster": cluster, "hash_policy": hash_policy()},
    })
}

/// The route of everything to the cluster that a filter names.
#[must_use]
pub fn to_cluster_by_header() -> Value {
    json!({
        "match": {"prefix": "/"},
        "request_headers_to_remove": [CLUSTER_HEADER],
        "route": {"cluster_header": CLUSTER_HEADER, "hash_policy": hash_policy()},
    })
}

/// The route of everything to the cluster that our filter chooses.
#[must_use]
pub fn to_chosen_cluster(form: FilterForm) -> Value {
    match form {
        FilterForm::Wasm => to_cluster_by_header(),
        FilterForm::DynamicModule => to_cluster_of_module(""),
    }
}

/// The route of everything to the cluster that the dynamic module chooses, or else to another one.
#[must_use]
pub fn to_cluster_of_module(otherwise: &str) -> Value {
    let specifier = json!({
        "name": "spillgate",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.router.cluster_specifiers.dynamic_modules.v3.DynamicModuleClusterSpecifier",
            "dynamic_module_config": our_module(),
            "specifier_name": "spillgate",
            "specifier_config": {
                "@type": "type.googleapis.com/google.protobuf.StringValue",
                "value": otherwise,
            },
        },
    });
    json!({
        "match": {"prefix": "/"},
        "route": {
            "inline_cluster_specifier_plugin": {"extension": specifier},
            "hash_policy": hash_policy(),
        },
    })
}

/// The hash policies of every route and of every filter.
#[must_use]
pub fn hash_policy() -> Value {
    json!([{"header": {"header_name": KEY_HEADER}}])
}

pub(super) fn http_connection_manager(
    name: &str,
    virtual_host: Value,
    mut filters: Vec<Value>,
) -> Value {
    filters.push(json!({
        "name": "envoy.filters.http.router",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router",
            "suppress_envoy_headers": true,
        },
    }));
    json!({
        "name": "envoy.filters.network.http_connection_manager",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
            "stat_prefix": name,
            "route_config": {"virtual_hosts": [virtual_host]},
            "http_filters": filters,
        },
    })
}
