//! The clusters with hosts that the destinations lead to.

use spillgate_core::visible::quoted;
use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use spillgate_config::Diagnostic;

use super::{
    files::{Edit, Files},
    place::Place,
    route::SteeredRoute,
};

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

/// The clusters of the steered routes.
#[derive(Debug)]
pub(super) struct Clusters<'v> {
    /// Those with hosts, in the order of the files.
    pub(super) owners: Vec<Place<'v>>,
    /// The aggregates that routes name.
    pub(super) aggregates: Vec<Place<'v>>,
}

/// Finds the clusters of routes.
pub(super) fn clusters<'v>(
    files: Files<'v>,
    routes: &[SteeredRoute<'_>],
) -> Result<Clusters<'v>, Vec<Diagnostic>> {
    let all = files.resources(Some("clusters"), "Cluster");
    let find = |name: &str| {
        let mut named = all.iter();
        named.find(|cluster| cluster.text("name") == Some(name))
    };
    let (mut names, mut faults) = (BTreeSet::new(), Vec::new());
    let mut aggregates: Vec<Place<'v>> = Vec::new();
    for route in routes {
        for name in route.needs.destination.clusters() {
            let Some(cluster) = find(name) else {
                let what = "the route leads to a cluster that the configuration does not have";
                let fault = route.route.fault(files, what).found(quoted(name));
                faults.push(
                    fault.expected("static_resources, or the file of CDS as a further CONFIG"),
                );
                continue;
            };
            let Some(members) = members(cluster) else {
                names.insert(name.to_owned());
                continue;
            };
            let weighted = route.needs.destination.clusters().len() > 1;
            if weighted {
                let what = "an aggregate in a weighted split has no counterpart in the filter";
                faults.push(cluster.fault(files, what));
            }
            names.extend(members.iter().map(|member| (*member).to_owned()));
            if !aggregates
                .iter()
                .any(|other| other.path == cluster.path && other.file == cluster.file)
            {
                aggregates.push(cluster.clone());
            }
            for member in members.iter().filter(|member| find(member).is_none()) {
                let what = "the configuration does not have this member of the aggregate";
                faults.push(cluster.fault(files, what).found(quoted(member)));
            }
        }
    }
    let is_owner = |cluster: &&Place<'_>| {
        cluster
            .text("name")
            .is_some_and(|name| names.contains(name))
    };
    let owners: Vec<Place<'v>> = all.iter().filter(is_owner).cloned().collect();
    for owner in &owners {
        let kind = owner.text("type").unwrap_or("STATIC");
        let own_type = owner.field("cluster_type");
        if own_type.is_some() || matches!(kind, "ORIGINAL_DST" | "LOGICAL_DNS") {
            let what =
                "the filter cannot steer a cluster of this type; choose others with --cluster";
            let own_type = own_type.as_ref().and_then(|own| own.text("name"));
            faults.push(owner.fault(files, what).found(own_type.unwrap_or(kind)));
        }
    }
    if faults.is_empty() {
        Ok(Clusters { owners, aggregates })
    } else {
        Err(faults)
    }
}

/// Whether a route leads to a cluster, by its name or through an aggregate.
pub(super) fn leads_to(route: &SteeredRoute<'_>, aggregates: &[Place<'_>], name: &str) -> bool {
    let has = |aggregate: &Place<'_>| members(aggregate).is_some_and(|all| all.contains(&name));
    let mut named = route.needs.destination.clusters().into_iter();
    named.any(|own| {
        let mut aggregates = aggregates.iter();
        own == name || aggregates.any(|one| one.text("name") == Some(own) && has(one))
    })
}

/// Whether a cluster has subsets, by either policy.
pub(super) fn has_subsets(owner: &Place<'_>) -> bool {
    owner.field("lb_subset_config").is_some() || has_policy(owner, &["Subset"])
}

/// Whether a cluster hashes requests, by either policy.
pub(super) fn hashes(owner: &Place<'_>) -> bool {
    matches!(owner.text("lb_policy"), Some("MAGLEV" | "RING_HASH"))
        || has_policy(owner, &["Maglev", "RingHash"])
}

fn has_policy(owner: &Place<'_>, messages: &[&str]) -> bool {
    let policy = owner.field("load_balancing_policy");
    let is_one = |one: &Place<'_>| messages.iter().any(|message| one.is_message(message));
    policy.is_some_and(|policy| policy.any(&is_one))
}

/// Whether a cluster follows a host list.
pub(super) fn is_steered(cluster: &Place<'_>) -> bool {
    has_policy(cluster, &["OverrideHost"])
}

/// The members of an aggregate; `None` for another cluster.
pub(super) fn members<'v>(cluster: &Place<'v>) -> Option<Vec<&'v str>> {
    let own_type = cluster.field("cluster_type")?;
    let config = own_type.field("typed_config")?;
    let is_aggregate = own_type.text("name") == Some("envoy.clusters.aggregate")
        || config
            .value
            .get("@type")
            .and_then(Value::as_str)
            .is_some_and(|url| {
                url.ends_with("envoy.extensions.clusters.aggregate.v3.ClusterConfig")
            });
    let members = config.items("clusters").into_iter();
    is_aggregate.then(|| members.filter_map(|member| member.value.as_str()).collect())
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

/// The changes of a cluster in Envoy. `common`: further fields of its `common_lb_config`.
pub(super) fn changes(cluster: &Place<'_>, policy: Value, common: &[(&str, Value)]) -> Vec<Edit> {
    let mut changes = Vec::new();
    if let Some(key) = cluster.key("lb_subset_config") {
        changes.push(cluster.remove_entry(&key));
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
        Some(key) if settings.is_empty() => changes.push(cluster.remove_entry(&key)),
        Some(key) => changes.push(cluster.replace_entry(&key, &key, settings.into())),
        None => changes.push(cluster.add_entry("common_lb_config", settings.into())),
    }
    changes.push(match cluster.key("load_balancing_policy") {
        Some(key) => cluster.replace_entry(&key, &key, policy),
        None => cluster.add_entry("load_balancing_policy", policy),
    });
    changes
}
