//! Istio: a WasmPlugin with the filter, and an EnvoyFilter with what it needs.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{
    changes::{GeneratedChanges, RouteMerge},
    text::OBJECT_NAME as NAME,
};
use crate::plan::{AdoptForm, filter::KEYS_VARIABLE, module};

const MANAGER: &str = "envoy.filters.network.http_connection_manager";
const MANAGER_TYPE: &str = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";

/// The proxies of a control plane that get the filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdoptWorkload {
    /// The namespace of the objects. Istio's root namespace is for proxies of all namespaces.
    pub namespace: String,
    /// The labels of the proxies; empty for all of the namespace.
    pub labels: BTreeMap<String, String>,
    /// Whether they are gateways; else sidecars, whose outgoing requests are steered.
    pub is_gateway: bool,
    /// The port of the listener, if other listeners have routes to clusters, too.
    pub port: Option<u16>,
    /// The URL of `spillgate.wasm`.
    pub url: String,
}

/// The objects.
#[must_use]
pub fn istio_objects(changes: &GeneratedChanges, workload: &AdoptWorkload) -> Vec<Value> {
    match changes.form {
        AdoptForm::Wasm(_) => vec![plugin(changes, workload), filter(changes, workload)],
        AdoptForm::Module(_) => vec![filter(changes, workload)],
    }
}

fn metadata(workload: &AdoptWorkload) -> Value {
    json!({"name": NAME, "namespace": workload.namespace})
}

/// The WasmPlugin.
fn plugin(changes: &GeneratedChanges, workload: &AdoptWorkload) -> Value {
    let mut spec = Map::new();
    if !workload.labels.is_empty() {
        let labels = json!({"matchLabels": workload.labels});
        spec.insert("selector".into(), labels);
    }
    let ports = workload.port.map(|port| json!([{"number": port}]));
    match (ports, workload.is_gateway) {
        (Some(ports), _) => {
            spec.insert("match".into(), json!([{"mode": "CLIENT", "ports": ports}]));
        }
        // Requests to the workload itself have no routes to clusters.
        (None, false) => {
            spec.insert("match".into(), json!([{"mode": "CLIENT"}]));
        }
        (None, true) => {}
    }
    spec.insert("url".into(), workload.url.as_str().into());
    spec.insert("failStrategy".into(), "FAIL_RELOAD".into());
    if changes.config.get("affinity").is_some() {
        let env = json!([{"name": KEYS_VARIABLE, "valueFrom": "HOST"}]);
        spec.insert("vmConfig".into(), json!({"env": env}));
    }
    spec.insert("pluginConfig".into(), changes.config.clone());
    json!({
        "apiVersion": "extensions.istio.io/v1alpha1",
        "kind": "WasmPlugin",
        "metadata": metadata(workload),
        "spec": spec,
    })
}

/// The EnvoyFilter.
fn filter(changes: &GeneratedChanges, workload: &AdoptWorkload) -> Value {
    let context = if workload.is_gateway {
        "GATEWAY"
    } else {
        "SIDECAR_OUTBOUND"
    };
    let mut spec = Map::new();
    if !workload.labels.is_empty() {
        spec.insert(
            "workloadSelector".into(),
            json!({"labels": workload.labels}),
        );
    }
    let mut patches = Vec::new();
    if let Some(mut fields) = changes.of_manager() {
        let typed = fields
            .as_object_mut()
            .map(core::mem::take)
            .unwrap_or_default();
        let url = ("@type".to_owned(), MANAGER_TYPE.into());
        let typed: Map<String, Value> = [url].into_iter().chain(typed).collect();
        patches.push(json!({
            "applyTo": "NETWORK_FILTER",
            "match": {"context": context, "listener": listener(workload, &json!({"name": MANAGER}))},
            "patch": {"operation": "MERGE", "value": {"typed_config": typed}},
        }));
    }
    let router = json!({"name": MANAGER, "subFilter": {"name": "envoy.filters.http.router"}});
    let before_router = match &changes.form {
        AdoptForm::Wasm(_) => changes.list_filter(),
        AdoptForm::Module(name) => module::filter(&changes.config, name),
    };
    patches.push(json!({
        "applyTo": "HTTP_FILTER",
        "match": {"context": context, "listener": listener(workload, &router)},
        "patch": {"operation": "INSERT_BEFORE", "value": before_router},
    }));
    patches.extend(changes.routes.iter().map(|route| {
        json!({
            "applyTo": "HTTP_ROUTE",
            "match": {"context": context, "routeConfiguration": {"vhost": virtual_host(route)}},
            "patch": {"operation": "MERGE", "value": in_istio(&route.value, workload)},
        })
    }));
    patches.extend(changes.clusters.iter().map(|cluster| {
        json!({
            "applyTo": "CLUSTER",
            "match": {"context": context, "cluster": {"name": cluster.name}},
            "patch": {"operation": "MERGE", "value": cluster.value},
        })
    }));
    patches.extend(changes.admin_cluster().map(|cluster| {
        json!({
            "applyTo": "CLUSTER",
            "match": {"context": context},
            "patch": {"operation": "ADD", "value": cluster},
        })
    }));
    patches.push(json!({
        "applyTo": "BOOTSTRAP",
        "patch": {"operation": "MERGE", "value": changes.of_bootstrap()},
    }));
    spec.insert("configPatches".into(), patches.into());
    json!({
        "apiVersion": "networking.istio.io/v1alpha3",
        "kind": "EnvoyFilter",
        "metadata": metadata(workload),
        "spec": spec,
    })
}

/// The match of a filter in the listeners.
fn listener(workload: &AdoptWorkload, filter: &Value) -> Value {
    let chain = json!({"filter": filter});
    match workload.port {
        Some(port) => json!({"portNumber": port, "filterChain": chain}),
        None => json!({"filterChain": chain}),
    }
}

/// The match of routes.
fn virtual_host(route: &RouteMerge) -> Value {
    let routes = match &route.route {
        Some(name) => json!({"name": name}),
        // Others answer themselves.
        None => json!({"action": "ROUTE"}),
    };
    json!({"name": route.host, "route": routes})
}

/// A change of a route with the names that istiod gives to the filter: it is off for other routes.
fn in_istio(value: &Value, workload: &AdoptWorkload) -> Value {
    const SETTINGS: &str = "typed_per_filter_config";
    let mut value = value.clone();
    let settings = value.get_mut(SETTINGS).and_then(Value::as_object_mut);
    if let Some(settings) = settings
        && let Some(off) = settings.shift_remove(NAME)
    {
        for name in names_in_envoy(workload) {
            settings.insert(name, off.clone());
        }
    }
    value
}

/// The names of the filter in Envoy: up to Istio 1.29, and from 1.30 on.
fn names_in_envoy(workload: &AdoptWorkload) -> [String; 2] {
    let own = format!("{}.{NAME}", workload.namespace);
    [
        format!("extensions.istio.io/wasmplugin/{own}"),
        format!("extensions.istio.io/trafficextension/{own}~istio-translated-wasmplugin"),
    ]
}
