//! The configuration that istiod generates for a proxy, as far as the documents say.

use serde_json::{Value, json};
use spillgate_config::{
    Diagnostic,
    envoy::Format,
    mesh::{MeshOutbound, OutboundDestination, OutboundForm},
};

/// The bootstrap with the names of istiod: of clusters, virtual hosts and routes. Listeners without routes to
/// clusters are left out, and the destinations of these names. Unless one is chosen, the others are joined: the
/// filter has one configuration for all.
///
/// # Errors
/// Everything that Envoy rejects.
pub(super) fn bootstrap(
    outbound: &MeshOutbound,
    left_out: &[String],
    chosen: Option<&str>,
) -> Result<(Value, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (written, warnings) = outbound.written(OutboundForm::Envoy, Format::Json)?;
    let mut value: Value = serde_json::from_str(&written.text).map_err(|error| {
        Vec::from([Diagnostic::error(
            "config/unusable",
            format!("invalid JSON: {error}"),
        )])
    })?;
    let listeners = value.pointer_mut("/static_resources/listeners");
    if let Some(listeners) = listeners.and_then(Value::as_array_mut) {
        let groups = outbound
            .destinations
            .chunk_by(|a, b| a.listener == b.listener);
        for (listener, destinations) in listeners.iter_mut().zip(groups) {
            let Some(hosts) = listener.pointer_mut(HOSTS).and_then(Value::as_array_mut) else {
                continue;
            };
            for (host, destination) in hosts.iter_mut().zip(destinations) {
                name(host, destination);
            }
            let mut destinations = destinations.iter();
            hosts.retain(|_| {
                let name = destinations.next().map(|of| &of.name);
                name.is_none_or(|name| !left_out.contains(name))
            });
        }
        listeners.retain(leads_to_cluster);
        if chosen.is_none() {
            join(listeners);
        }
    }
    let warnings = written.warnings.into_iter().chain(warnings).collect();
    Ok((value, warnings))
}

/// The routes of a listener.
const ROUTES: &str = "/filter_chains/0/filters/0/typed_config/route_config";

/// The virtual hosts of a listener.
pub(super) const HOSTS: &str = "/filter_chains/0/filters/0/typed_config/route_config/virtual_hosts";

/// Moves the virtual hosts of further listeners to the first one: there, requests name them with their port.
fn join(listeners: &mut Vec<Value>) {
    let further = listeners.split_off(listeners.len().min(1));
    let Some(first) = listeners.first_mut().filter(|_| !further.is_empty()) else {
        return;
    };
    if let Some(config) = first.pointer_mut(ROUTES).and_then(Value::as_object_mut) {
        config.shift_remove("ignore_port_in_host_matching");
    }
    let Some(hosts) = first.pointer_mut(HOSTS).and_then(Value::as_array_mut) else {
        return;
    };
    for listener in further {
        let more = listener.pointer(HOSTS).and_then(Value::as_array);
        for host in more.into_iter().flatten() {
            let mut host = host.clone();
            let name = host.get("name").cloned();
            set(&mut host, "domains", json!([name]));
            hosts.push(host);
        }
    }
}

/// Gives a virtual host and its routes their names in Envoy.
fn name(host: &mut Value, destination: &OutboundDestination) {
    if let [_, port, _, service] = destination.name.split('|').collect::<Vec<_>>().as_slice() {
        set(host, "name", format!("{service}:{port}").into());
    }
    let rules = destination.rules.iter();
    // A rule has a route for each of its conditions.
    let names = rules.flat_map(|rule| {
        let count = rule.requests.len().max(1);
        core::iter::repeat_n(rule.name.as_str(), count)
    });
    let routes = host.get_mut("routes").and_then(Value::as_array_mut);
    for (route, name) in routes.into_iter().flatten().zip(names) {
        if !name.is_empty() {
            set(route, "name", name.into());
        }
    }
}

/// Sets a field of a map.
pub(super) fn set(map: &mut Value, field: &str, value: Value) {
    if let Some(fields) = map.as_object_mut() {
        fields.insert(field.into(), value);
    }
}

fn leads_to_cluster(listener: &Value) -> bool {
    let hosts = listener.pointer(HOSTS).and_then(Value::as_array);
    let mut routes = hosts
        .into_iter()
        .flatten()
        .filter_map(|host| host.get("routes")?.as_array())
        .flatten();
    routes.any(|route| route.get("route").is_some())
}
