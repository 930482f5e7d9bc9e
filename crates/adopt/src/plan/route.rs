//! What the routes of the connection manager say about balancing.

use serde_json::{Value, json};
use spillgate_config::Diagnostic;
use spillgate_core::visible::quoted;

use super::{files::Files, place::Place};

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

/// What one route says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Needs {
    pub(super) destination: Destination,
    pub(super) hash_policy: Value,
    pub(super) metadata_match: Value,
}

/// A route, and what it says.
#[derive(Debug, Clone)]
pub(super) struct SteeredRoute<'v> {
    pub(super) route: Place<'v>,
    pub(super) needs: Needs,
    /// The most retries of a request.
    pub(super) retries: u64,
}

/// Reads the routes to clusters: those that the filter steers, and the others. `only`: the clusters whose
/// routes are steered, or all.
pub(super) fn routes<'v>(
    files: Files<'v>,
    manager: &Place<'v>,
    only: &[String],
) -> Result<(Vec<SteeredRoute<'v>>, Vec<Place<'v>>), Vec<Diagnostic>> {
    let config = route_config(files, manager)?;
    let (mut steered, mut others, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    let mut named: Vec<String> = Vec::new();
    for host in config.items("virtual_hosts") {
        if let Some(matcher) = host.field("matcher") {
            faults.push(matcher.fault(files, "routes in a matcher of the virtual host"));
        }
        for route in host.items("routes") {
            let Some(action) = route.field("route") else {
                continue;
            };
            let needs = match needs(files, &action) {
                Ok(needs) => needs,
                Err(_) if !only.is_empty() => {
                    others.push(route);
                    continue;
                }
                Err(found) => {
                    faults.extend(found);
                    continue;
                }
            };
            let clusters = needs.destination.clusters();
            let is_chosen = |name: &&str| only.iter().any(|one| one == name);
            if only.is_empty() || clusters.iter().any(is_chosen) {
                named.extend(clusters.into_iter().map(str::to_owned));
                steered.push(SteeredRoute {
                    retries: retries(&action, &host),
                    route,
                    needs,
                });
            } else {
                others.push(route)
            }
        }
    }
    for name in only.iter().filter(|name| !named.contains(name)) {
        let what = "--cluster: no route leads to this cluster";
        faults.push(config.fault(files, what).found(quoted(name)));
    }
    if steered.is_empty() && faults.is_empty() {
        let what = "no route to a cluster that the filter could steer";
        faults.push(config.fault(files, what));
    }
    if faults.is_empty() {
        Ok((steered, others))
    } else {
        Err(faults)
    }
}

/// The routes of the connection manager, its own or from a file.
pub(super) fn route_config<'v>(
    files: Files<'v>,
    manager: &Place<'v>,
) -> Result<Place<'v>, Vec<Diagnostic>> {
    let config = match (manager.field("route_config"), manager.field("rds")) {
        (Some(config), _) => config,
        (None, Some(rds)) => {
            let name = rds.text("route_config_name");
            let mut configs = files.resources(None, "RouteConfiguration").into_iter();
            configs
                .find(|config| config.text("name") == name)
                .ok_or_else(|| {
                    let what = "routes come by RDS";
                    let fault = rds.fault(files, what).found(quoted(name.unwrap_or("")));
                    vec![fault.expected(
                        "the file of path_config_source as a further CONFIG, or route_config in the listener",
                    )]
                })?
        }
        (None, None) => {
            return Err(vec![match manager.field("scoped_routes") {
                Some(scoped) => scoped
                    .fault(files, "routes come by scoped_routes")
                    .expected("route_config or rds in the connection manager"),
                None => manager.fault(
                    files,
                    "the connection manager has no route_config, and no rds",
                ),
            }]);
        }
    };
    match config.field("vhds") {
        Some(vhds) => Err(vec![vhds.fault(files, "virtual hosts come by VHDS")]),
        None => Ok(config),
    }
}

fn needs(files: Files<'_>, action: &Place<'_>) -> Result<Needs, Vec<Diagnostic>> {
    let destination = match (action.text("cluster"), action.field("weighted_clusters")) {
        (Some(name), None) => Destination::Cluster(name.to_owned()),
        (None, Some(weighted)) => Destination::Weighted(weights(files, &weighted)?),
        _ => {
            let what =
                "the route names its cluster in another way than cluster or weighted_clusters";
            return Err(vec![action.fault(files, what)]);
        }
    };
    // Envoy sets this cookie; the filter has sessions for that.
    let mut set = action.items("hash_policy").into_iter();
    let set = set.find_map(|policy| policy.at(&["cookie", "ttl"]));
    if let Some(ttl) = set {
        let what = "Envoy sets a cookie with this ttl, which the filter does not; remove the ttl, and use \
                    --sessions cookie to keep clients on their hosts";
        return Err(vec![ttl.fault(files, what)]);
    }
    let copied = |name| {
        let own = action.field(name);
        own.map_or(Value::Null, |own| own.value.clone())
    };
    Ok(Needs {
        destination,
        hash_policy: copied("hash_policy"),
        metadata_match: copied("metadata_match"),
    })
}

/// The retries of a route, or else those of its virtual host.
fn retries(action: &Place<'_>, host: &Place<'_>) -> u64 {
    let policy = action.field("retry_policy");
    let Some(policy) = policy.or_else(|| host.field("retry_policy")) else {
        return 0;
    };
    let number = policy.field("num_retries");
    number.map_or(1, |number| number.value.as_u64().unwrap_or(0))
}

/// The entries of a weighted split that get requests, as the filter has them.
pub(super) fn weighted_parts<'v>(weighted: &Place<'v>) -> Vec<Place<'v>> {
    let mut parts = weighted.items("clusters");
    parts.retain(|part| {
        part.field("weight")
            .is_none_or(|weight| weight.value != &json!(0))
    });
    parts
}

/// The clusters of a weighted split.
fn weights(
    files: Files<'_>,
    weighted: &Place<'_>,
) -> Result<Vec<(String, Value)>, Vec<Diagnostic>> {
    let (mut parts, mut faults) = (Vec::new(), Vec::new());
    for (name, place) in weighted.children() {
        if !matches!(name, "clusters" | "total_weight" | "totalWeight") {
            let what = format!("weighted_clusters.{name} has no counterpart in the filter");
            faults.push(place.fault(files, what));
        }
    }
    for part in weighted.items("clusters") {
        for (name, place) in part.children() {
            if !matches!(name, "name" | "weight") {
                let what = format!("{name} of a weighted cluster has no counterpart in the filter");
                faults.push(place.fault(files, what));
            }
        }
        if part.text("name").is_none() || part.field("weight").is_none() {
            faults.push(part.fault(files, "a weighted cluster without name and weight"));
        }
    }
    for part in weighted_parts(weighted) {
        if let (Some(name), Some(weight)) = (part.text("name"), part.field("weight")) {
            parts.push((name.to_owned(), weight.value.clone()));
        }
    }
    if faults.is_empty() {
        Ok(parts)
    } else {
        Err(faults)
    }
}
