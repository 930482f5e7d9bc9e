//! From clusters to a configuration of the Spillgate filter.

use spillgate_config::{
    Diagnostic,
    envoy::{ListenerConfig, ListenerProtocol},
    filter::{self, FilterConfig, TargetConfig, filter_json},
    write::Written,
};
use spillgate_core::route::{Forward, HashPolicy, Route, RouteAction, RouteTarget};
use spillgate_core::visible::quoted;

use super::{ExportSource, target::named_target};

/// The clusters, the target cluster and the hash policies of the routes to it.
///
/// # Errors
/// If the target is ambiguous or unknown, and every cluster setting that the filter does not support.
pub(crate) fn filter_file(source: &ExportSource<'_>) -> Result<Written, Vec<Diagnostic>> {
    let target = filter_target(source)?;
    let (config, warning) = filter_of(source, target);
    let written = checked_filter(&config, "")?;
    Ok(Written {
        warnings: written.warnings.into_iter().chain(warning).collect(),
        ..written
    })
}

/// The target of the filter. A route that splits requests between it and other clusters is an error,
/// because the split would be lost.
///
/// # Errors
/// If the target is ambiguous, unknown or part of a split.
pub(crate) fn filter_target(source: &ExportSource<'_>) -> Result<String, Vec<Diagnostic>> {
    let target = named_target(source.model, source.target).map_err(|fault| vec![*fault])?;
    let splits = |route: &&Route| has_several(route) && route.clusters().any(|name| name == target);
    match http_routes(source.listeners).find(splits) {
        None => Ok(target),
        Some(route) => {
            let what = "a route splits requests between clusters, which this output cannot express";
            let names: Vec<&str> = route.clusters().collect();
            let fault = Diagnostic::error("export/target", what).found(names.join(", "));
            Err(vec![fault.expected("an Envoy bootstrap")])
        }
    }
}

/// Whether a route has several clusters, or chooses one by a request.
const fn has_several(route: &Route) -> bool {
    matches!(
        &route.action,
        RouteAction::Forward(Forward {
            target: RouteTarget::Weighted(_) | RouteTarget::Matched(_),
            ..
        })
    )
}

/// The routes of HTTP requests: the filter runs on no others.
fn http_routes(listeners: &[ListenerConfig]) -> impl Iterator<Item = &Route> {
    listeners
        .iter()
        .filter(|listener| listener.protocol == ListenerProtocol::Http)
        .flat_map(|listener| &listener.routes.virtual_hosts)
        .flat_map(|host| &host.routes)
}

/// The configuration for a target, and a warning if its routes differ in what the filter has once. The
/// other settings of the filter keep their defaults.
pub(crate) fn filter_of(
    source: &ExportSource<'_>,
    target: String,
) -> (FilterConfig, Option<Diagnostic>) {
    let (hash_policies, warning) = hash_policies(source.listeners, &target);
    let config = FilterConfig {
        hash_policies,
        ..FilterConfig::new(source.model.clone(), TargetConfig::Always(target))
    };
    (config, warning)
}

/// The text of a configuration that the filter accepts. `first` has fields that cannot be written from a
/// [`FilterConfig`], as JSON text with a comma after each; usually empty.
///
/// # Errors
/// Every cluster setting that the filter does not support.
pub(crate) fn checked_filter(
    config: &FilterConfig,
    first: &str,
) -> Result<Written, Vec<Diagnostic>> {
    let mut written = filter_json(config)?;
    if let Some(fields) = written.text.strip_prefix('{') {
        written.text = format!("{{{first}{fields}");
    }
    // The generated text has not been printed, so its positions would mislead.
    let without_position = |fault: Diagnostic| Diagnostic {
        position: None,
        ..fault
    };
    match filter::read(&written.text) {
        Ok(_) => Ok(written),
        Err(faults) => Err(faults.into_iter().map(without_position).collect()),
    }
}

/// The hash policies of the first route to the cluster; a warning if other routes differ.
fn hash_policies(
    listeners: &[ListenerConfig],
    cluster: &str,
) -> (Vec<HashPolicy>, Option<Diagnostic>) {
    let mut found = http_routes(listeners)
        .filter(|route| route.cluster() == Some(cluster))
        .filter_map(|route| match &route.action {
            RouteAction::Forward(forward) => Some(&forward.hash_policies),
            _ => None,
        });
    let first = found.next().cloned().unwrap_or_default();
    let warning = found.any(|other| *other != first).then(|| {
        let what = "routes to the cluster have different hash_policy; using the first";
        Diagnostic::warning("export/hash-policy", what).found(quoted(cluster))
    });
    (first, warning)
}
