//! Changes a configuration so that it runs on this machine, without any contact to other machines.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    cast::Cast,
    fields::{at, get, get_mut, items, items_mut, remove, remove_everywhere, set, text, type_of},
    steering::{Steering, configure},
};

/// The name of the listener for the requests.
pub(super) const LISTENER: &str = "spillgate-check";

/// HTTP filters that can answer requests themselves or delay them, by a part of their types.
const REMOVED_FILTERS: [&str; 16] = [
    ".ext_authz.",
    ".ext_proc.",
    ".jwt_authn.",
    ".oauth2.",
    ".rbac.",
    ".basic_auth.",
    ".api_key_auth.",
    ".credential_injector.",
    ".ratelimit.",
    ".local_ratelimit.",
    ".rate_limit_quota.",
    ".admission_control.",
    ".adaptive_concurrency.",
    ".fault.",
    ".health_check.",
    ".csrf.",
];

/// Fields of the bootstrap that contact other machines or need files of another one.
const REMOVED_OF_BOOTSTRAP: [&str; 6] = [
    "dynamic_resources",
    "stats_sinks",
    "tracing",
    "hds_config",
    "config_sources",
    "default_config_source",
];

/// Fields of a cluster that have no place in a static one on this machine.
const REMOVED_OF_CLUSTER: [&str; 14] = [
    "transport_socket",
    "transport_socket_matches",
    "upstream_bind_config",
    "eds_cluster_config",
    "lrs_server",
    "http2_protocol_options",
    "dns_lookup_family",
    "dns_refresh_rate",
    "dns_failure_refresh_rate",
    "respect_dns_ttl",
    "dns_resolvers",
    "dns_resolution_config",
    "typed_dns_resolver_config",
    "use_tcp_for_dns_lookups",
];

/// What the check needs of the admin interface.
const CHECKED_PATHS: [&str; 3] = ["/ready", "/listeners", "/stats"];

/// How configurations become those of the check.
#[derive(Debug)]
pub(super) struct Stage<'a> {
    pub(super) cast: &'a Cast,
    pub(super) steering: &'a Steering,
    /// The port of the admin interface.
    pub(super) admin: u16,
    /// The filter's file as Envoy's configuration names it, and where it is on this machine.
    pub(super) file: Option<(&'a str, &'a str)>,
}

impl Stage<'_> {
    /// The changed configuration, and what has been changed for the check.
    pub(super) fn set(&self, config: &Value) -> Result<(Value, BTreeSet<String>), String> {
        let mut notes = BTreeSet::new();
        let mut staged = config.clone();
        for field in REMOVED_OF_BOOTSTRAP {
            if remove(&mut staged, field) {
                notes.insert(format!("no {field}"));
            }
        }
        if let Some(manager) = get_mut(&mut staged, "cluster_manager") {
            remove(manager, "load_stats_config");
            remove(manager, "outlier_detection");
        }
        if let Some(Value::Array(layers)) =
            get_mut(&mut staged, "layered_runtime").and_then(|runtime| get_mut(runtime, "layers"))
        {
            layers.retain(|layer| get(layer, "rtds_layer").is_none());
        }
        self.admin(&mut staged);
        let chain = self
            .steering
            .chain(config)
            .cloned()
            .ok_or("the filter's listener is not in the old configuration")?;
        let listener = self.listener(chain, &mut notes)?;
        if let Some(resources) = get_mut(&mut staged, "static_resources") {
            remove(resources, "secrets");
            set(resources, "listeners", json!([listener]));
            for cluster in items_mut(resources, "clusters") {
                self.cluster(cluster, &mut notes);
            }
        }
        if let Some((name, place)) = self.file {
            relocate(&mut staged, name, place);
        }
        Ok((staged, notes))
    }

    /// The admin interface on the port of the check, with the paths that it needs.
    fn admin(&self, staged: &mut Value) {
        if get(staged, "admin").is_none() {
            set(staged, "admin", json!({}));
        }
        let Some(admin) = get_mut(staged, "admin") else {
            return;
        };
        remove(admin, "access_log");
        remove(admin, "access_log_path");
        remove(admin, "profile_path");
        set(admin, "address", socket(self.admin));
        if let Some(Value::Array(paths)) = get_mut(admin, "allow_paths") {
            paths.extend(CHECKED_PATHS.map(|path| json!({"prefix": path})));
        }
    }

    /// The listener of the requests: the one filter chain, on a free port.
    fn listener(&self, mut chain: Value, notes: &mut BTreeSet<String>) -> Result<Value, String> {
        if get(&chain, "transport_socket").is_some() {
            notes.insert("no TLS of clients".into());
        }
        let manager = self
            .steering
            .manager_mut(&mut chain)
            .ok_or("the filter's listener is not in the old configuration")?;
        remove(manager, "access_log");
        remove(manager, "http3_protocol_options");
        set(manager, "codec_type", "AUTO".into());
        if let Some(Value::Array(filters)) = get_mut(manager, "http_filters") {
            filters.retain(|filter| {
                let kind = type_of(filter);
                let part = REMOVED_FILTERS.iter().find(|part| kind.contains(**part));
                if let Some(part) = part {
                    notes.insert(format!("no {}", part.trim_matches('.')));
                }
                part.is_none()
            });
        }
        if let Some(routes) = get_mut(manager, "route_config") {
            if remove_everywhere(routes, "request_mirror_policies") {
                notes.insert("no mirrored requests".into());
            }
            for host in items_mut(routes, "virtual_hosts") {
                remove(host, "require_tls");
            }
        }
        // Only the new configuration has the filter.
        configure(manager, &self.cast.in_filter(&self.steering.config));
        let filters = get(&chain, "filters").cloned().unwrap_or_default();
        Ok(json!({
            "name": LISTENER,
            "address": socket(0),
            "filter_chains": [{"filters": filters}],
        }))
    }

    /// A cluster of test hosts.
    fn cluster(&self, cluster: &mut Value, notes: &mut BTreeSet<String>) {
        let name = text(cluster, "name").unwrap_or_default().to_owned();
        if self.steering.admin_cluster() == Some(name.as_str()) {
            let hosts = json!([{"lb_endpoints": [{"endpoint": {"address": socket(self.admin)}}]}]);
            let assignment = json!({"cluster_name": name, "endpoints": hosts});
            set(cluster, "load_assignment", assignment);
            return;
        }
        let Some(assignment) = self.cast.assignments.get(&name) else {
            let own = at(cluster, &["cluster_type", "name"]).and_then(Value::as_str);
            // A cluster of another type may contact other machines at once.
            if own.is_some_and(|own| !own.ends_with("aggregate") && !own.ends_with("composite")) {
                notes.insert(format!("no hosts in {name}"));
                remove(cluster, "cluster_type");
                remove(cluster, "lb_policy");
                set(cluster, "type", "STATIC".into());
            }
            return;
        };
        let kind = text(cluster, "type").unwrap_or("STATIC");
        if kind != "STATIC" {
            notes.insert(format!("{kind} clusters are static"));
        }
        if get(cluster, "transport_socket").is_some() {
            notes.insert("no TLS to hosts".into());
        }
        for field in REMOVED_OF_CLUSTER {
            remove(cluster, field);
        }
        set(cluster, "type", "STATIC".into());
        set(cluster, "load_assignment", assignment.clone());
        if !items(cluster, "health_checks").is_empty() {
            notes.insert("health checks by HTTP every second".into());
            set(cluster, "health_checks", json!([health_check()]));
        }
        if let Some(options) = get_mut(cluster, "typed_extension_protocol_options") {
            for options in options
                .as_object_mut()
                .into_iter()
                .flat_map(|map| map.values_mut())
            {
                let mut other = remove(options, "use_downstream_protocol_config");
                other |= remove(options, "auto_config");
                other |= at(options, &["explicit_http_config", "http2_protocol_options"]).is_some();
                if other {
                    notes.insert("HTTP/1.1 to hosts".into());
                }
                if other || get(options, "explicit_http_config").is_some() {
                    let plain = json!({"http_protocol_options": {}});
                    set(options, "explicit_http_config", plain);
                }
            }
        }
    }
}

fn socket(port: u16) -> Value {
    json!({"socket_address": {"address": "127.0.0.1", "port_value": port}})
}

/// One that notices a failure within a second.
fn health_check() -> Value {
    json!({
        "timeout": "1s",
        "interval": "1s",
        "no_traffic_interval": "1s",
        "unhealthy_threshold": 1,
        "healthy_threshold": 1,
        "http_health_check": {"path": "/"},
    })
}

/// Replaces the name of a file.
fn relocate(value: &mut Value, name: &str, place: &str) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                match inner {
                    Value::String(file) if key == "filename" && file == name => {
                        place.clone_into(file);
                    }
                    inner => relocate(inner, name, place),
                }
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|inner| relocate(inner, name, place)),
        _ => {}
    }
}
