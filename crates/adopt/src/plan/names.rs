//! Names that cannot mean what they say: merge keys, and those of our filters and cluster for something else.

use spillgate_config::Diagnostic;
use spillgate_core::visible::quoted;

use super::{
    files::Files,
    filter::ADMIN_CLUSTER,
    http_filter::http_filters,
    options::AdoptForm,
    place::Place,
    wasm::{FILTER, LIST_FILTER, has_poller},
};

/// Merge keys of YAML are errors: Envoy reads them as fields.
pub(super) fn check_merge_keys(files: Files<'_>) -> Result<(), Vec<Diagnostic>> {
    let (mut faults, mut open) = (Vec::new(), files.roots().collect::<Vec<_>>());
    while let Some(place) = open.pop() {
        for (key, inner) in place.children() {
            if key == "<<" {
                faults.push(inner.fault(files, "Envoy does not support merge keys (<<)"));
            } else {
                open.push(inner);
            }
        }
    }
    result(faults)
}

/// Something of another kind under a name that the filter needs is an error. The filter itself is not there yet.
pub(super) fn check_names(
    files: Files<'_>,
    (bootstrap, manager): (&Place<'_>, &Place<'_>),
    form: &AdoptForm,
) -> Result<(), Vec<Diagnostic>> {
    let is_wasm = matches!(form, AdoptForm::Wasm(_));
    let taken = |name: &str| name == FILTER || (is_wasm && name == LIST_FILTER);
    let filters = http_filters(files, manager);
    let filters = filters
        .iter()
        .filter(|filter| filter.name().is_some_and(taken));
    let filters = filters.map(|filter| (filter.place.clone(), "another filter"));
    // Another listener can be steered already.
    let ours = !is_wasm || has_poller(bootstrap);
    let clusters = files.resources(Some("clusters"), "Cluster").into_iter();
    let clusters = clusters.filter(|cluster| !ours && cluster.text("name") == Some(ADMIN_CLUSTER));
    let clusters = clusters.map(|cluster| (cluster, "another cluster"));
    let fault = |(place, kind): (Place<'_>, &str)| {
        let what = format!("{kind} has a name that the Spillgate filter needs");
        let fault = place.fault(files, what);
        let name = place.text("name").unwrap_or_default();
        fault.found(quoted(name)).expected("another name here")
    };
    result(filters.chain(clusters).map(fault).collect())
}

fn result(faults: Vec<Diagnostic>) -> Result<(), Vec<Diagnostic>> {
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}
