//! All changes of a bootstrap.

use serde_json::{Value, json};
use spillgate_config::{Diagnostic, isolation::ListFallback};

use super::{
    cluster::{self, Clusters, clusters, fallback_policy, other_users, override_host},
    existing,
    filter::{Carried, configuration},
    listener::{manager, steered},
    module,
    options::{AdoptForm, AdoptOptions},
    place::Place,
    route::{Destination, Routes, routes},
    wasm::{self, CLUSTER_HEADER, add_item},
};
use crate::edit::{Change, EditStep, EditText};

/// A configuration that the filter steers.
#[derive(Debug)]
pub struct Adopted {
    /// The changed text.
    pub text: String,
    /// The clusters that the filter balances.
    pub clusters: Vec<String>,
    /// What serves if no host of the filter's list is left; `None` if the filter was there already.
    pub fallback: Option<ListFallback>,
    /// Whether the filter keeps sessions, for which Envoy needs keys.
    pub sessions: bool,
}

/// Patches a bootstrap.
///
/// # Errors
/// Everything that cannot be carried over, with its place.
pub fn adopt(text: &EditText, options: &AdoptOptions) -> Result<Adopted, Vec<Diagnostic>> {
    let manager = manager(text, options.listener.as_deref())?;
    if let Some(form) = steered(&manager) {
        let asked = match options.form {
            AdoptForm::Wasm(_) => "wasm",
            AdoptForm::Module(_) => "module",
        };
        if form != asked {
            let fault = manager.fault(text, "the filter is there already, in the other form");
            return Err(vec![fault.found(form).expected(asked)]);
        }
        return Ok(Adopted {
            text: text.text().to_owned(),
            clusters: Vec::new(),
            fallback: None,
            sessions: false,
        });
    }
    let routes = routes(text, &manager, &options.clusters)?;
    let clusters = clusters(text, &routes.needs.destination)?;
    let has_subsets = clusters
        .owners
        .iter()
        .any(|owner| owner.field("lb_subset_config").is_some());
    let mut carried = Carried::default();
    if has_subsets {
        carried.criteria = existing::criteria(text, &manager)?;
    }
    let sessions = existing::sessions(text, &manager)?;
    if let (Some(_), Some((_, Change::RemoveItem(path, index)))) = (options.sessions, &sessions) {
        let mut place = manager.clone();
        place.path.clone_from(path);
        place.path.push(EditStep::Item(*index));
        return Err(vec![place.fault(
            text,
            "--sessions: the configuration has sessions, which are carried over",
        )]);
    }
    carried.affinity = sessions.as_ref().map(|(affinity, _)| affinity.clone());
    let config = configuration(options, &routes, &clusters, &carried)?;
    let restricted = ["criteria", "subset_chain", "metadata_match", "affinity"];
    let restricted = has_subsets || restricted.iter().any(|name| config.get(name).is_some());
    let derived = if restricted {
        ListFallback::Isolation
    } else {
        ListFallback::Availability
    };
    let fallback = options.fallback.unwrap_or(derived);
    if fallback == ListFallback::Isolation {
        let used = other_users(
            text,
            &clusters.owners,
            &routes.steered,
            clusters.aggregate.as_ref(),
        );
        let faults = used.iter().map(|(place, name)| {
            let what = "this uses a cluster whose hosts only serve requests that the filter steers; \
                give it a cluster of its own";
            place.fault(text, what).found(format!("{name:?}"))
        });
        let faults: Vec<Diagnostic> = faults.collect();
        if !faults.is_empty() {
            return Err(faults);
        }
    }
    let mut changes = cluster_changes(&options.form, &clusters, fallback);
    changes.extend(route_changes(&options.form, &routes, &clusters));
    changes.extend(sessions.map(|(_, change)| change));
    changes.extend(manager_changes(&options.form, &manager, &config));
    let root = Place::root(text);
    match &options.form {
        AdoptForm::Wasm(file) => changes.extend(wasm::bootstrap(text, &config, &clusters, file)?),
        AdoptForm::Module(name) => {
            changes.push(add_item(
                &root,
                "bootstrap_extensions",
                module::bootstrap_extension(name),
            ));
        }
    }
    let mut changed = text.clone();
    for change in &changes {
        changed.change(change).map_err(|fault| vec![fault])?;
    }
    let names = clusters
        .owners
        .iter()
        .filter_map(|owner| owner.text("name"));
    Ok(Adopted {
        text: changed.text().to_owned(),
        clusters: names.map(str::to_owned).collect(),
        fallback: Some(fallback),
        sessions: config.get("affinity").is_some(),
    })
}

/// The changes of the clusters with hosts, the last cluster first: aliases come after their anchors.
fn cluster_changes(
    form: &AdoptForm,
    clusters: &Clusters<'_>,
    fallback: ListFallback,
) -> Vec<Change> {
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
fn route_changes(form: &AdoptForm, routes: &Routes<'_>, clusters: &Clusters<'_>) -> Vec<Change> {
    let several = clusters.aggregate.is_some()
        || matches!(routes.needs.destination, Destination::Weighted(_));
    let mut changes = Vec::new();
    for route in routes.steered.iter().rev() {
        let action = route.field("route");
        let old = |action: &Place<'_>| {
            action
                .key("cluster")
                .or_else(|| action.key("weighted_clusters"))
        };
        if let (true, Some((action, old))) = (
            several,
            action.and_then(|action| old(&action).map(|old| (action, old))),
        ) {
            let (key, value) = match form {
                AdoptForm::Wasm(_) => ("cluster_header", CLUSTER_HEADER.into()),
                AdoptForm::Module(name) => {
                    ("inline_cluster_specifier_plugin", module::specifier(name))
                }
            };
            changes.push(Change::ReplaceEntry(action.path, old, key.into(), value));
        }
        if matches!(form, AdoptForm::Wasm(_)) {
            changes.push(add_item(
                route,
                "request_headers_to_remove",
                CLUSTER_HEADER.into(),
            ));
        }
    }
    for route in routes.others.iter().rev() {
        let off = json!({"@type": "type.googleapis.com/envoy.config.route.v3.FilterConfig", "disabled": true});
        changes.push(match route.field("typed_per_filter_config") {
            Some(own) => Change::AddEntry(own.path, "spillgate".into(), off),
            None => Change::AddEntry(
                route.path.clone(),
                "typed_per_filter_config".into(),
                json!({"spillgate": off}),
            ),
        });
    }
    changes
}

/// The filters, and the removal of forged headers.
fn manager_changes(form: &AdoptForm, manager: &Place<'_>, config: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    let filters = manager.items("http_filters");
    // Criteria read headers that header_to_metadata can remove.
    let at = filters.iter().position(existing::is_header_filter);
    let kept = filters
        .iter()
        .filter(|filter| !filter.is_type("StatefulSession"))
        .count();
    let removed = filters.len() - kept;
    let router = kept.saturating_sub(1);
    let session = filters
        .iter()
        .position(|filter| filter.is_type("StatefulSession"));
    let at = at.map_or(router, |at| match session {
        Some(session) if session < at => at - removed,
        _ => at,
    });
    if let Some(list) = manager.field("http_filters") {
        let new = match form {
            AdoptForm::Wasm(file) => wasm::filters(config, file).to_vec(),
            AdoptForm::Module(name) => vec![module::filter(config, name)],
        };
        for filter in new.into_iter().rev() {
            changes.push(Change::AddItem(list.path.clone(), at, filter));
        }
    }
    if matches!(form, AdoptForm::Wasm(_)) {
        changes.push(add_item(
            manager,
            "early_header_mutation_extensions",
            wasm::early_mutation(),
        ));
    }
    changes
}
