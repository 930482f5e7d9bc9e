//! Scenarios made of bootstraps that the generator did not make: the recorded ones and the examples of Envoy's
//! documentation.
//!
//! Their clusters and routes stay. Addresses become loopback addresses, and everything that needs another machine
//! (health checks, TLS, DNS) goes, because nothing may be reached. A bootstrap whose choices depend on what went
//! is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use serde_json::{Map, Value, json};
use spillgate_testkit::models::Dice;
use spillgate_testkit::repository;

use crate::differential::{Asked, DifferentialScenario, Surroundings};
use crate::documents;

/// The fields of clusters that stay.
const CLUSTER: [&str; 11] = [
    "name",
    "connect_timeout",
    "lb_policy",
    "ring_hash_lb_config",
    "maglev_lb_config",
    "least_request_lb_config",
    "load_balancing_policy",
    "load_assignment",
    "lb_subset_config",
    "common_lb_config",
    "cluster_type",
];
/// The fields of hosts that stay.
const HOST: [&str; 4] = [
    "endpoint",
    "health_status",
    "metadata",
    "load_balancing_weight",
];
/// What choices depend on and the scenarios do not have, or have no figures for.
const LEFT_OUT: [&str; 12] = [
    "retry_on",
    "typed_per_filter_config",
    "override_host",
    "dynamic_modules",
    "load_aware_locality",
    "client_side_weighted",
    "slow_start",
    "zone_aware_lb_config",
    "inline_cluster_specifier_plugin",
    "cluster_header",
    "DYNAMIC_FORWARD_PROXY",
    "ORIGINAL_DST",
];
/// The port of all hosts.
const PORT: u16 = 19;

/// The scenarios, each with about that many requests.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn foreign(requests: usize) -> Result<Vec<DifferentialScenario>> {
    let mut found = Vec::new();
    for (number, file) in files()?.into_iter().enumerate() {
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let documents = documents(&text).with_context(|| file.display().to_string())?;
        let scenario = documents.first().and_then(|bootstrap| {
            let mut dice = Dice::of(0xf0_7e19, number as u64);
            scenario(bootstrap, requests, &mut dice)
        });
        found.extend(scenario);
    }
    Ok(found)
}

/// The bootstraps in the repository.
fn files() -> Result<Vec<PathBuf>> {
    let vectors = repository().join("vectors");
    let mut files = Vec::new();
    for folder in ["oracle", "lint/valid"] {
        for entry in fs::read_dir(vectors.join(folder))? {
            let path = entry?.path();
            files.push(if path.is_dir() {
                path.join("envoy.yaml")
            } else {
                path
            });
        }
    }
    files.extend([
        repository().join("cli/tests/cli/examples/envoy.yaml"),
        repository().join("envoy-config/zones/envoy.yaml"),
    ]);
    files.retain(|path| path.extension().is_some_and(|end| end == "yaml") && path.is_file());
    files.sort();
    Ok(files)
}

fn scenario(bootstrap: &Value, requests: usize, dice: &mut Dice) -> Option<DifferentialScenario> {
    let proxy = ["node", "cluster_manager", "layered_runtime"];
    if proxy.iter().any(|field| bootstrap.get(field).is_some()) {
        return None;
    }
    let chain = bootstrap.pointer("/static_resources/listeners/0/filter_chains/0/filters")?;
    let mut managers = chain
        .as_array()?
        .iter()
        .filter_map(|filter| filter.get("typed_config"));
    let manager = managers.next_back()?;
    let filters = manager["http_filters"].as_array().map_or(0, Vec::len);
    let hosts = manager.pointer("/route_config/virtual_hosts")?.as_array()?;
    let host = hosts
        .iter()
        .find(|host| host["domains"].to_string().contains("\"*\""))?;
    let clusters = bootstrap
        .pointer("/static_resources/clusters")?
        .as_array()?;
    let mut addresses = Addresses::default();
    let clusters: Vec<Value> = clusters
        .iter()
        .map(|cluster| plain_cluster(cluster, &mut addresses))
        .collect::<Option<_>>()?;
    let routes = host["routes"].as_array()?.clone();
    let text = format!(
        "{}{}",
        Value::from(routes.clone()),
        Value::from(clusters.clone())
    );
    if filters > 1 || LEFT_OUT.iter().any(|word| text.contains(word)) {
        return None;
    }
    let names: BTreeSet<String> = clusters
        .iter()
        .filter_map(|cluster| cluster["name"].as_str().map(str::to_owned))
        .collect();
    let own = |value: Value| with_own_names(value, "", &names);
    let routes: Vec<Value> = routes.into_iter().map(own).collect();
    Some(DifferentialScenario {
        number: 0,
        features: BTreeSet::from(["foreign"]),
        requests: asked(&routes, requests, dice),
        clusters: clusters
            .into_iter()
            .map(|mut cluster| {
                cluster["name"] =
                    format!("~{}", cluster["name"].as_str().unwrap_or_default()).into();
                own(cluster)
            })
            .collect(),
        routes,
        surroundings: Arc::new(Surroundings::default()),
        ..DifferentialScenario::default()
    })
}

/// The loopback addresses that replace others.
#[derive(Default)]
struct Addresses(BTreeMap<String, String>);

impl Addresses {
    fn of(&mut self, address: &Value) -> Value {
        let next = self.0.len();
        let (high, low) = (next / 200, next % 200);
        let ip = self.0.entry(address.to_string());
        let ip = ip.or_insert_with(|| format!("127.250.{}.{}", high + 1, low + 1));
        json!({"socket_address": {"address": ip, "port_value": PORT}})
    }
}

/// A cluster without what needs another machine; `None` if its hosts are not in the text.
fn plain_cluster(cluster: &Value, addresses: &mut Addresses) -> Option<Value> {
    let kind = cluster["type"].as_str();
    let has_hosts = cluster.pointer("/load_assignment/endpoints").is_some();
    if !has_hosts && cluster.get("cluster_type").is_none() || kind == Some("EDS") {
        return None;
    }
    let mut plain = only(cluster, &CLUSTER);
    if cluster.get("cluster_type").is_none() {
        plain["type"] = "STATIC".into();
    }
    if plain.get("connect_timeout").is_none() {
        plain["connect_timeout"] = "1s".into();
    }
    let groups = plain
        .pointer_mut("/load_assignment/endpoints")
        .and_then(Value::as_array_mut);
    for group in groups.into_iter().flatten() {
        for host in group["lb_endpoints"].as_array_mut()? {
            *host = only(host, &HOST);
            let address = addresses.of(host.pointer("/endpoint/address")?);
            host["endpoint"] = json!({"address": address});
        }
    }
    // A request to a busy host would have no host.
    plain["circuit_breakers"] = json!({"thresholds": [{
        "max_connections": 1_000_000, "max_pending_requests": 1_000_000, "max_requests": 1_000_000,
    }]});
    Some(plain)
}

fn only(message: &Value, fields: &[&str]) -> Value {
    let kept = fields.iter().filter_map(|field| {
        let value = message.get(field)?;
        Some(((*field).to_owned(), value.clone()))
    });
    Value::Object(kept.collect::<Map<String, Value>>())
}

/// The same message with names of clusters as scenarios write them.
fn with_own_names(value: Value, field: &str, names: &BTreeSet<String>) -> Value {
    let is_name = ["cluster", "cluster_name", "clusters"].contains(&field);
    match value {
        Value::String(text) if is_name && names.contains(&text) => format!("~{text}").into(),
        Value::Array(items) => items
            .into_iter()
            .map(|item| with_own_names(item, field, names))
            .collect(),
        Value::Object(fields) => {
            let of_cluster = field == "clusters";
            let fields = fields.into_iter().map(|(key, value)| {
                let inner = if of_cluster && key == "name" {
                    "cluster_name"
                } else {
                    key.as_str()
                };
                let value = with_own_names(value, inner, names);
                (key, value)
            });
            Value::Object(fields.collect::<Map<String, Value>>())
        }
        other => other,
    }
}

/// Requests for each route: some that differ in what hash policies read, and some that are equal.
fn asked(routes: &[Value], count: usize, dice: &mut Dice) -> Vec<Asked> {
    let each = count.div_ceil(2 * routes.len().max(1));
    let mut requests = Vec::new();
    for route in routes {
        let condition = &route["match"];
        let paths = ["path", "prefix", "path_separated_prefix"];
        let path = paths
            .iter()
            .find_map(|field| condition[field].as_str())
            .unwrap_or("/");
        let conditions = condition["headers"].as_array().into_iter().flatten();
        let headers: Vec<(String, String)> = conditions
            .filter_map(|header| {
                let value = header.pointer("/string_match/exact")?.as_str()?;
                Some((header["name"].as_str()?.to_owned(), value.to_owned()))
            })
            .filter(|(name, _)| !name.starts_with(':'))
            .collect();
        let policies = route
            .pointer("/route/hash_policy")
            .and_then(Value::as_array);
        let names = policies.into_iter().flatten().filter_map(|policy| {
            policy
                .pointer("/header/header_name")?
                .as_str()
                .map(str::to_owned)
        });
        let names: Vec<String> = names.filter(|name| !name.starts_with(':')).collect();
        let plain = Asked {
            path: path.to_owned(),
            host_end: "",
            headers,
            count: each,
            tried: Vec::new(),
        };
        for _ in 0..each {
            let mut keyed = plain.clone();
            keyed.count = 1;
            keyed.headers.extend(
                names
                    .iter()
                    .map(|name| (name.clone(), dice.bits().to_string())),
            );
            requests.push(keyed);
        }
        requests.push(plain);
    }
    requests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bootstraps_of_the_repository_become_scenarios() -> Result<()> {
        let found = foreign(40)?;
        assert!(found.len() >= 30, "{}", found.len());
        for scenario in &found {
            let text = Value::from(scenario.clusters.clone()).to_string();
            assert!(
                text.contains("127.250.1.1") && !text.contains("\"10."),
                "{text}"
            );
            assert!(scenario.total() >= 40 && !scenario.routes.is_empty());
        }
        Ok(())
    }
}
