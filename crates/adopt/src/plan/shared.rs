//! What listeners and filter chains share: clusters that another filter steers, and routes.

use spillgate_config::Diagnostic;
use spillgate_core::visible::quoted;

use super::{
    cluster::{Clusters, is_steered, leads_to},
    files::Files,
    filter::balances,
    listener::all_managers,
    place::Place,
    present::{configuration, present},
    route::SteeredRoute,
};
use crate::edit::show_path;

/// Clusters that follow a host list already are errors.
pub(super) fn check_owners(
    files: Files<'_>,
    clusters: &Clusters<'_>,
    routes: &[SteeredRoute<'_>],
) -> Result<(), Vec<Diagnostic>> {
    let steered = clusters.owners.iter().filter(|owner| is_steered(owner));
    let fault = |owner: &Place<'_>| {
        let name = owner.text("name").unwrap_or_default();
        let mut routes = routes.iter();
        let route = routes.find(|route| leads_to(route, &clusters.aggregates, name));
        steered_already(files, (owner, name), route)
    };
    let faults: Vec<Diagnostic> = steered.map(fault).collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

fn steered_already(
    files: Files<'_>,
    (cluster, name): (&Place<'_>, &str),
    route: Option<&SteeredRoute<'_>>,
) -> Diagnostic {
    let other = all_managers(files)
        .into_iter()
        .find(|manager| steers(files, manager, name));
    let what = match &other {
        Some(_) => {
            "another listener steers this cluster already, and the settings of its filter can differ"
        }
        None => "this cluster has override_host for another list",
    };
    let places = [
        route.map(|route| format!("route {}", show_path(&route.route.path))),
        other.map(|manager| format!("filter in {}", show_path(&manager.path))),
    ];
    let places: Vec<String> = places.into_iter().flatten().collect();
    cluster
        .fault(files, what)
        .found(places.join(", "))
        .expected("a cluster of its own for the route, or --cluster without this one")
}

/// Whether the filter of a connection manager balances a cluster.
fn steers(files: Files<'_>, manager: &Place<'_>, cluster: &str) -> bool {
    let Ok(Some(filter)) = present(files, manager) else {
        return false;
    };
    configuration(&filter).is_ok_and(|config| balances(&config, cluster))
}

/// The routes of a connection manager that come by RDS.
fn route_config_name<'v>(manager: &Place<'v>) -> Option<&'v str> {
    manager.field("rds")?.text("route_config_name")
}

/// Other connection managers with the same routes are errors: their requests have no decision of the filter, which
/// routes with a cluster of its choice need.
pub(super) fn check_routes(files: Files<'_>, manager: &Place<'_>) -> Result<(), Vec<Diagnostic>> {
    let Some(own) = route_config_name(manager) else {
        return Ok(());
    };
    let managers = all_managers(files).into_iter();
    let others = managers.filter(|other| {
        let is_same = other.file == manager.file && other.path == manager.path;
        !is_same && route_config_name(other) == Some(own)
    });
    let fault = |other: Place<'_>| {
        let what = "this connection manager has the same routes, and the filter chooses their cluster: its requests \
                    would have none";
        let places = format!(
            "routes {} also in {}",
            quoted(own),
            show_path(&manager.path)
        );
        let fault = other.fault(files, what).found(places);
        fault.expected("routes of its own (route_config_name)")
    };
    let faults: Vec<Diagnostic> = others.map(fault).collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}
