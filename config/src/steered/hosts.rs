//! The clusters of a filter with the hosts of the Envoy that runs it.

use alloc::{borrow::Cow, vec::Vec};

use spillgate_core::model::{Cluster, ClusterKind, Level, Model, PlainCluster};

use crate::{
    Position,
    clusters::{HostLocality, HostStatus, LiveHosts},
    filter::{FilterConfig, Health},
};

/// The clusters that a filter balances, inside an Envoy with these clusters.
///
/// With `health.source: static` they are the configured ones. With `admin` they have the hosts of
/// Envoy's clusters, as after one successful poll; a cluster that Envoy does not have has no hosts.
#[must_use]
pub fn model_in(filter: &FilterConfig, envoy: &Model) -> Model {
    let mut model = filter.model.clone();
    if let Health::Admin(_) = filter.health {
        for at in 0..model.clusters().len() {
            let polled = model.clusters().get(at).and_then(|own| polled(own, envoy));
            if let (Some(polled), Some(levels)) = (polled, model.levels_mut(at)) {
                *levels = polled;
            }
        }
    }
    model
}

/// The priorities of a cluster after a poll. `None` for a cluster without hosts of its own.
fn polled(own: &Cluster, envoy: &Model) -> Option<Vec<Level>> {
    let ClusterKind::Plain(own_cluster) = &own.kind else {
        return None;
    };
    let Some(ClusterKind::Plain(envoys)) = envoy.cluster(&own.name).map(|found| &found.kind) else {
        return Some(Vec::new());
    };
    // Where the configuration has no endpoints, a dump of Envoy's provides their metadata.
    let configured = match has_endpoints(own_cluster) {
        true => &own_cluster.levels,
        false => &envoys.levels,
    };
    Some(LiveHosts::new(configured, &statuses(envoys)).levels)
}

fn has_endpoints(cluster: &PlainCluster) -> bool {
    cluster
        .levels
        .iter()
        .any(|level| !level.endpoints.is_empty())
}

/// What `/clusters` reports of the hosts of a cluster.
fn statuses(cluster: &PlainCluster) -> Vec<HostStatus<'_>> {
    let levels = (0_u32..).zip(&cluster.levels);
    let hosts = levels.flat_map(|(priority, level)| {
        level.endpoints.iter().map(move |endpoint| {
            let locality = level.localities.get(endpoint.locality);
            let name = |name: &'_ str| Some(Cow::Owned(name.into()));
            HostStatus {
                health: Some(endpoint.health),
                weight: Some(endpoint.weight),
                priority: Some(priority),
                locality: locality.map_or_else(HostLocality::default, |of| HostLocality {
                    region: name(&of.locality.region),
                    zone: name(&of.locality.zone),
                    sub_zone: name(&of.locality.sub_zone),
                }),
                ..HostStatus::new(Cow::Borrowed(&endpoint.address), Position::START)
            }
        })
    });
    hosts.collect()
}
