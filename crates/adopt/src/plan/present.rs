//! The filter that a connection manager has already.

use serde_json::{Value, json};
use spillgate_config::{
    Diagnostic,
    envoy::{Format, ReadOptions, SourceText, SpillgateFilter, read_sources, read_with},
    filter::FilterForm,
    isolation::{ListFallback, isolates},
    node::to_json,
    steered::envoy_model,
};
use spillgate_core::model::ClusterKind;

use super::{
    files::Files,
    filter::balances,
    http_filter::http_filters,
    options::{AdoptForm, AdoptOptions, AdoptSessions},
    place::Place,
};

/// The filter that the connection manager has already, as the reader of configurations reads it.
pub(super) fn present(
    files: Files<'_>,
    manager: &Place<'_>,
) -> Result<Option<SpillgateFilter>, Vec<Diagnostic>> {
    for filter in http_filters(files, manager) {
        if filter.can_be(&[".Wasm", ".DynamicModuleFilter"]) {
            let what = "this filter comes by ECDS, so it can be the Spillgate filter already";
            let fault = filter.place.fault(files, what);
            return Err(vec![
                fault.expected("the file with its configuration as a further CONFIG"),
            ]);
        }
        if let Some(read) = filter.config.and_then(|config| read(config.value)) {
            return Ok(Some(read));
        }
    }
    Ok(None)
}

/// Reads a filter as that of a listener without routes.
fn read(config: &Value) -> Option<SpillgateFilter> {
    let manager = json!({
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "read",
        "route_config": {"virtual_hosts": []},
        "http_filters": [{"name": "read", "typed_config": config}],
    });
    let listener = json!({"static_resources": {"listeners": [{
        "name": "read",
        "filter_chains": [{"filters": [{"name": "manager", "typed_config": manager}]}],
    }]}});
    let options = ReadOptions::default();
    let read = read_with(&listener.to_string(), Format::Json, &options).ok()?;
    read.listeners
        .into_iter()
        .next()?
        .spillgate
        .into_iter()
        .next()
}

/// The configuration of a filter that is there.
///
/// # Errors
/// Why it is not JSON.
pub(super) fn configuration(filter: &SpillgateFilter) -> Result<Value, String> {
    let document = filter
        .config
        .as_ref()
        .map_err(|fault| fault.message.clone())?;
    let text = document.roots.first().map(to_json).unwrap_or_default();
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// What the filter that is there does not have of the options, one line each.
pub(super) fn differences(
    files: Files<'_>,
    filter: &SpillgateFilter,
    options: &AdoptOptions,
) -> Vec<String> {
    let mut lines = Vec::new();
    let config = configuration(filter).unwrap_or_else(|error| {
        lines.push(format!("its configuration is not JSON: {error}"));
        Value::Null
    });
    let (is, asked) = (filter.form, form_of(&options.form));
    if is != asked {
        let name = |form| match form {
            FilterForm::Wasm => "wasm",
            FilterForm::DynamicModule => "module",
        };
        lines.push(format!("--form {}: its form is {}", name(asked), name(is)));
    }
    if let Some(sessions) = options.sessions {
        let carrier = match sessions {
            AdoptSessions::Cookie => "cookie",
            AdoptSessions::Header => "header",
            AdoptSessions::Envelope => "envelope",
        };
        if config.pointer(&format!("/affinity/{carrier}")).is_none() {
            lines.push(format!(
                "--sessions {carrier}: it has no affinity.{carrier}"
            ));
        }
    }
    let criteria = config.get("criteria").and_then(Value::as_array);
    for (key, header) in &options.criteria {
        let wanted = json!({"key": key, "header": header});
        if !criteria.is_some_and(|criteria| criteria.contains(&wanted)) {
            lines.push(format!(
                "--criteria {key}={header}: it has no such criterion"
            ));
        }
    }
    let chain = config.get("subset_chain").and_then(Value::as_array);
    let steps = chain
        .into_iter()
        .flatten()
        .map(|step| step.get("keys").cloned());
    let wanted = options.chain.iter().map(|keys| Some(json!(keys)));
    if !options.chain.is_empty() && !steps.eq(wanted) {
        lines.push("--chain: its subset_chain has other steps".to_owned());
    }
    let has = |name: &str| balances(&config, name);
    let others = options.clusters.iter().filter(|name| !has(name));
    lines.extend(others.map(|name| format!("--cluster {name}: it does not balance this cluster")));
    let is = fallback(files, &config);
    if let (Some(asked), Some(is)) = (options.fallback, is)
        && asked != is
    {
        lines.push(format!(
            "--fallback: its clusters have {}",
            match is {
                ListFallback::Isolation => "isolation",
                ListFallback::Availability => "availability",
            }
        ));
    }
    lines
}

/// What serves in the clusters of the filter if no host of its list is left.
fn fallback(files: Files<'_>, config: &Value) -> Option<ListFallback> {
    let texts = files.0.iter();
    let sources: Vec<_> = texts
        .map(|text| SourceText::guess("", text.text()))
        .collect();
    let read = read_sources(&sources, &ReadOptions::default()).ok()?;
    let model = envoy_model(&read);
    let names = config.get("clusters")?.as_array()?.iter();
    let mut clusters = names.filter_map(|cluster| model.cluster(cluster.get("name")?.as_str()?));
    clusters.find_map(|cluster| match &cluster.kind {
        ClusterKind::Plain(plain) => Some(if plain.subsets.as_ref().is_some_and(isolates) {
            ListFallback::Isolation
        } else {
            ListFallback::Availability
        }),
        _ => None,
    })
}

/// The form as the reader names it.
const fn form_of(form: &AdoptForm) -> FilterForm {
    match form {
        AdoptForm::Wasm(_) => FilterForm::Wasm,
        AdoptForm::Module(_) => FilterForm::DynamicModule,
    }
}
