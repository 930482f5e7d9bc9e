//! Requests that show what a cluster does: a route of their own on both sides, with a key in each request.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use spillgate_config::envoy::ListenerConfig;
use spillgate_core::{
    model::Metadata,
    route::{PathMatch, RouteAction},
};
use spillgate_testkit::models::Dice;

use super::change::only_in;
use crate::differential::{Asked, DifferentialScenario, renamed};

/// The header with the key.
const KEY: &str = "x-probe";
/// The header that policies with hash policies of their own read.
const OTHER_KEY: &str = "x-other";
/// The most subset criteria with which a cluster is asked, in addition to none.
const MOST_CRITERIA: usize = 2;

/// A route to one cluster, with one set of subset criteria.
#[derive(Debug, Clone)]
pub(super) struct Probe {
    path: String,
    /// The name of the cluster, as the comparison has it.
    pub(super) cluster: String,
}

/// Adds routes to every cluster that has hosts, with all criteria that routes have; the same ones to both sides, where
/// a cluster can have another name.
pub(super) fn add(old: &mut DifferentialScenario, new: &mut DifferentialScenario) -> Vec<Probe> {
    let criteria = criteria(old);
    let mut probes = Vec::new();
    let mut routes = Vec::new();
    for cluster in &old.clusters {
        let has_hosts = cluster
            .get("load_assignment")
            .or(cluster.get("cluster_type"))
            .is_some();
        let Some(name) = cluster["name"].as_str().filter(|_| has_hosts) else {
            continue;
        };
        for criteria in &criteria {
            let path = format!("/spillgate-probe/{}", probes.len());
            let mut action = json!({
                "cluster": name, "hash_policy": [{"header": {"header_name": KEY}}],
            });
            if let Some(criteria) = criteria {
                action["metadata_match"] = criteria.clone();
            }
            routes.push(json!({"match": {"path": path}, "route": action}));
            probes.push(Probe {
                path,
                cluster: name.trim_start_matches('~').to_owned(),
            });
        }
    }
    let names = only_in(old, new).zip(only_in(new, old));
    let of_new: Vec<Value> = match names {
        Some((before, after)) => {
            let name = |text: &str| if text == before { after } else { text }.to_owned();
            routes.iter().map(|route| renamed(route, &name)).collect()
        }
        None => routes.clone(),
    };
    new.routes.splice(0..0, of_new);
    old.routes.splice(0..0, routes);
    probes
}

/// The criteria of routes; `None` for no criteria.
fn criteria(scenario: &DifferentialScenario) -> Vec<Option<Value>> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    let has_subsets = |cluster: &Value| cluster.to_string().contains("subset_selectors");
    if scenario.clusters.iter().any(has_subsets) {
        scenario
            .routes
            .iter()
            .for_each(|route| collect(route, &mut found));
    }
    let found = found.iter().take(MOST_CRITERIA);
    let found = found.filter_map(|text| serde_json::from_str(text).ok());
    std::iter::once(None).chain(found.map(Some)).collect()
}

fn collect(value: &Value, found: &mut BTreeSet<String>) {
    if let Some(criteria) = value.get("metadata_match") {
        found.insert(criteria.to_string());
    }
    match value {
        Value::Object(fields) => fields.values().for_each(|value| collect(value, found)),
        Value::Array(items) => items.iter().for_each(|value| collect(value, found)),
        _ => {}
    }
}

impl Probe {
    /// The criteria of its route, as they are read.
    pub(super) fn criteria<'c>(&self, listeners: &'c [ListenerConfig]) -> Option<&'c Metadata> {
        let hosts = listeners
            .iter()
            .flat_map(|listener| &listener.routes.virtual_hosts);
        let mut routes = hosts.flat_map(|host| &host.routes);
        let own = routes.find(
            |route| matches!(&route.matcher.path, PathMatch::Exact(path) if *path == self.path),
        )?;
        match &own.action {
            RouteAction::Forward(forward) => Some(&forward.criteria),
            _ => None,
        }
    }

    /// Requests with different keys.
    pub(super) fn requests(&self, count: usize, dice: &mut Dice) -> Vec<Asked> {
        let each = |_| {
            let key = dice.bits().to_string();
            Asked {
                path: self.path.clone(),
                host_end: "",
                headers: vec![(KEY.into(), key.clone()), (OTHER_KEY.into(), key)],
                count: 1,
                tried: Vec::new(),
            }
        };
        (0..count).map(each).collect()
    }
}

/// Whether requests reach load balancing with the keys and criteria of their route: nothing else adds criteria, keys
/// or hosts.
pub(super) fn are_untouched(scenario: &DifferentialScenario) -> bool {
    let filters = Value::from(scenario.surroundings.filters.clone()).to_string();
    let clusters = Value::from(scenario.clusters.clone()).to_string();
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    let features = [&scenario.features, &scenario.surroundings.features];
    let changing = [
        "early_headers",
        "header_mutation",
        "headers_route_config",
        "headers_virtual_host",
    ];
    let changes_headers = changing
        .iter()
        .any(|name| features.iter().any(|of| of.contains(name)));
    let adds_criteria = has(&filters, &["header_to_metadata", "set_metadata"]);
    let changes_criteria = adds_criteria && has(&clusters, &["subset_selectors"]);
    let changes_hash = changes_headers && has(&clusters, &["hash_policy", "override_host_sources"]);
    !(changes_criteria || changes_hash)
}
