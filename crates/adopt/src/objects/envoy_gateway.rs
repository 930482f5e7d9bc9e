//! Envoy Gateway: an EnvoyExtensionPolicy with the filter, and an EnvoyPatchPolicy with what it needs. Both name
//! their targets, and the resources that Envoy Gateway generates.

use serde_json::{Map, Value, json};

use super::{changes::GeneratedChanges, text::OBJECT_NAME as NAME};
use crate::plan::filter::KEYS_VARIABLE;

const GATEWAY_API: &str = "gateway.networking.k8s.io";
const VERSION: &str = "gateway.envoyproxy.io/v1alpha1";
const LISTENER: &str = "type.googleapis.com/envoy.config.listener.v3.Listener";
const ROUTES: &str = "type.googleapis.com/envoy.config.route.v3.RouteConfiguration";
const CLUSTER: &str = "type.googleapis.com/envoy.config.cluster.v3.Cluster";

/// The route of Envoy Gateway whose requests the filter steers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdoptRoute {
    /// The namespace of the HTTPRoute.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The namespace and name of its Gateway.
    pub gateway: (String, String),
    /// The names of Envoy's listeners.
    pub listeners: Vec<String>,
    /// The names of Envoy's route configurations.
    pub route_configs: Vec<String>,
    /// The image of the filter, or its URL.
    pub url: String,
}

/// The objects.
#[must_use]
pub fn gateway_objects(changes: &GeneratedChanges, route: &AdoptRoute) -> Vec<Value> {
    vec![extension(changes, route), patches(changes, route)]
}

/// The EnvoyExtensionPolicy.
fn extension(changes: &GeneratedChanges, route: &AdoptRoute) -> Value {
    let mut wasm = Map::new();
    wasm.insert("name".into(), NAME.into());
    let is_file = route.url.starts_with("http://") || route.url.starts_with("https://");
    let code = match route.url.strip_prefix("oci://").unwrap_or(&route.url) {
        url if is_file => json!({"type": "HTTP", "http": {"url": url}}),
        url => json!({"type": "Image", "image": {"url": url}}),
    };
    wasm.insert("code".into(), code);
    if changes.config.get("affinity").is_some() {
        wasm.insert("env".into(), json!({"hostKeys": [KEYS_VARIABLE]}));
    }
    wasm.insert("config".into(), changes.config.clone());
    json!({
        "apiVersion": VERSION,
        "kind": "EnvoyExtensionPolicy",
        "metadata": {"name": NAME, "namespace": route.namespace},
        "spec": {
            "targetRefs": [{"group": GATEWAY_API, "kind": "HTTPRoute", "name": route.name}],
            "wasm": [wasm],
        },
    })
}

/// The EnvoyPatchPolicy.
fn patches(changes: &GeneratedChanges, route: &AdoptRoute) -> Value {
    let mut patches = Vec::new();
    for listener in &route.listeners {
        patches.extend(
            of_listener(changes, route).map(|operation| patch(LISTENER, listener, operation)),
        );
    }
    for change in &changes.routes {
        for config in &route.route_configs {
            let mut leaves = Vec::new();
            leaves_of(&change.value, "", &mut leaves);
            // Routes have names such as `httproute/NAMESPACE/NAME/rule/0/match/0/HOST`, clusters the first part.
            let routes = match &change.route {
                Some(cluster) => format!("{cluster}/match/"),
                None => format!("httproute/{}/{}/rule/", route.namespace, route.name),
            };
            let routes = format!("..routes[?(@.name =~ '{routes}')]");
            patches.extend(leaves.into_iter().map(|(path, value)| {
                let operation =
                    json!({"op": "add", "jsonPath": routes, "path": path, "value": value});
                patch(ROUTES, config, operation)
            }));
        }
    }
    for cluster in &changes.clusters {
        let fields = cluster.value.as_object().into_iter().flatten();
        patches.extend(fields.map(|(field, value)| {
            let operation = json!({"op": "add", "path": format!("/{field}"), "value": value});
            patch(CLUSTER, &cluster.name, operation)
        }));
    }
    patches.extend(changes.admin_cluster().map(|cluster| {
        let name = cluster
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or("")
            .to_owned();
        patch(
            CLUSTER,
            &name,
            json!({"op": "add", "path": "", "value": cluster}),
        )
    }));
    let (namespace, gateway) = &route.gateway;
    json!({
        "apiVersion": VERSION,
        "kind": "EnvoyPatchPolicy",
        "metadata": {"name": NAME, "namespace": namespace},
        "spec": {
            "targetRef": {"group": GATEWAY_API, "kind": "Gateway", "name": gateway},
            "type": "JSONPatch",
            "jsonPatches": patches,
        },
    })
}

fn patch(kind: &str, name: &str, operation: Value) -> Value {
    json!({"type": kind, "name": name, "operation": operation})
}

/// The operations on a listener.
fn of_listener(changes: &GeneratedChanges, route: &AdoptRoute) -> impl Iterator<Item = Value> {
    let manager =
        "..filters[?(@.name=='envoy.filters.network.http_connection_manager')].typed_config";
    let fields = changes.of_manager();
    let fields = fields.and_then(|fields| fields.as_object().cloned());
    let own = fields.into_iter().flatten().map(move |(field, value)| {
        json!({"op": "add", "jsonPath": manager, "path": field, "value": value})
    });
    let list = json!({
        "op": "add",
        "jsonPath": "..http_filters[?(@.name=='envoy.filters.http.router')]",
        "value": changes.list_filter(),
    });
    // The policy has only `failOpen`. With FAIL_RELOAD Envoy starts a new VM after a failure.
    let filter = format!(
        "envoy.filters.http.wasm/envoyextensionpolicy/{}/{NAME}/wasm/0",
        route.namespace
    );
    let failure = json!({
        "op": "add",
        "jsonPath": format!("..http_filters[?(@.name=='{filter}')].typed_config.config"),
        "path": "failure_policy",
        "value": "FAIL_RELOAD",
    });
    own.chain([list, failure])
}

/// The values that a merge adds, with their paths: Envoy Gateway's routes have metadata already.
fn leaves_of(value: &Value, path: &str, leaves: &mut Vec<(String, Value)>) {
    const INNER: [&str; 2] = ["metadata", "metadata/filter_metadata"];
    for (key, inner) in value.as_object().into_iter().flatten() {
        let path = match path {
            "" => key.clone(),
            path => format!("{path}/{key}"),
        };
        if INNER.contains(&path.as_str()) {
            leaves_of(inner, &path, leaves);
        } else {
            leaves.push((path, inner.clone()));
        }
    }
}
