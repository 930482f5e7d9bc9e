//! Changes the configuration of a scenario so that it can be replayed on this machine.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::Ipv4Addr,
};

use serde_json::{Map, Value, json};
use spillgate_config::node::{Node, NodeValue};

/// The response header with the chosen host.
pub(super) const SEEN: &str = "x-spillgate-conformance-host";

/// The type of the HTTP connection manager.
const CONNECTION_MANAGER: &str =
    "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";

/// A configuration and the name of the listener for the requests.
#[derive(Debug)]
pub(super) struct Instrumented {
    /// The configuration as JSON.
    pub(super) config: String,
    /// The name of the listener for the requests.
    pub(super) listener: String,
}

/// Adds an admin interface, responses at the addresses of the endpoints, and the header. Moves the
/// listeners to free ports.
///
/// # Errors
/// The reason why the scenario cannot be replayed.
pub(super) fn instrument(root: &Node<'_>) -> Result<Instrumented, String> {
    let mut config = to_json(root);
    if config.get("dynamic_resources").is_some() {
        return Err("configuration has dynamic_resources".into());
    }
    let endpoints = endpoints(&config)?;
    set(&mut config, "admin", json!({"address": free_port()}));
    let listeners = config
        .pointer_mut("/static_resources/listeners")
        .and_then(Value::as_array_mut)
        .ok_or("configuration has no static_resources.listeners")?;
    for (number, listener) in listeners.iter_mut().enumerate() {
        set(listener, "address", free_port());
        set(listener, "name", format!("replayed-{number}").into());
    }
    // The first listener with routes gets the requests, as in the recording.
    let target = listeners.iter_mut().find_map(|listener| {
        let name = listener.get("name")?.as_str()?.to_owned();
        connection_manager(listener).map(|manager| (name, manager))
    });
    let (name, manager) = target.ok_or("no listener has an http_connection_manager")?;
    let routes = manager
        .get_mut("route_config")
        .ok_or("routes are not inline in the http_connection_manager")?;
    let header = json!({
        "header": {"key": SEEN, "value": "%UPSTREAM_HOST%"},
        "append_action": "OVERWRITE_IF_EXISTS_OR_ADD",
    });
    match routes.get_mut("response_headers_to_add") {
        Some(Value::Array(headers)) => headers.push(header),
        _ => set(routes, "response_headers_to_add", json!([header])),
    }
    for (port, addresses) in endpoints {
        listeners.push(upstream(port, &addresses));
    }
    Ok(Instrumented {
        config: config.to_string(),
        listener: name,
    })
}

/// Sets a field of an object; Envoy rejects other values.
fn set(object: &mut Value, field: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(field.into(), value);
    }
}

/// An address on 127.0.0.1 with a port that the system chooses.
fn free_port() -> Value {
    address(Ipv4Addr::LOCALHOST, 0)
}

/// A socket address in the form of Envoy.
fn address(ip: Ipv4Addr, port: u16) -> Value {
    json!({"socket_address": {"address": ip.to_string(), "port_value": port}})
}

/// The HTTP connection manager of a listener, if it has one.
fn connection_manager(listener: &mut Value) -> Option<&mut Value> {
    let chains = listener.get_mut("filter_chains")?.as_array_mut()?;
    let filters = chains
        .iter_mut()
        .filter_map(|chain| chain.get_mut("filters")?.as_array_mut())
        .flatten();
    filters
        .filter_map(|filter| filter.get_mut("typed_config"))
        .find(|config| {
            let kind = config.get("@type").and_then(Value::as_str);
            kind.is_some_and(|kind| kind.ends_with(CONNECTION_MANAGER))
        })
}

/// The endpoints by port. Each must be on this machine.
fn endpoints(config: &Value) -> Result<BTreeMap<u16, BTreeSet<Ipv4Addr>>, String> {
    let mut endpoints: BTreeMap<u16, BTreeSet<Ipv4Addr>> = BTreeMap::new();
    let list = |value: &Value, field: &str| -> Vec<Value> {
        value
            .get(field)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let resources = config.get("static_resources").cloned().unwrap_or_default();
    for cluster in list(&resources, "clusters") {
        if cluster.get("type").and_then(Value::as_str) == Some("EDS") {
            return Err("a cluster gets its endpoints from EDS".into());
        }
        let assignment = cluster.get("load_assignment").cloned().unwrap_or_default();
        for locality in list(&assignment, "endpoints") {
            for endpoint in list(&locality, "lb_endpoints") {
                let socket = endpoint.pointer("/endpoint/address/socket_address");
                let (ip, port) = socket.and_then(local).ok_or_else(|| {
                    let found = endpoint
                        .pointer("/endpoint/address")
                        .unwrap_or(&Value::Null);
                    format!("endpoint is not in 127.0.0.0/8: {found}")
                })?;
                endpoints.entry(port).or_default().insert(ip);
            }
        }
    }
    Ok(endpoints)
}

/// The address of an endpoint, if it is a loopback address.
fn local(socket: &Value) -> Option<(Ipv4Addr, u16)> {
    let ip: Ipv4Addr = socket.get("address")?.as_str()?.parse().ok()?;
    let port = u16::try_from(socket.get("port_value")?.as_u64()?).ok()?;
    ip.is_loopback().then_some((ip, port))
}

/// A listener that responds with 200 at all these addresses.
fn upstream(port: u16, addresses: &BTreeSet<Ipv4Addr>) -> Value {
    let mut addresses = addresses.iter().map(|ip| address(*ip, port));
    let first = addresses.next().unwrap_or_else(free_port);
    let further: Vec<Value> = addresses
        .map(|address| json!({"address": address}))
        .collect();
    let everything = json!({"match": {"prefix": "/"}, "direct_response": {"status": 200}});
    let manager = json!({
        "@type": format!("type.googleapis.com/{CONNECTION_MANAGER}"),
        "stat_prefix": "upstream",
        "route_config": {"virtual_hosts": [
            {"name": "all", "domains": ["*"], "routes": [everything]},
        ]},
        "http_filters": [{
            "name": "envoy.filters.http.router",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router",
            },
        }],
    });
    json!({
        "name": format!("upstream-{port}"),
        "address": first,
        "additional_addresses": further,
        // Must fail if another process uses one of these addresses.
        "enable_reuse_port": false,
        "filter_chains": [{"filters": [{
            "name": "envoy.filters.network.http_connection_manager",
            "typed_config": manager,
        }]}],
    })
}

/// A configuration node as a JSON value.
fn to_json(node: &Node<'_>) -> Value {
    match &node.value {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(value) => (*value).into(),
        NodeValue::Int(value) => (*value).into(),
        NodeValue::Uint(value) => (*value).into(),
        // A finite JSON number, or a number in a form that only YAML has.
        NodeValue::Decimal(text) => serde_json::from_str(text)
            .or_else(|_| text.parse::<f64>().map(Value::from))
            .unwrap_or(Value::Null),
        NodeValue::String(text) => text.as_ref().into(),
        NodeValue::List(items) => items.iter().map(to_json).collect(),
        NodeValue::Map(entries) => {
            let mut map = Map::new();
            for entry in entries {
                map.insert(entry.key.name.as_ref().into(), to_json(&entry.node));
            }
            Value::Object(map)
        }
    }
}
