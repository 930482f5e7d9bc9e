//! `spillgate export --to filter`: from an Envoy configuration to one of the Spillgate filter.

use spillgate_config::{
    Diagnostic,
    envoy::EnvoyConfig,
    filter::{self, FilterConfig, TargetConfig, filter_json},
    nearest,
    write::Written,
};
use spillgate_core::{
    model::{ClusterKind, Model},
    route::{HashPolicy, RouteAction},
};

/// The clusters, the target cluster and the hash policies of the routes to it.
///
/// # Errors
/// If the target is ambiguous or unknown, and every cluster setting that the filter does not support.
pub(super) fn export(
    config: &EnvoyConfig,
    target: Option<&str>,
) -> Result<Written, Vec<Diagnostic>> {
    let target = named_target(&config.model, target).map_err(|fault| vec![*fault])?;
    let (hash_policies, warning) = hash_policies(config, &target);
    // The other settings of the filter keep their defaults.
    let written = filter_json(&FilterConfig {
        hash_policies,
        ..FilterConfig::new(config.model.clone(), TargetConfig::Always(target))
    })?;
    // The generated text has not been printed, so its positions would mislead.
    let without_position = |fault: Diagnostic| Diagnostic {
        position: None,
        ..fault
    };
    match filter::read(&written.text) {
        Ok(_) => Ok(Written {
            warnings: written.warnings.into_iter().chain(warning).collect(),
            ..written
        }),
        Err(faults) => Err(faults.into_iter().map(without_position).collect()),
    }
}

/// The cluster of `--target`, or the only one outside of aggregates.
pub(super) fn named_target(model: &Model, name: Option<&str>) -> Result<String, Box<Diagnostic>> {
    let names = || model.clusters().iter().map(|cluster| cluster.name.as_str());
    if let Some(name) = name {
        return match model.cluster(name) {
            Some(cluster) => Ok(cluster.name.clone()),
            None => Err(Box::new(
                Diagnostic::error("export/unknown-cluster", "--target: unknown cluster")
                    .found(format!("{name:?}"))
                    .suggest(nearest(name, names())),
            )),
        };
    }
    let is_member = |name: &str| {
        model.clusters().iter().any(|cluster| match &cluster.kind {
            ClusterKind::Aggregate(aggregate) => aggregate.members.iter().any(|m| m == name),
            _ => false,
        })
    };
    let roots: Vec<&str> = names().filter(|name| !is_member(name)).collect();
    match roots.as_slice() {
        [only] => Ok((*only).to_owned()),
        roots => Err(Box::new(
            Diagnostic::error("export/target", "no single target cluster")
                .found(match roots {
                    [] => "no cluster outside of aggregates".to_owned(),
                    roots => roots.join(", "),
                })
                .expected("--target NAME"),
        )),
    }
}

/// The hash policies of the first route to the cluster; a warning if other routes differ.
fn hash_policies(config: &EnvoyConfig, cluster: &str) -> (Vec<HashPolicy>, Option<Diagnostic>) {
    let listeners = config.listeners.iter();
    let mut found = listeners
        .flat_map(|listener| &listener.routes.virtual_hosts)
        .flat_map(|host| &host.routes)
        .filter(|route| route.cluster() == Some(cluster))
        .filter_map(|route| match &route.action {
            RouteAction::Forward(forward) => Some(&forward.hash_policies),
            _ => None,
        });
    let first = found.next().cloned().unwrap_or_default();
    let warning = found.any(|other| *other != first).then(|| {
        let what = "routes to the cluster have different hash_policy; using the first";
        Diagnostic::warning("export/hash-policy", what).found(format!("{cluster:?}"))
    });
    (first, warning)
}
