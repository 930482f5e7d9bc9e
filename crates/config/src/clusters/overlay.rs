//! A configuration with the hosts of a running Envoy.

use alloc::{format, string::String, sync::Arc, vec::Vec};

use spillgate_core::{
    model::{Cluster, ClusterKind, Model},
    names::Names,
};

use super::ClusterStatus;
use crate::{
    Affects, Diagnostic,
    envoy::{
        ClusterMarks, EnvoyConfig, has_hosts, limit_unknown_zone, removed_hosts, replace_hosts,
        settle, settle_clusters,
    },
    node::quote,
};

/// Applies a `/clusters` response to the clusters of a configuration. Every cluster of the response
/// gets its hosts, in that order, with their health; the others keep their configured hosts.
/// Removes warnings that no longer apply.
///
/// Returns warnings about differences between the response and the configuration.
///
/// # Examples
/// ```
/// use spillgate_config::{clusters, envoy::{Format, read}};
///
/// let text = r#"{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
///     {"lb_endpoints": [{"endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
/// let mut config = read(text, Format::Json)?;
/// let answer = clusters::read("shop::10.0.0.2:80::health_flags::healthy\n")?;
/// clusters::lay_over(&answer, &mut config);
/// assert_eq!(config.model.clusters()[0].priorities()[0].endpoints[0].address, "10.0.0.2:80");
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
#[must_use]
pub fn lay_over(statuses: &[ClusterStatus<'_>], config: &mut EnvoyConfig) -> Vec<Diagnostic> {
    let EnvoyConfig {
        model,
        marks,
        warnings,
        ..
    } = config;
    let mut names = Names::default();
    for (at, status) in statuses.iter().enumerate() {
        names.insert(&status.name, at);
    }
    let mut found = Vec::new();
    let mut silent = Vec::new();
    let mut complete = true;
    let configured = model.clone();
    for (at, cluster) in configured.clusters().iter().enumerate() {
        if !matches!(cluster.kind, ClusterKind::Plain(_)) {
            continue;
        }
        let Some(status) = names.get(&cluster.name).and_then(|at| statuses.get(at)) else {
            complete = false;
            silent.push(cluster.name.as_str());
            continue;
        };
        let mut marks = marks.cluster_mut(&cluster.name);
        found.extend(with_hosts_of(model, at, marks.as_deref_mut(), status));
        let changed = model.clusters().get(at).map(|changed| &changed.kind);
        if let Some(ClusterKind::Plain(plain)) = changed {
            // The cluster has the setting that would end this.
            warnings.extend(removed_hosts(&cluster.name, plain, marks.as_deref()));
            complete &= has_hosts(&plain.priorities);
        }
    }
    let silent = named(&silent);
    if let Some(names) = silent {
        let what = "/clusters omits clusters; keeping their configured hosts";
        found.push(Diagnostic::warning("clusters/missing-cluster", what).found(names));
    }
    found.extend(unknown(statuses, configured.clusters()));
    if complete {
        settle(warnings);
    }
    settle_clusters(warnings, |name| marks.knows_hosts(name));
    warnings.retain(|warning| match &warning.affects {
        Affects::Cluster(name) => warning.code != "config/dns-name" || !names.contains(name),
        _ => true,
    });
    limit_unknown_zone(model, marks, warnings);
    found
}

/// Gives the cluster with this index the hosts of a response.
pub(super) fn with_hosts_of(
    model: &mut Model,
    at: usize,
    marks: Option<&mut ClusterMarks>,
    status: &ClusterStatus<'_>,
) -> Vec<Diagnostic> {
    let changed = model.change(at, |kind| match kind {
        ClusterKind::Plain(plain) => replace_hosts(plain, marks, status),
        _ => None,
    });
    match changed {
        Ok(found) => found.flatten().into_iter().collect(),
        Err(errors) => {
            let errors = errors.iter();
            errors
                .map(|error| Diagnostic::error("config/unusable", format!("{error}")))
                .collect()
        }
    }
}

fn unknown(statuses: &[ClusterStatus<'_>], clusters: &[Arc<Cluster>]) -> Option<Diagnostic> {
    let mut known = Names::default();
    for cluster in clusters {
        known.add(&cluster.name);
    }
    let unknown = statuses
        .iter()
        .filter(|status| !known.contains(&status.name));
    let unknown: Vec<&str> = unknown.map(|status| status.name.as_ref()).collect();
    let what = "clusters not in the configuration; skipped";
    named(&unknown).map(|names| Diagnostic::warning("clusters/unknown-cluster", what).found(names))
}

/// The first names of a list and the number of further names.
fn named(names: &[&str]) -> Option<String> {
    const SHOWN: usize = 5;
    if names.is_empty() {
        return None;
    }
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| quote(name)).collect();
    let more = names.len().saturating_sub(SHOWN);
    Some(match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    })
}
