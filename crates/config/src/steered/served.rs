//! The clusters that requests reach in an Envoy with a Spillgate filter.

use alloc::{format, string::String, sync::Arc, vec::Vec};

use spillgate_core::model::{Cluster, ClusterKind, Model};

use super::{model_in, steering_configs};
use crate::{
    Diagnostic,
    envoy::{EnvoyConfig, SpillgateFilter},
    filter::{FilterConfig, UnknownHostsPolicy},
};

/// The clusters that requests reach.
#[derive(Debug)]
pub struct ServedModel {
    /// The clusters.
    pub model: Model,
    /// Whether a Spillgate filter chooses their hosts.
    pub steered: bool,
    /// Warnings about omitted parts of the configuration.
    pub warnings: Vec<Diagnostic>,
}

/// The clusters that requests reach. If a listener has a Spillgate filter, its clusters replace
/// Envoy's clusters of the same names, because it chooses their hosts.
///
/// `None` without such a filter: the clusters of the configuration apply.
#[must_use]
pub fn effective_model(envoy: &EnvoyConfig) -> Option<ServedModel> {
    let mut warnings = Vec::new();
    let mut steered = None;
    for listener in &envoy.listeners {
        let read = steering_configs(listener);
        warnings.extend(read.warnings);
        let configs = read.configs.into_iter().zip(read.unknown);
        for (filter, (config, unknown)) in listener.spillgate.iter().zip(configs) {
            match (&steered, config) {
                (None, Some(config)) => {
                    let model = model_in(&config, &envoy.model, &unknown);
                    let passed = passed(&config, &unknown);
                    let mut served = model;
                    served.retain(|cluster| !passed.contains(&cluster.name));
                    steered = Some((filter, served));
                }
                (Some((first, _)), Some(_)) => warnings.push(several(first, filter)),
                (_, None) => {}
            }
        }
    }
    let Some((filter, steered)) = steered else {
        return (!warnings.is_empty()).then(|| ServedModel {
            model: envoy.model.clone(),
            steered: false,
            warnings,
        });
    };
    let is_other = |cluster: &&Arc<Cluster>| steered.cluster(&cluster.name).is_none();
    let others = envoy.model.clusters().iter().filter(is_other).cloned();
    let others: Vec<Arc<Cluster>> = others.collect();
    let (local, chain) = (steered.local().clone(), steered.chain().clone());
    let model = if !chain.is_empty() && !others.is_empty() {
        // The chain of a model applies to all of its clusters.
        let reason = "the filter's subset fallback chain does not apply to";
        warnings.push(left_out(filter, reason, &others));
        steered
    } else {
        let clusters = steered.clusters().iter().chain(&others).cloned();
        match Model::shared(clusters.collect()) {
            Ok(model) => model.with_local(local).with_chain(chain),
            // An aggregate of Envoy and one of the filter can contain each other.
            Err(errors) => {
                let errors: Vec<String> = errors.iter().map(|error| format!("{error}")).collect();
                let reason = format!("{}, with", errors.join("; "));
                warnings.push(left_out(filter, &reason, &others));
                steered
            }
        }
    };
    Some(ServedModel {
        model,
        steered: true,
        warnings,
    })
}

/// The clusters whose requests the filter passes through without a decision: Envoy chooses their hosts. A
/// member of an aggregate that has known ones is only without hosts.
fn passed(config: &FilterConfig, unknown: &[String]) -> Vec<String> {
    if config.on_unknown() == UnknownHostsPolicy::Refuse {
        return Vec::new();
    }
    let clusters = config.model.clusters().iter();
    let aggregates = clusters.filter_map(|cluster| match &cluster.kind {
        ClusterKind::Aggregate(aggregate) => Some((&cluster.name, &aggregate.members)),
        _ => None,
    });
    let mut passed = unknown.to_vec();
    for (name, members) in aggregates {
        let members = members.iter();
        if members.clone().all(|member| unknown.contains(member)) {
            passed.push(name.clone());
        } else {
            passed.retain(|name| !members.clone().any(|member| member == name));
        }
    }
    passed
}

fn several(first: &SpillgateFilter, other: &SpillgateFilter) -> Diagnostic {
    let message = format!(
        "several Spillgate filters; using the first, \"{}\"",
        first.name
    );
    Diagnostic::warning("config/several-filters", message).at(other.path.as_str(), other.position)
}

/// Clusters of Envoy that are not in the answer.
fn left_out(filter: &SpillgateFilter, reason: &str, others: &[Arc<Cluster>]) -> Diagnostic {
    let names: Vec<&str> = others.iter().map(|cluster| cluster.name.as_str()).collect();
    let message = format!("{reason} {}; omitted", names.join(", "));
    Diagnostic::warning("config/not-steered", message).at(filter.path.as_str(), filter.position)
}
