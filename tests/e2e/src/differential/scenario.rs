//! A topology with its routes and requests, and the configurations made of it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::runtime::{StaticValue, layers};

/// Begins every cluster's name in a scenario; replaced by what distinguishes the scenarios of one
/// process.
const OWN: char = '~';

/// The response header with Envoy's decision.
pub(super) const OBSERVED: &str = "x-observed";
/// Its format: the chosen host, the flags, the details.
const OBSERVED_FORMAT: &str = "%UPSTREAM_HOST%|%RESPONSE_FLAGS%|%RESPONSE_CODE_DETAILS%";
/// The response header with the number of attempts, where requests are retried.
pub(super) const ATTEMPTS: &str = "x-attempts";
/// The request header that names a request in the log of its attempts.
pub(super) const ROW: &str = "x-row";
/// A line of that log: the request and the host of one attempt.
const ATTEMPT_FORMAT: &str = "%REQ(X-ROW)% %UPSTREAM_HOST%\n";

/// What belongs to the proxy and is therefore shared by all scenarios of one process.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surroundings {
    /// `node.locality`.
    pub locality: Option<Value>,
    /// The cluster of the proxies themselves.
    pub local_cluster: Option<Value>,
    /// HTTP filters before the router.
    pub filters: Vec<Value>,
    /// Further fields of the connection manager.
    pub manager: Map<String, Value>,
    /// Further fields of its route configuration.
    pub route_config: Map<String, Value>,
    /// Runtime values that all clusters read.
    pub runtime: Vec<StaticValue>,
    /// The features that these make use of.
    pub features: BTreeSet<&'static str>,
}

/// One request, or several equal ones.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asked {
    /// The path with its query.
    pub path: String,
    /// What follows the host name: a port, or a dot.
    pub host_end: &'static str,
    /// Headers in order.
    pub headers: Vec<(String, String)>,
    /// How many times it is sent.
    pub count: usize,
    /// The hosts of earlier attempts; only in what is predicted and recorded.
    pub tried: Vec<String>,
}

/// A topology with its routes and requests.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DifferentialScenario {
    /// Its number within the run.
    pub number: u64,
    /// The features that it makes use of.
    pub features: BTreeSet<&'static str>,
    /// Envoy clusters, their names beginning with [`OWN`].
    pub clusters: Vec<Value>,
    /// The routes of its virtual host.
    pub routes: Vec<Value>,
    /// Further fields of its virtual host.
    pub virtual_host: Map<String, Value>,
    /// Runtime values that only its routes and clusters read.
    pub runtime: Vec<StaticValue>,
    /// The requests, in order.
    pub requests: Vec<Asked>,
    /// What belongs to the proxy.
    pub surroundings: Arc<Surroundings>,
}

/// The host of requests to a scenario alone.
pub(super) const HOST: &str = "scenario.test";
/// What can follow the host name of a request.
pub(super) const HOST_ENDS: [&str; 3] = ["", ":8080", "."];

/// The host name of a scenario's virtual host among others.
pub(super) fn domain(slot: usize) -> String {
    format!("s{slot}.test")
}

/// A text of a scenario as it appears in the process: `~a` becomes `s7-a`.
pub(super) fn named(text: &str, slot: usize) -> String {
    match text.strip_prefix(OWN) {
        Some(rest) => format!("s{slot}-{rest}"),
        None => text.into(),
    }
}

impl DifferentialScenario {
    /// How many requests are sent in all.
    #[must_use]
    pub fn total(&self) -> usize {
        self.requests.iter().map(|asked| asked.count).sum()
    }

    /// Whether some requests have several attempts.
    #[must_use]
    pub fn retries(&self) -> bool {
        let policy = |value: &Value| value.to_string().contains("\"retry_on\"");
        self.routes.iter().any(policy) || self.virtual_host.values().any(policy)
    }

    /// The configuration with this scenario alone, as it is predicted from and recorded.
    #[must_use]
    pub fn alone(&self) -> Value {
        let plain = |text: &str| text.strip_prefix(OWN).unwrap_or(text).to_owned();
        let host = self.host("scenario", &["*".into()], &plain);
        let clusters = self.clusters.iter().map(|c| renamed(c, &plain)).collect();
        let runtime: Vec<StaticValue> = self.runtime.iter().map(|e| e.renamed(&plain)).collect();
        bootstrap(&self.surroundings, vec![host], clusters, &runtime, 10_000)
    }

    /// Its virtual host.
    fn host(&self, own: &str, domains: &[String], name: &dyn Fn(&str) -> String) -> Value {
        let mut host = renamed(&Value::Object(self.virtual_host.clone()), name);
        let routes = self.routes.iter().map(|route| renamed(route, name));
        host["name"] = own.into();
        host["domains"] = json!(domains);
        host["routes"] = routes.collect();
        host
    }

    /// The rows of its requests, as they are predicted from and recorded.
    #[must_use]
    pub fn rows(&self) -> String {
        let mut text = String::new();
        for (i, asked) in self.requests.iter().enumerate() {
            let mut row = json!({"i": i, "path": asked.path});
            if !asked.headers.is_empty() {
                let headers = asked
                    .headers
                    .iter()
                    .map(|(name, value)| json!([name, value.strip_prefix(OWN).unwrap_or(value)]));
                row["headers"] = headers.collect();
            }
            if !asked.host_end.is_empty() {
                row["host"] = format!("{HOST}{}", asked.host_end).into();
            }
            if !asked.tried.is_empty() {
                row["tried"] = json!(asked.tried);
            }
            if asked.count != 1 {
                row["count"] = asked.count.into();
            }
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{row}");
        }
        text
    }
}

/// The configuration with many scenarios, which must have the same surroundings.
pub(super) fn together(
    scenarios: &[&DifferentialScenario],
    node: &str,
    admin: u16,
    port: u16,
    attempts: Option<&Path>,
) -> Value {
    let mut hosts = Vec::new();
    let mut clusters = Vec::new();
    let mut runtime = Vec::new();
    for (slot, scenario) in scenarios.iter().enumerate() {
        let name = |text: &str| named(text, slot);
        let domains = HOST_ENDS.map(|end| domain(slot) + end);
        hosts.push(scenario.host(&domain(slot), &domains, &name));
        clusters.extend(scenario.clusters.iter().map(|c| renamed(c, &name)));
        runtime.extend(scenario.runtime.iter().map(|entry| entry.renamed(&name)));
    }
    let nothing = Surroundings::default();
    let surroundings = scenarios.first().map_or(&nothing, |s| &s.surroundings);
    let mut bootstrap = bootstrap(surroundings, hosts, clusters, &runtime, port);
    // A route that leads nowhere is an answer, no reason to refuse all the others.
    let manager = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config";
    if let Some(manager) = bootstrap.pointer_mut(manager) {
        manager["route_config"]["validate_clusters"] = false.into();
        if let Some(log) = attempts {
            log_attempts(manager, log);
        }
    }
    bootstrap["node"]["id"] = node.into();
    bootstrap["node"]["cluster"] = "differential".into();
    bootstrap["admin"] = json!({"address": address("127.0.0.1", admin)});
    // These are not read, and there would be a hundred for every cluster.
    bootstrap["stats_config"] = json!({"stats_matcher": {"reject_all": true}});
    bootstrap
}

/// Lets the router write each attempt into a file, and the response state their number.
fn log_attempts(manager: &mut Value, file: &Path) {
    if let Some(headers) = manager["route_config"]["response_headers_to_add"].as_array_mut() {
        headers.push(json!({
            "header": {"key": ATTEMPTS, "value": "%UPSTREAM_REQUEST_ATTEMPT_COUNT%"},
        }));
    }
    let router = manager["http_filters"]
        .as_array_mut()
        .and_then(|filters| filters.last_mut());
    if let Some(router) = router {
        router["typed_config"]["upstream_log"] = json!([{
            "name": "attempts",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog",
                "path": file,
                "log_format": {"text_format_source": {"inline_string": ATTEMPT_FORMAT}},
            },
        }]);
    }
}

fn bootstrap(
    surroundings: &Surroundings,
    virtual_hosts: Vec<Value>,
    mut clusters: Vec<Value>,
    runtime: &[StaticValue],
    port: u16,
) -> Value {
    let mut filters = surroundings.filters.clone();
    filters.push(json!({
        "name": "envoy.filters.http.router",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router",
            "suppress_envoy_headers": true,
        },
    }));
    let mut manager = json!({
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "main",
        "route_config": {
            "name": "main",
            "virtual_hosts": virtual_hosts,
            "response_headers_to_add": [{"header": {"key": OBSERVED, "value": OBSERVED_FORMAT}}],
        },
        "http_filters": filters,
    });
    for (field, value) in &surroundings.manager {
        manager[field] = value.clone();
    }
    for (field, value) in &surroundings.route_config {
        manager["route_config"][field] = value.clone();
    }
    clusters.extend(surroundings.local_cluster.clone());
    let mut bootstrap = json!({
        "static_resources": {
            "listeners": [{
                "name": "main",
                "enable_reuse_port": false,
                "address": address("127.0.0.1", port),
                "filter_chains": [{"filters": [{
                    "name": "envoy.filters.network.http_connection_manager",
                    "typed_config": manager,
                }]}],
            }],
            "clusters": clusters,
        },
    });
    if let Some(locality) = &surroundings.locality {
        bootstrap["node"] = json!({"locality": locality});
    }
    if let Some(local) = &surroundings.local_cluster {
        bootstrap["cluster_manager"] = json!({"local_cluster_name": local["name"]});
    }
    let runtime: Vec<&StaticValue> = surroundings.runtime.iter().chain(runtime).collect();
    if !runtime.is_empty() {
        bootstrap["layered_runtime"] = layers(&runtime);
    }
    bootstrap
}

/// An Envoy `Address`.
pub(super) fn address(ip: &str, port: u16) -> Value {
    json!({"socket_address": {"address": ip, "port_value": port}})
}

/// The same message with other texts.
pub(crate) fn renamed(value: &Value, name: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(name(text)),
        Value::Array(items) => items.iter().map(|item| renamed(item, name)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.clone(), renamed(value, name)))
            .collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_have_names_of_their_own_in_company() {
        let scenario = DifferentialScenario {
            clusters: vec![json!({"name": "~a", "lb_policy": "RANDOM"})],
            routes: vec![json!({"route": {"cluster": "~a"}})],
            runtime: vec![StaticValue::new(&["~weights", "~a"], json!(3))],
            ..DifferentialScenario::default()
        };
        let both = together(&[&scenario, &scenario], "n", 1, 2, None).to_string();
        assert!(both.contains("s0-a") && both.contains("s1-a") && !both.contains(OWN));
        assert!(both.contains("s1-weights.s1-a"));
        let alone = scenario.alone().to_string();
        assert!(alone.contains("\"cluster\":\"a\"") && !alone.contains(OWN));
        assert!(alone.contains("\"weights.a\":3"));
    }
}
