//! The clusters of a filter with the hosts of its Envoy.

use alloc::{borrow::Cow, string::String, vec::Vec};

use spillgate_core::model::{Cluster, ClusterKind, Model, PlainCluster, Priority};

use crate::{
    Position,
    clusters::{HostLocality, HostStatus, LiveHosts},
    envoy::has_hosts,
    filter::{FilterConfig, HealthSource},
};

/// The clusters of a filter inside an Envoy with these clusters.
///
/// With `health.source: static` they are the configured ones. With `admin`, and in the dynamic
/// module, they have the hosts of Envoy's clusters, as after one successful poll; a cluster that Envoy does
/// not have, or whose hosts are `unknown` to the filter, has no hosts. If the polls of the Wasm filter fail, so
/// that some are unknown, the others have the configured hosts.
#[must_use]
pub fn model_in(filter: &FilterConfig, envoy: &Model, unknown: &[String]) -> Model {
    let mut model = filter.model.clone();
    if filter.health != HealthSource::Static {
        for at in 0..model.clusters().len() {
            let own = model.clusters().get(at);
            let polls = matches!(filter.health, HealthSource::Admin(_));
            let polled = own.and_then(|own| {
                if unknown.contains(&own.name) {
                    Some(Vec::new())
                } else if polls && !unknown.is_empty() {
                    None
                } else {
                    polled(own, envoy)
                }
            });
            if let Some(polled) = polled {
                let set = model.set_priorities(at, polled);
                debug_assert_eq!(set, Ok(()), "the localities are those of Envoy's model");
            }
        }
    }
    model
}

/// The priorities of a cluster after a poll. `None` for a cluster without its own hosts.
fn polled(own: &Cluster, envoy: &Model) -> Option<Vec<Priority>> {
    let ClusterKind::Plain(own_cluster) = &own.kind else {
        return None;
    };
    let Some(ClusterKind::Plain(envoys)) = envoy.cluster(&own.name).map(|found| &found.kind) else {
        return Some(Vec::new());
    };
    // If the configuration has no endpoints, Envoy's configuration provides their metadata.
    let configured = if has_hosts(&own_cluster.priorities) {
        &own_cluster.priorities
    } else {
        &envoys.priorities
    };
    Some(LiveHosts::new(configured, &statuses(envoys)).priorities)
}

/// The hosts of a cluster as `/clusters` reports them.
fn statuses(cluster: &PlainCluster) -> Vec<HostStatus<'_>> {
    let priorities = (0_u32..).zip(&cluster.priorities);
    let hosts = priorities.flat_map(|(number, priority)| {
        priority.endpoints.iter().map(move |endpoint| {
            let locality = priority.localities.get(endpoint.locality);
            let name = |name: &'_ str| Some(Cow::Owned(name.into()));
            HostStatus {
                health: Some(endpoint.health),
                weight: Some(endpoint.weight),
                priority: Some(number),
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
