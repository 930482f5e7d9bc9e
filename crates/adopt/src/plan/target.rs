//! The target of the filter, and what single routes need beyond it.

use serde_json::{Value, json};
use spillgate_config::Diagnostic;

use super::{
    files::{Edit, Files},
    place::Place,
    route::{Destination, Needs, SteeredRoute},
};

/// What the filter does for all steered routes. If their clusters or criteria differ, routes name their own
/// in their metadata, which Envoy chooses together with the route.
#[derive(Debug)]
pub(super) struct Target {
    /// The destination of routes that name no cluster.
    pub(super) destination: Destination,
    pub(super) hash_policy: Value,
    /// `metadata_match` of all routes; null if routes have different ones.
    pub(super) metadata_match: Value,
    /// Whether routes name their clusters.
    pub(super) by_route: bool,
    /// Whether routes name their criteria.
    pub(super) criteria_by_route: bool,
}

fn is_weighted(route: &&SteeredRoute<'_>) -> bool {
    matches!(route.needs.destination, Destination::Weighted(_))
}

/// The route whose destination is the target: one with a weighted split, if there is one.
pub(super) fn base<'r, 'v>(routes: &'r [SteeredRoute<'v>]) -> Option<&'r SteeredRoute<'v>> {
    routes.iter().find(is_weighted).or_else(|| routes.first())
}

/// The target for routes, of which there is at least one.
pub(super) fn target(
    files: Files<'_>,
    routes: &[SteeredRoute<'_>],
) -> Result<Target, Vec<Diagnostic>> {
    let Some(base) = base(routes) else {
        return Err(Vec::new());
    };
    let mut faults = Vec::new();
    for one in routes {
        let Needs {
            destination,
            hash_policy,
            ..
        } = &one.needs;
        if is_weighted(&one) && *destination != base.needs.destination {
            let what = "the filter has one weighted split; this route has another one, so choose with --cluster";
            faults.push(fault(files, one, what, destination, base));
        } else if *hash_policy != base.needs.hash_policy {
            let what = "the filter has one hash_policy; this route has another one, so choose with --cluster";
            faults.push(fault(files, one, what, destination, base));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let own = &base.needs;
    let differs = |of: fn(&Needs) -> Value| routes.iter().any(|one| of(&one.needs) != of(own));
    let criteria_by_route = differs(|needs| needs.metadata_match.clone());
    Ok(Target {
        destination: own.destination.clone(),
        hash_policy: own.hash_policy.clone(),
        metadata_match: if criteria_by_route {
            Value::Null
        } else {
            own.metadata_match.clone()
        },
        by_route: routes
            .iter()
            .any(|one| one.needs.destination != own.destination),
        criteria_by_route,
    })
}

fn fault(
    files: Files<'_>,
    route: &SteeredRoute<'_>,
    what: &str,
    destination: &Destination,
    base: &SteeredRoute<'_>,
) -> Diagnostic {
    let (own, other) = (
        destination.clusters().join(", "),
        base.needs.destination.clusters(),
    );
    let place = crate::edit::show_path(&base.route.path);
    route
        .route
        .fault(files, what)
        .found(format!("{own} here, {} in {place}", other.join(", ")))
}

/// The settings of a route in its metadata.
pub(super) fn settings(
    files: Files<'_>,
    target: &Target,
    route: &SteeredRoute<'_>,
) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    let mut edits = Vec::new();
    let place = &route.route;
    let mut fields: Vec<(&str, Value)> = Vec::new();
    // Also a route to the target: then nothing else can decide over its cluster.
    if let (true, Destination::Cluster(name)) = (target.by_route, &route.needs.destination) {
        fields.push(("spillgate", json!({"target": name})));
    }
    if let (true, Some(criteria)) = (target.criteria_by_route, lb(&route.needs.metadata_match)) {
        fields.push(("envoy.lb", criteria));
    }
    if fields.is_empty() {
        return Ok(edits);
    }
    let own = place.at(&["metadata", "filter_metadata"]);
    for (namespace, value) in &fields {
        if let Some(taken) = own.as_ref().and_then(|own| own.field(namespace)) {
            let what =
                format!("the route has metadata in {namespace}, which the filter would read");
            return Err(vec![taken.fault(files, what)]);
        }
        if own.is_some() {
            edits.push(place.set_entry(&["metadata", "filter_metadata", namespace], value.clone()));
        }
    }
    if own.is_none() {
        let all: serde_json::Map<String, Value> = fields
            .into_iter()
            .map(|(namespace, value)| (namespace.to_owned(), value))
            .collect();
        edits.push(place.set_entry(&["metadata", "filter_metadata"], all.into()));
    }
    Ok(edits)
}

/// The criteria of a `metadata_match`.
fn lb(metadata_match: &Value) -> Option<Value> {
    let place = Place {
        file: 0,
        path: Vec::new(),
        value: metadata_match,
    };
    Some(
        place
            .at(&["filter_metadata"])?
            .value
            .get("envoy.lb")?
            .clone(),
    )
}
