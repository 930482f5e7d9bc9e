//! What the routes of the connection manager say about balancing.

use serde_json::{Value, json};
use spillgate_config::Diagnostic;

use super::place::Place;
use crate::edit::EditText;

/// Where the requests of a route go.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Destination {
    /// To a cluster or an aggregate.
    Cluster(String),
    /// To one of these clusters, by weight.
    Weighted(Vec<(String, Value)>),
}

impl Destination {
    /// The clusters, as routes name them.
    pub(super) fn clusters(&self) -> Vec<&str> {
        match self {
            Self::Cluster(name) => vec![name],
            Self::Weighted(parts) => parts.iter().map(|(name, _)| name.as_str()).collect(),
        }
    }
}

/// What all steered routes have in common.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Needs {
    pub(super) destination: Destination,
    pub(super) hash_policy: Value,
    pub(super) metadata_match: Value,
}

/// The routes of a connection manager.
#[derive(Debug)]
pub(super) struct Routes<'v> {
    /// The routes that the filter steers.
    pub(super) steered: Vec<Place<'v>>,
    /// Other routes to clusters.
    pub(super) others: Vec<Place<'v>>,
    pub(super) needs: Needs,
    /// The most retries of a steered route.
    pub(super) retries: u64,
}

/// Reads the routes; `only`: the clusters whose routes are steered, or all.
pub(super) fn routes<'v>(
    text: &EditText,
    manager: &Place<'v>,
    only: &[String],
) -> Result<Routes<'v>, Vec<Diagnostic>> {
    let Some(config) = manager.field("route_config") else {
        let what =
            "the connection manager has no route_config: routes that come by RDS are not patched";
        return Err(vec![manager.fault(text, what)]);
    };
    let (mut steered, mut others, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for host in config.items("virtual_hosts") {
        for route in host.items("routes") {
            let Some(action) = route.field("route") else {
                continue;
            };
            match needs(text, &action) {
                Ok(own) => {
                    let names = own.destination.clusters();
                    match only.is_empty()
                        || names.iter().any(|name| only.iter().any(|one| one == name))
                    {
                        true => steered.push((route, own)),
                        false => others.push(route),
                    }
                }
                Err(_) if !only.is_empty() => others.push(route),
                Err(found) => faults.extend(found),
            }
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let Some((_, needs)) = steered.first().cloned() else {
        return Err(vec![
            config.fault(text, "no route to a cluster that the filter could steer"),
        ]);
    };
    for (route, own) in steered.iter().filter(|(_, own)| *own != needs) {
        let what =
            "routes have different clusters, hash_policy or metadata_match; choose with --cluster";
        let found = format!(
            "{:?} and {:?}",
            own.destination.clusters(),
            needs.destination.clusters()
        );
        faults.push(route.fault(text, what).found(found));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let retries = |(route, _): &(Place<'_>, Needs)| {
        let retry = route.at(&["route", "retry_policy"])?;
        retry
            .field("num_retries")
            .map_or(Some(1), |number| number.value.as_u64())
    };
    Ok(Routes {
        retries: steered.iter().filter_map(retries).max().unwrap_or(0),
        steered: steered.into_iter().map(|(route, _)| route).collect(),
        others,
        needs,
    })
}

/// What one route says.
fn needs(text: &EditText, action: &Place<'_>) -> Result<Needs, Vec<Diagnostic>> {
    let destination = match (action.text("cluster"), action.field("weighted_clusters")) {
        (Some(name), None) => Destination::Cluster(name.to_owned()),
        (None, Some(weighted)) => Destination::Weighted(weights(text, &weighted)?),
        _ => {
            let what =
                "the route names its cluster in another way than cluster or weighted_clusters";
            return Err(vec![action.fault(text, what)]);
        }
    };
    let copied = |name| {
        action
            .field(name)
            .map_or(Value::Null, |own| own.value.clone())
    };
    Ok(Needs {
        destination,
        hash_policy: copied("hash_policy"),
        metadata_match: copied("metadata_match"),
    })
}

/// The clusters of a weighted split.
fn weights(text: &EditText, weighted: &Place<'_>) -> Result<Vec<(String, Value)>, Vec<Diagnostic>> {
    let (mut parts, mut faults) = (Vec::new(), Vec::new());
    for name in weighted
        .value
        .as_object()
        .into_iter()
        .flat_map(|map| map.keys())
    {
        if !matches!(name.as_str(), "clusters" | "total_weight" | "totalWeight") {
            faults.push(weighted.fault(
                text,
                format!("weighted_clusters.{name} has no counterpart in the filter"),
            ));
        }
    }
    for part in weighted.items("clusters") {
        let known = |name: &&String| matches!(name.as_str(), "name" | "weight");
        let unknown = part
            .value
            .as_object()
            .into_iter()
            .flat_map(|map| map.keys())
            .filter(|name| !known(name));
        faults.extend(unknown.map(|name| {
            part.fault(
                text,
                format!("{name} of a weighted cluster has no counterpart in the filter"),
            )
        }));
        let weight = part
            .field("weight")
            .map_or(json!(1), |weight| weight.value.clone());
        match part.text("name") {
            Some(_) if weight == json!(0) => {}
            Some(name) => parts.push((name.to_owned(), weight)),
            None => faults.push(part.fault(text, "a weighted cluster without a name")),
        }
    }
    if faults.is_empty() {
        Ok(parts)
    } else {
        Err(faults)
    }
}
