//! The changes of clusters, routes and the connection manager.

use serde_json::{Value, json};
use spillgate_config::{Diagnostic, isolation::ListFallback};

use super::{
    cluster::{self, Clusters, members},
    files::{Edit, Files},
    http_filter::{HttpFilter, http_filters},
    module,
    options::AdoptForm,
    place::Place,
    route::{Destination, SteeredRoute},
    steered_policy::{fallback_policy, override_host},
    target::{Target, settings},
    wasm::{self, CLUSTER_HEADER},
};

/// The changes of the clusters with hosts, the last cluster first: aliases come after their anchors.
pub(super) fn of_clusters(
    form: &AdoptForm,
    clusters: &Clusters<'_>,
    fallback: ListFallback,
) -> Vec<Edit> {
    let changes = clusters.owners.iter().rev().flat_map(|owner| match form {
        AdoptForm::Wasm(_) => {
            cluster::changes(owner, override_host(&fallback_policy(owner, fallback)), &[])
        }
        AdoptForm::Module(name) => {
            let undecided = match fallback {
                ListFallback::Isolation => "refuse",
                ListFallback::Availability => "choose",
            };
            let policy = override_host(&module::policy(name, undecided));
            cluster::changes(owner, policy, &module::common_settings())
        }
    });
    changes.collect()
}

/// The changes of the routes, the last route first.
pub(super) fn of_routes(
    files: Files<'_>,
    form: &AdoptForm,
    (steered, others): (&[SteeredRoute<'_>], &[Place<'_>]),
    target: &Target,
    clusters: &Clusters<'_>,
) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    let mut edits = Vec::new();
    for steered in steered.iter().rev() {
        let route = &steered.route;
        edits.extend(settings(files, target, steered)?);
        if let (true, Some(action)) = (chooses_cluster(steered, clusters), route.field("route")) {
            let old = action.key("cluster");
            let (new, value) = match form {
                AdoptForm::Wasm(_) => ("cluster_header", CLUSTER_HEADER.into()),
                AdoptForm::Module(name) => {
                    ("inline_cluster_specifier_plugin", module::specifier(name))
                }
            };
            if let Some(old) = old.or_else(|| action.key("weighted_clusters")) {
                edits.push(action.replace_entry(&old, new, value));
            }
        }
        if matches!(form, AdoptForm::Wasm(_)) {
            edits.push(route.add_item("request_headers_to_remove", None, CLUSTER_HEADER.into()));
        }
    }
    for route in others.iter().rev() {
        let off = json!({"@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig", "disabled": true});
        edits.push(route.set_entry(&["typed_per_filter_config", "spillgate"], off));
    }
    Ok(edits)
}

/// Whether the filter chooses among the clusters of a route.
pub(super) fn chooses_cluster(route: &SteeredRoute<'_>, clusters: &Clusters<'_>) -> bool {
    match &route.needs.destination {
        Destination::Weighted(_) => true,
        Destination::Cluster(name) => clusters
            .aggregates
            .iter()
            .any(|aggregate| aggregate.text("name") == Some(name) && members(aggregate).is_some()),
    }
}

/// The filters, the removal of forged headers, and that of sessions that the filter takes over.
pub(super) fn of_manager(
    files: Files<'_>,
    form: &AdoptForm,
    manager: &Place<'_>,
    config: &Value,
    session: Option<&Place<'_>>,
) -> Vec<Edit> {
    let filters = http_filters(files, manager);
    let at = |is: &dyn Fn(&HttpFilter<'_>) -> bool| filters.iter().position(is);
    // Criteria read headers that header_to_metadata can remove; a filter that ends the chain is last.
    let before = at(&|one| one.copies_headers()).unwrap_or(filters.len().saturating_sub(1));
    let new = match form {
        AdoptForm::Wasm(file) => wasm::filters(config, file).to_vec(),
        AdoptForm::Module(name) => vec![module::filter(config, name)],
    };
    let mut edits: Vec<Edit> = new
        .into_iter()
        .rev()
        .map(|filter| manager.add_item("http_filters", Some(before), filter))
        .collect();
    let removed = session.and_then(|session| {
        session
            .remove_item()
            .zip(at(&|one| one.place.path == session.path))
    });
    if let Some((edit, index)) = removed {
        // The later place first.
        if index < before {
            edits.push(edit)
        } else {
            edits.insert(0, edit)
        }
    }
    if matches!(form, AdoptForm::Wasm(_)) {
        edits.push(manager.add_item(
            "early_header_mutation_extensions",
            None,
            wasm::early_mutation(),
        ));
    }
    edits
}
