//! Recognizes dumps and parts of dumps, with or without `@type`.

use crate::{
    envoy::{
        common::type_name,
        schema::{
            BOOTSTRAP_DUMP, CLUSTERS_DUMP, DUMPED, DYNAMIC_LISTENER, ECDS_DUMP, ENDPOINTS_DUMP,
            LISTENERS_DUMP, ROUTES_DUMP,
        },
    },
    node::{Node, NodeValue},
    proto::{Schema, field_of},
};

/// Whether a message is a dump or a part of one.
pub(crate) fn is_dump(node: &Node<'_>) -> bool {
    match type_name(node) {
        Some(name) => name.starts_with("envoy.admin."),
        None => node.get("configs").is_some() || untyped(node).is_some(),
    }
}

/// The type of a section or resource of a dump without `@type`, after `envoy.admin.v3.`: it has
/// fields of that type only, and one of them is a resource or a list of resources.
pub(super) fn untyped(node: &Node<'_>) -> Option<&'static str> {
    let NodeValue::Map(entries) = &node.value else {
        return None;
    };
    let is_value = |field: &str| {
        let value = field_of(node, field).map(|node| &node.value);
        matches!(value, Some(NodeValue::Map(_) | NodeValue::List(_)))
    };
    let fits = |(schema, field, _): &&(&Schema, &str, _)| {
        is_value(field) && schema.known_fields(node) == entries.len()
    };
    UNTYPED.iter().find(fits).map(|(_, _, kind)| *kind)
}

/// Parts of dumps that are recognized by a field.
static UNTYPED: [(&Schema, &str, &str); 15] = [
    (&BOOTSTRAP_DUMP, "bootstrap", "BootstrapConfigDump"),
    (&CLUSTERS_DUMP, "static_clusters", "ClustersConfigDump"),
    (
        &CLUSTERS_DUMP,
        "dynamic_active_clusters",
        "ClustersConfigDump",
    ),
    (&LISTENERS_DUMP, "static_listeners", "ListenersConfigDump"),
    (&LISTENERS_DUMP, "dynamic_listeners", "ListenersConfigDump"),
    (&ROUTES_DUMP, "static_route_configs", "RoutesConfigDump"),
    (&ROUTES_DUMP, "dynamic_route_configs", "RoutesConfigDump"),
    (
        &ENDPOINTS_DUMP,
        "static_endpoint_configs",
        "EndpointsConfigDump",
    ),
    (
        &ENDPOINTS_DUMP,
        "dynamic_endpoint_configs",
        "EndpointsConfigDump",
    ),
    (&ECDS_DUMP, "ecds_filters", "EcdsConfigDump"),
    (&DUMPED, "cluster", "ClustersConfigDump.StaticCluster"),
    (&DUMPED, "listener", "ListenersConfigDump.StaticListener"),
    (
        &DUMPED,
        "route_config",
        "RoutesConfigDump.DynamicRouteConfig",
    ),
    (
        &DUMPED,
        "endpoint_config",
        "EndpointsConfigDump.DynamicEndpointConfig",
    ),
    (
        &DYNAMIC_LISTENER,
        "active_state",
        "ListenersConfigDump.DynamicListener",
    ),
];
