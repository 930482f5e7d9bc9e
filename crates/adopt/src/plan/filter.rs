//! The configuration of the filter.

use serde_json::{Map, Value, json};
use spillgate_config::{
    Diagnostic,
    filter::{VariableKeys, read_native, read_with},
};

use super::{
    cluster::{Clusters, copied},
    files::Files,
    options::{AdoptForm, AdoptOptions, AdoptSessions},
    place::Place,
    route::{Destination, SteeredRoute, weighted_parts},
    target::Target,
};
use crate::edit::show_path;

/// The variable with the session keys.
pub(crate) const KEYS_VARIABLE: &str = "SPILLGATE_KEYS";

/// The cluster that reaches the admin interface.
pub(crate) const ADMIN_CLUSTER: &str = "spillgate_admin";

/// The longest host list.
const MOST_CANDIDATES: u64 = 32;

/// What existing filters of Envoy say.
#[derive(Debug, Default)]
pub(super) struct Carried {
    pub(super) criteria: Vec<Value>,
    pub(super) affinity: Option<Value>,
}

/// The configuration of the filter, as the filter reads it.
pub(super) fn configuration(
    files: Files<'_>,
    options: &AdoptOptions,
    (target, route, retries): (&Target, &SteeredRoute<'_>, u64),
    clusters: &Clusters<'_>,
    carried: &Carried,
) -> Result<Value, Vec<Diagnostic>> {
    let wasm = matches!(options.form, AdoptForm::Wasm(_));
    let mut config = Map::new();
    let members = clusters.owners.iter().map(|owner| {
        let mut copy = copied(owner, wasm);
        if let (Value::Object(fields), false) = (&mut copy, options.chain.is_empty()) {
            // A chain takes the place of subsets.
            fields.shift_remove("lb_subset_config");
        }
        copy
    });
    let aggregates = clusters
        .aggregates
        .iter()
        .map(|aggregate| copied(aggregate, wasm));
    config.insert("clusters".into(), members.chain(aggregates).collect());
    match &target.destination {
        Destination::Cluster(name) => config.insert("target".into(), name.as_str().into()),
        Destination::Weighted(parts) => {
            let parts = parts
                .iter()
                .map(|(name, weight)| json!({"cluster": name, "weight": weight}));
            config.insert("weighted".into(), parts.collect())
        }
    };
    if target.by_route {
        config.insert("route_settings".into(), true.into());
    }
    for (name, value) in [
        ("hash_policy", &target.hash_policy),
        ("metadata_match", &target.metadata_match),
    ] {
        if !value.is_null() {
            config.insert(name.into(), value.clone());
        }
    }
    let asked = options
        .criteria
        .iter()
        .map(|(key, header)| json!({"key": key, "header": header}));
    let by_route = target
        .criteria_by_route
        .then(|| json!({"route_metadata": true}));
    let carried_over = by_route.into_iter().chain(carried.criteria.iter().cloned());
    let criteria: Vec<Value> = carried_over.chain(asked).collect();
    if !criteria.is_empty() {
        config.insert("criteria".into(), criteria.into());
    }
    if !options.chain.is_empty() {
        let steps = options.chain.iter().map(|keys| json!({"keys": keys}));
        config.insert("subset_chain".into(), steps.collect());
    }
    if wasm {
        config.insert(
            "health".into(),
            json!({"source": "admin", "cluster": ADMIN_CLUSTER}),
        );
    }
    let mut affinity = carried.affinity.clone();
    if let Some(sessions) = options.sessions {
        let carrier = match sessions {
            AdoptSessions::Cookie => json!({"cookie": {"name": "spillgate"}}),
            AdoptSessions::Header => json!({"header": {"name": "x-session"}}),
            AdoptSessions::Envelope => json!({"envelope": {"name": "mcp-session-id"}}),
        };
        affinity = Some(carrier);
    }
    if let Some(Value::Object(mut affinity)) = affinity {
        affinity.insert("keys_from_env".into(), KEYS_VARIABLE.into());
        config.insert("affinity".into(), affinity.into());
    }
    if retries > 2 {
        let candidates = (retries + 1).min(MOST_CANDIDATES);
        config.insert("output".into(), json!({"candidates": candidates}));
    }
    let config = Value::Object(config);
    let text = config.to_string();
    let read = if wasm {
        read_with(&text, &|_| VariableKeys::Unknown)
    } else {
        read_native(&text, &|_| VariableKeys::Unknown)
    };
    match read {
        Ok(_) => Ok(config),
        Err(faults) => {
            let placed = faults
                .into_iter()
                .map(|fault| placed(files, fault, route, clusters));
            Err(placed.collect())
        }
    }
}

/// A fault of the generated configuration at the value that it is made of.
fn placed(
    files: Files<'_>,
    fault: Diagnostic,
    route: &SteeredRoute<'_>,
    clusters: &Clusters<'_>,
) -> Diagnostic {
    let mut steps = fault
        .path
        .split(['.', '['])
        .map(|step| step.trim_end_matches(']'));
    let first = steps.next().unwrap_or_default();
    let mut place = match first {
        "clusters" => {
            let index = steps.next().and_then(|index| index.parse::<usize>().ok());
            let mut all = clusters.owners.iter().chain(&clusters.aggregates);
            index.and_then(|index| all.nth(index)).cloned()
        }
        "hash_policy" | "metadata_match" => route.route.at(&["route", first]),
        "target" => route.route.field("route"),
        "weighted" => {
            let index = steps.next().and_then(|index| index.parse::<usize>().ok());
            let weighted = route.route.at(&["route", "weighted_clusters"]);
            let part =
                weighted.and_then(|weighted| weighted_parts(&weighted).into_iter().nth(index?));
            part.or_else(|| route.route.field("route"))
        }
        _ => None,
    };
    for step in steps {
        let step = if first == "weighted" && step == "cluster" {
            "name"
        } else {
            step
        };
        // Of a value that is missing, the nearest one that contains its place.
        match place.as_ref().and_then(|place| inside(place, step)) {
            Some(inner) => place = Some(inner),
            None => break,
        }
    }
    match place {
        Some(place) => Diagnostic {
            path: show_path(&place.path),
            position: files.position(&place),
            ..fault
        },
        None => Diagnostic {
            position: None,
            path: format!("(configuration of the filter) {}", fault.path),
            ..fault
        },
    }
}

/// The value at a step of a path.
fn inside<'v>(place: &Place<'v>, step: &str) -> Option<Place<'v>> {
    match (place.value.is_array(), step.parse::<usize>()) {
        (true, Ok(index)) => {
            let (_, inner) = place.children().into_iter().nth(index)?;
            Some(inner)
        }
        (true, Err(_)) => None,
        (false, _) => place.field(step),
    }
}

/// Whether a configuration of the filter has a cluster.
pub(super) fn balances(config: &Value, name: &str) -> bool {
    let clusters = config.get("clusters").and_then(Value::as_array);
    let mut clusters = clusters.into_iter().flatten();
    clusters.any(|cluster| cluster.get("name").and_then(Value::as_str) == Some(name))
}
