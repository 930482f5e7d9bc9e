//! The hosts of `/clusters` as a section of a dump.

use std::net::SocketAddr;

use serde_json::{Map, Value, json};
use spillgate_config::clusters::{ClusterStatus, HostStatus};
use spillgate_core::model::{Health, HealthStatus};

/// The message `envoy.admin.v3.Clusters`, with the fields that the readers use.
pub(super) fn section(statuses: &[ClusterStatus<'_>]) -> Value {
    let clusters = statuses.iter().map(|status| {
        let hosts = status.hosts.iter().map(host);
        json!({"name": status.name, "host_statuses": hosts.collect::<Vec<_>>()})
    });
    json!({
        "@type": "type.googleapis.com/envoy.admin.v3.Clusters",
        "cluster_statuses": clusters.collect::<Vec<_>>(),
    })
}

/// One host. Fields with the default value of protobuf are omitted.
fn host(host: &HostStatus<'_>) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("address", address(&host.address));
    put("health_status", health(host.health.unwrap_or_default()));
    if let Some(weight) = host.weight {
        put("weight", json!(weight.get()));
    }
    if let Some(hostname) = host.hostname.as_ref().filter(|name| !name.is_empty()) {
        put("hostname", json!(hostname));
    }
    if let Some(priority) = host.priority.filter(|priority| *priority > 0) {
        put("priority", json!(priority));
    }
    let names = [
        ("region", &host.locality.region),
        ("zone", &host.locality.zone),
        ("sub_zone", &host.locality.sub_zone),
    ]
    .into_iter()
    .filter_map(|(field, name)| {
        let name = name.as_ref().filter(|name| !name.is_empty())?;
        Some((field.to_owned(), json!(name)))
    });
    put("locality", Value::Object(names.collect()));
    if let Some(active) = host.active_requests.filter(|active| *active > 0) {
        put(
            "stats",
            json!([{"name": "rq_active", "type": "GAUGE", "value": active.to_string()}]),
        );
    }
    Value::Object(fields)
}

/// An address as a message, from its text in `/clusters`.
fn address(text: &str) -> Value {
    if let Ok(address) = text.parse::<SocketAddr>() {
        let ip = address.ip().to_string();
        return json!({"socket_address": {"address": ip, "port_value": address.port()}});
    }
    if let Some(internal) = text.strip_prefix("envoy://") {
        let (listener, id) = internal.split_once('/').unwrap_or((internal, ""));
        return json!({"envoy_internal_address": {"server_listener_name": listener, "endpoint_id": id}});
    }
    json!({"pipe": {"path": text}})
}

/// The flags that are set, and the status from EDS.
fn health(health: Health) -> Value {
    let mut fields = Map::new();
    for name in health.flags.names() {
        // Two fields of the message have other names than the text.
        let field = match name {
            "failed_active_hc" => "failed_active_health_check",
            "degraded_active_hc" => "failed_active_degraded_check",
            same => same,
        };
        fields.insert(field.to_owned(), json!(true));
    }
    let status = match health.status {
        HealthStatus::Unknown | HealthStatus::Healthy => "HEALTHY",
        HealthStatus::Unhealthy => "UNHEALTHY",
        HealthStatus::Draining => "DRAINING",
        HealthStatus::Timeout => "TIMEOUT",
        HealthStatus::Degraded => "DEGRADED",
    };
    fields.insert("eds_health_status".to_owned(), json!(status));
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use spillgate_config::{Position, clusters::read};

    use super::*;

    #[test]
    fn a_section_has_the_hosts_of_the_text() {
        let text = "c::10.0.0.1:80::rq_active::3\nc::10.0.0.1:80::hostname::a.example\n\
            c::10.0.0.1:80::health_flags::/failed_active_hc/eds_status_draining/failed_eds_health\n\
            c::10.0.0.1:80::weight::7\nc::10.0.0.1:80::region::r\nc::10.0.0.1:80::zone::\n\
            c::10.0.0.1:80::sub_zone::s\nc::10.0.0.1:80::priority::2\n\
            c::[::1]:81::hostname::\nc::[::1]:81::health_flags::/degraded_active_hc/pending_active_hc\n\
            c::[::1]:81::weight::1\nc::[::1]:81::region::\nc::[::1]:81::zone::z\nc::[::1]:81::sub_zone::\n\
            c::[::1]:81::priority::0\n\
            c::@socket::hostname::\nc::@socket::health_flags::healthy\nc::@socket::weight::1\n\
            c::@socket::region::\nc::@socket::zone::\nc::@socket::sub_zone::\nc::@socket::priority::0\n";
        let mut before = read(text).unwrap();
        let section = section(&before).to_string();
        let mut after = read(&section).unwrap();
        for cluster in before.iter_mut().chain(&mut after) {
            cluster.position = Position::START;
            for host in &mut cluster.hosts {
                host.position = Position::START;
                host.active_requests = host.active_requests.filter(|active| *active > 0);
            }
        }
        assert_eq!(before, after);
    }
}
