//! The clusters with hosts that the destination leads to.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use spillgate_config::{
    Diagnostic,
    isolation::{ISOLATION_KEY, ListFallback},
};

use super::{place::Place, route::Destination};
use crate::edit::{Change, EditText};

/// What balances load in a cluster, and so belongs into the configuration of the filter.
const BALANCING: [&str; 10] = [
    "name",
    "lb_policy",
    "load_balancing_policy",
    "lb_subset_config",
    "ring_hash_lb_config",
    "maglev_lb_config",
    "least_request_lb_config",
    "round_robin_lb_config",
    "common_lb_config",
    "cluster_type",
];

/// Fields of `common_lb_config` that Envoy refuses together with `load_balancing_policy`.
const ONLY_LEGACY: [&str; 3] = [
    "zone_aware_lb_config",
    "locality_weighted_lb_config",
    "consistent_hashing_lb_config",
];

/// The clusters of the destination.
#[derive(Debug)]
pub(super) struct Clusters<'v> {
    /// Those with hosts, in the order of the bootstrap.
    pub(super) owners: Vec<Place<'v>>,
    /// The aggregate, if the destination is one.
    pub(super) aggregate: Option<Place<'v>>,
}

/// Finds the clusters of a destination.
pub(super) fn clusters<'v>(
    text: &'v EditText,
    destination: &Destination,
) -> Result<Clusters<'v>, Vec<Diagnostic>> {
    let root = Place::root(text);
    let all = root
        .field("static_resources")
        .map_or_else(Vec::new, |own| own.items("clusters"));
    let find = |name: &str| {
        all.iter()
            .find(|cluster| cluster.text("name") == Some(name))
    };
    let (mut names, mut faults, mut aggregate) = (BTreeSet::new(), Vec::new(), None);
    for name in destination.clusters() {
        let Some(cluster) = find(name) else {
            let what = "a route leads to a cluster that static_resources do not have";
            faults.push(root.fault(text, what).found(format!("{name:?}")));
            continue;
        };
        let own_type = cluster.field("cluster_type");
        match (
            own_type.as_ref().and_then(|own| own.text("name")),
            destination,
        ) {
            (None, _) => {
                names.insert(name);
            }
            (Some("envoy.clusters.aggregate"), Destination::Cluster(_)) => {
                let members = own_type.and_then(|own| own.field("typed_config"));
                let members = members.map_or_else(Vec::new, |config| config.items("clusters"));
                names.extend(members.iter().filter_map(|member| member.value.as_str()));
                aggregate = Some(cluster.clone());
            }
            (Some(other), _) => {
                let what = "the filter cannot balance this cluster type here";
                faults.push(cluster.fault(text, what).found(format!("{other:?}")));
            }
        }
    }
    for name in names.iter().filter(|name| find(name).is_none()) {
        let what = "a member of the aggregate is not in static_resources";
        faults.push(root.fault(text, what).found(format!("{name:?}")));
    }
    let is_owner = |cluster: &&Place<'_>| {
        cluster
            .text("name")
            .is_some_and(|name| names.contains(name))
    };
    let owners: Vec<Place<'v>> = all.iter().filter(is_owner).cloned().collect();
    for owner in &owners {
        let kind = owner.text("type").unwrap_or("STATIC");
        if owner.field("cluster_type").is_some() || matches!(kind, "ORIGINAL_DST" | "LOGICAL_DNS") {
            let what = "the filter cannot steer a cluster of this type";
            faults.push(owner.fault(text, what).found(kind));
        }
    }
    match faults.is_empty() {
        true => Ok(Clusters { owners, aggregate }),
        false => Err(faults),
    }
}

/// A cluster in the configuration of the filter. `hosts`: with the hosts of a STATIC cluster.
pub(super) fn copied(cluster: &Place<'_>, hosts: bool) -> Value {
    let mut copy = Map::new();
    for name in BALANCING {
        if let Some(own) = cluster.field(name) {
            copy.insert(name.to_owned(), own.value.clone());
        }
    }
    let is_static = cluster.text("type").is_none_or(|kind| kind == "STATIC");
    if let Some(assignment) = cluster.field("load_assignment") {
        if is_static && hosts {
            copy.insert("load_assignment".into(), assignment.value.clone());
        } else if let Some(policy) = assignment.field("policy") {
            let name = cluster.text("name").unwrap_or_default();
            copy.insert(
                "load_assignment".into(),
                json!({"cluster_name": name, "policy": policy.value}),
            );
        }
    }
    Value::Object(copy)
}

/// `override_host`, which reads the list of the filter, around a policy.
pub(super) fn override_host(fallback: &Value) -> Value {
    json!({"policies": [{"typed_extension_config": {
        "name": "envoy.load_balancing_policies.override_host",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost",
            "override_host_sources": [{"metadata": {"key": "spillgate", "path": [{"key": "host"}]}}],
            "fallback_policy": fallback,
        },
    }}]})
}

/// The policy that serves if no host of the list is left.
pub(super) fn fallback_policy(cluster: &Place<'_>, fallback: ListFallback) -> Value {
    let policy = |name: &str, message: &str, fields: Value| {
        let mut config = Map::new();
        let package = format!("envoy.load_balancing_policies.{name}");
        let url = format!(
            "type.googleapis.com/envoy.extensions.load_balancing_policies.{name}.v3.{message}"
        );
        config.insert("@type".into(), url.into());
        if let Value::Object(fields) = fields {
            config.extend(fields);
        }
        json!({"policies": [{"typed_extension_config": {"name": package, "typed_config": config}}]})
    };
    if fallback == ListFallback::Isolation {
        return policy(
            "subset",
            "Subset",
            json!({
                "fallback_policy": "NO_FALLBACK",
                "subset_selectors": [{"keys": [ISOLATION_KEY]}],
                "subset_lb_policy": policy("round_robin", "RoundRobin", Value::Null),
            }),
        );
    }
    if let Some(own) = cluster.field("load_balancing_policy") {
        return own.value.clone();
    }
    let legacy = |name: &str| {
        cluster
            .field(name)
            .map_or(Value::Null, |own| own.value.clone())
    };
    match cluster.text("lb_policy") {
        Some("RING_HASH") => policy("ring_hash", "RingHash", legacy("ring_hash_lb_config")),
        Some("MAGLEV") => policy("maglev", "Maglev", legacy("maglev_lb_config")),
        Some("RANDOM") => policy("random", "Random", Value::Null),
        Some("LEAST_REQUEST") => policy(
            "least_request",
            "LeastRequest",
            legacy("least_request_lb_config"),
        ),
        _ => policy("round_robin", "RoundRobin", legacy("round_robin_lb_config")),
    }
}

/// The changes of a cluster in Envoy. `common`: further fields of its `common_lb_config`.
pub(super) fn changes(cluster: &Place<'_>, policy: Value, common: &[(&str, Value)]) -> Vec<Change> {
    let mut changes = Vec::new();
    let path = || cluster.path.clone();
    if let Some(key) = cluster.key("lb_subset_config") {
        changes.push(Change::RemoveEntry(path(), key));
    }
    let own = cluster.field("common_lb_config");
    let mut settings = own.as_ref().map_or_else(Map::new, |own| {
        own.value.as_object().cloned().unwrap_or_default()
    });
    let before = settings.clone();
    if let Some(own) = &own {
        for name in ONLY_LEGACY.iter().filter_map(|name| own.key(name)) {
            settings.shift_remove(&name);
        }
    }
    for (name, value) in common {
        let key = own.as_ref().and_then(|own| own.key(name));
        settings.insert(key.unwrap_or_else(|| (*name).to_owned()), value.clone());
    }
    match cluster.key("common_lb_config") {
        _ if settings == before => {}
        Some(key) if settings.is_empty() => changes.push(Change::RemoveEntry(path(), key)),
        Some(key) => changes.push(Change::ReplaceEntry(
            path(),
            key.clone(),
            key,
            settings.into(),
        )),
        None => changes.push(Change::AddEntry(
            path(),
            "common_lb_config".into(),
            settings.into(),
        )),
    }
    changes.push(match cluster.key("load_balancing_policy") {
        Some(key) => Change::ReplaceEntry(path(), key.clone(), key, policy),
        None => Change::AddEntry(path(), "load_balancing_policy".into(), policy),
    });
    changes
}

/// Places outside of the steered routes that use an owner, which would get no hosts in an isolated cluster.
pub(super) fn other_users<'v>(
    text: &'v EditText,
    owners: &[Place<'_>],
    steered: &[Place<'_>],
    aggregate: Option<&Place<'_>>,
) -> Vec<(Place<'v>, String)> {
    let names: BTreeSet<&str> = owners
        .iter()
        .filter_map(|owner| owner.text("name"))
        .collect();
    let mut found = Vec::new();
    let own: Vec<_> = owners
        .iter()
        .chain(steered)
        .chain(aggregate)
        .map(|place| place.path.clone())
        .collect();
    let mut open = vec![(Place::root(text), false)];
    while let Some((place, names_cluster)) = open.pop() {
        if own.contains(&place.path) {
            continue;
        }
        match place.value {
            Value::String(name) if names_cluster && names.contains(name.as_str()) => {
                found.push((place.clone(), name.clone()));
            }
            Value::Object(map) => open.extend(map.keys().filter_map(|key| {
                let lower = key.to_ascii_lowercase();
                let names_cluster = lower.contains("cluster") || (names_cluster && lower == "name");
                place.field(key).map(|inner| (inner, names_cluster))
            })),
            Value::Array(items) => open.extend(items.iter().enumerate().map(|(index, value)| {
                let mut path = place.path.clone();
                path.push(crate::edit::EditStep::Item(index));
                (Place { path, value }, names_cluster)
            })),
            _ => {}
        }
    }
    found
}
