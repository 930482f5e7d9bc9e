//! The clusters with the policy of the dynamic module, as attempts see them that its filter has not
//! decided.

use alloc::{borrow::Cow, string::String, vec::Vec};

use spillgate_core::{
    model::{Cluster, ClusterKind, Model, PlainCluster},
    route::{HashPolicy, HashSource},
};

use super::{model_in, steering_configs};
use crate::{
    envoy::EnvoyConfig,
    filter::{FilterConfig, FilterForm},
    isolation::{ISOLATION_KEY, isolated},
};

/// The clusters of Envoy. Those with the policy of the dynamic module get the settings by which the policy
/// chooses: the ones of the filter's configuration, or no host where it refuses such attempts.
#[must_use]
pub fn envoy_model(envoy: &EnvoyConfig) -> Cow<'_, Model> {
    let undecided = |cluster: &Cluster| envoy.marks.cluster(&cluster.name)?.undecided;
    let clusters = envoy.model.clusters();
    if !clusters.iter().any(|cluster| undecided(cluster).is_some()) {
        return Cow::Borrowed(&envoy.model);
    }
    let filters = module_filters(envoy);
    let known = |cluster: &str, (_, unknown): &&(FilterConfig, Vec<String>)| {
        !unknown.iter().any(|name| name == cluster)
    };
    let mut resolved = envoy.model.clone();
    for (at, cluster) in clusters.iter().enumerate().rev() {
        if let (ClusterKind::Plain(plain), Some(undecided)) = (&cluster.kind, undecided(cluster)) {
            // Of several filters of its file for a cluster, the policy uses the last one.
            let mut own = filters
                .iter()
                .filter(|(filter, _)| filter.model.cluster(&cluster.name).is_some())
                .filter(|filter| known(&cluster.name, filter));
            let restricts = |(filter, _): &(FilterConfig, _)| filter.restricts_hosts();
            let refused = undecided.refused(own.clone().any(restricts));
            let filter = own.next_back().map(|(filter, _)| filter);
            let model = filter.map(|filter| model_in(filter, &envoy.model, &[]));
            let settings = model
                .as_ref()
                .and_then(|model| model.cluster(&cluster.name));
            let mut in_policy = in_policy(plain, settings, refused);
            if let Some(filter) = filter {
                in_policy.hash_policies = hash_policies(filter);
            }
            let changed = resolved.change(at, |kind| *kind = ClusterKind::Plain(in_policy));
            if changed.is_err() {
                // Both have legal hosts. Otherwise no attempt would find one of them.
                resolved.retain(|kept| kept.name != cluster.name);
            }
        }
    }
    Cow::Owned(resolved)
}

/// The configurations of the dynamic module in all listeners, each with the clusters whose hosts it does not
/// know.
fn module_filters(envoy: &EnvoyConfig) -> Vec<(FilterConfig, Vec<String>)> {
    let of_listener = envoy.listeners.iter().flat_map(|listener| {
        let read = steering_configs(listener);
        let configs = read.configs.into_iter().zip(read.unknown);
        listener.spillgate.iter().zip(configs)
    });
    of_listener
        .filter(|(filter, _)| filter.form == FilterForm::DynamicModule)
        .filter_map(|(_, (config, unknown))| Some((config?, unknown)))
        .collect()
}

/// The hash policies of the module's policy: those of the filter. Without any, no request has a hash, whatever the
/// route says.
fn hash_policies(filter: &FilterConfig) -> Vec<HashPolicy> {
    if !filter.hash_policies.is_empty() {
        return filter.hash_policies.clone();
    }
    let none = HashSource::FilterState {
        key: ISOLATION_KEY.into(),
    };
    Vec::from([HashPolicy {
        source: none,
        terminal: false,
    }])
}

/// A cluster of Envoy with the settings of the module's policy.
fn in_policy(envoys: &PlainCluster, own: Option<&Cluster>, refused: bool) -> PlainCluster {
    if refused {
        return isolated(envoys.clone());
    }
    match own.map(|own| &own.kind) {
        Some(ClusterKind::Plain(own)) => PlainCluster {
            override_hosts: envoys.override_hosts.clone(),
            override_statuses: envoys.override_statuses,
            drop_overload: envoys.drop_overload,
            ..own.clone()
        },
        // The policy uses the healthy hosts of a cluster that no filter describes in turn.
        _ => envoys.clone(),
    }
}
