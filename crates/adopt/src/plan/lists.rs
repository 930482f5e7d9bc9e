//! Lists in the metadata of hosts, which Envoy does not pass to a module.

use serde_json::Value;
use spillgate_config::Diagnostic;

use super::{cluster::Clusters, files::Files, place::Place};

/// Hosts that are in several subsets by a list are errors for the module.
pub(super) fn check_lists(
    files: Files<'_>,
    clusters: &Clusters<'_>,
) -> Result<(), Vec<Diagnostic>> {
    let mut faults = Vec::new();
    for owner in &clusters.owners {
        let Some(setting) = list_as_any(owner) else {
            continue;
        };
        let assignments = assignments(files, owner);
        if assignments.is_empty() {
            let what =
                "hosts can have lists in their metadata, which Envoy does not pass to a module";
            faults.push(setting.fault(files, what).expected(REMEDY));
        }
        let hosts = assignments.iter().flat_map(|own| own.items("endpoints"));
        for host in hosts.flat_map(|locality| locality.items("lb_endpoints")) {
            let metadata = host.at(&["metadata", "filter_metadata", "envoy.lb"]);
            let values = metadata.map(|own| own.children()).unwrap_or_default();
            let lists = values.into_iter().filter(|(_, own)| own.value.is_array());
            faults.extend(lists.map(|(_, list)| {
                let what =
                    "a list in the metadata of a host, which Envoy does not pass to a module";
                list.fault(files, what).expected(REMEDY)
            }));
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

const REMEDY: &str = "--form wasm";

/// The setting by which a host is in the subset of each value of a list.
fn list_as_any<'v>(owner: &Place<'v>) -> Option<Place<'v>> {
    let is_on = |own: &Place<'_>| *own.value == Value::Bool(true);
    let legacy = owner.at(&["lb_subset_config", "list_as_any"]);
    if let Some(own) = legacy.filter(is_on) {
        return Some(own);
    }
    let mut open = vec![owner.field("load_balancing_policy")?];
    while let Some(place) = open.pop() {
        if let Some(own) = place.field("list_as_any").filter(is_on) {
            return Some(own);
        }
        open.extend(place.children().into_iter().map(|(_, inner)| inner));
    }
    None
}

/// The hosts of a cluster, its own or from a file.
fn assignments<'v>(files: Files<'v>, owner: &Place<'v>) -> Vec<Place<'v>> {
    let service = owner.at(&["eds_cluster_config", "service_name"]);
    let service = service.and_then(|own| own.value.as_str());
    let name = service.or_else(|| owner.text("name"));
    let from_files = files.resources(None, "ClusterLoadAssignment").into_iter();
    let from_files = from_files.filter(|own| own.text("cluster_name") == name);
    owner
        .field("load_assignment")
        .into_iter()
        .chain(from_files)
        .collect()
}
