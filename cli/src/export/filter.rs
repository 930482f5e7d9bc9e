//! From an Envoy configuration to one for the filter.

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

/// The clusters, the one that is balanced, and how routes to it hash requests.
///
/// # Errors
/// When it is not clear which cluster that is, and everything that this version of the filter does
/// not support of the clusters.
pub(super) fn export(
    config: &EnvoyConfig,
    target: Option<&str>,
) -> Result<Written, Vec<Diagnostic>> {
    let target = named_target(&config.model, target).map_err(|fault| vec![*fault])?;
    let (hash_policies, doubt) = hash_policies(config, &target);
    // The filter looks at nothing but clusters; its defaults stand for the rest.
    let written = filter_json(&FilterConfig {
        hash_policies,
        ..FilterConfig::new(config.model.clone(), TargetConfig::Always(target))
    })?;
    // Positions in a text that nobody has seen would mislead.
    let without_position = |fault: Diagnostic| Diagnostic {
        position: None,
        ..fault
    };
    match filter::read(&written.text) {
        Ok(_) => Ok(Written {
            warnings: written.warnings.into_iter().chain(doubt).collect(),
            ..written
        }),
        Err(faults) => Err(faults.into_iter().map(without_position).collect()),
    }
}

fn named_target(model: &Model, name: Option<&str>) -> Result<String, Box<Diagnostic>> {
    let names = || model.clusters().iter().map(|cluster| cluster.name.as_str());
    if let Some(name) = name {
        return match model.cluster(name) {
            Some(cluster) => Ok(cluster.name.clone()),
            None => Err(Box::new(
                Diagnostic::error(
                    "export/unknown-cluster",
                    "--target: no cluster has this name",
                )
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
            Diagnostic::error("export/target", "it is not clear which cluster is balanced")
                .found(match roots {
                    [] => "no cluster".to_owned(),
                    roots => roots.join(", "),
                })
                .expected("--target NAME"),
        )),
    }
}

/// Those of the first route to the cluster; a doubt where another route to it has others.
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
    let doubt = found.any(|other| *other != first).then(|| {
        let what = "routes to the cluster differ in their hash_policy; the first one's is taken";
        Diagnostic::warning("export/hash-policy", what).found(format!("{cluster:?}"))
    });
    (first, doubt)
}
