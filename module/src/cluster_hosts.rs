//! The hosts of a cluster, as Envoy's load balancer has them.

use std::sync::Arc;

use spillgate_core::model::{
    Endpoint, Health, HealthStatus, Locality, Metadata, Priority, Value, Weight,
};

use crate::{
    abi::{BalancerHandle, HostHealth, HostPlace, LocalityNames},
    draining::Draining,
};

/// The namespace of subset metadata.
const METADATA: &str = "envoy.lb";
/// The metadata key that replaces the address in hash tables.
const HASH_KEY: &str = "hash_key";

/// Reads all hosts, with these keys of their metadata.
pub(crate) fn read(balancer: &BalancerHandle<'_>, keys: &[Arc<str>]) -> Vec<Priority> {
    let priorities = 0..balancer.priorities();
    priorities
        .map(|number| priority(balancer, number, keys))
        .collect()
}

/// Marks the draining ones of the unhealthy hosts.
pub(crate) fn mark_draining(hosts: &mut [Priority], draining: &mut Draining, excluded: usize) {
    let endpoints = || hosts.iter().flat_map(|priority| &priority.endpoints);
    let unhealthy = endpoints().filter(|host| host.health.status == HealthStatus::Unhealthy);
    draining.update(
        unhealthy.map(|host| host.address.clone()).collect(),
        excluded,
    );
    for host in hosts
        .iter_mut()
        .flat_map(|priority| &mut priority.endpoints)
    {
        if host.health.status == HealthStatus::Unhealthy && draining.contains(&host.address) {
            host.health = Health::from_status(HealthStatus::Draining);
        }
    }
}

fn priority(balancer: &BalancerHandle<'_>, number: u32, keys: &[Arc<str>]) -> Priority {
    let mut priority = Priority::default();
    let mut last: Option<(LocalityNames<'_>, usize)> = None;
    for host in 0..balancer.hosts(number) {
        let at = HostPlace {
            priority: number,
            host,
        };
        let names = balancer.locality(at);
        // Neighbors usually share their locality.
        let locality = match last {
            Some((known, index)) if known == names => index,
            _ => priority.locality_index(Locality {
                region: text(names.region),
                zone: text(names.zone),
                sub_zone: text(names.sub_zone),
            }),
        };
        last = Some((names, locality));
        priority
            .endpoints
            .push(endpoint(balancer, at, locality, keys));
    }
    set_locality_weights(balancer, number, &mut priority);
    priority
}

fn endpoint(
    balancer: &BalancerHandle<'_>,
    at: HostPlace,
    locality: usize,
    keys: &[Arc<str>],
) -> Endpoint {
    let status = match balancer.health(at) {
        HostHealth::Unhealthy => HealthStatus::Unhealthy,
        HostHealth::Degraded => HealthStatus::Degraded,
        HostHealth::Healthy => HealthStatus::Healthy,
    };
    let fields = keys
        .iter()
        .filter_map(|key| Some((key.clone(), value(balancer, at, key)?)));
    Endpoint {
        address: balancer.address(at),
        weight: Weight::new(balancer.weight(at)).unwrap_or_default(),
        health: Health::from_status(status),
        locality,
        hash_key: balancer
            .metadata_text(at, METADATA, HASH_KEY)
            .map(text)
            .filter(|key| !key.is_empty()),
        metadata: Metadata::new(fields),
        ..Endpoint::default()
    }
}

fn value(balancer: &BalancerHandle<'_>, at: HostPlace, key: &str) -> Option<Value> {
    if let Some(text) = balancer.metadata_text(at, METADATA, key) {
        return Some(Value::Text(String::from_utf8_lossy(text).into()));
    }
    if let Some(number) = balancer.metadata_number(at, METADATA, key) {
        return Some(Value::Number(number));
    }
    balancer.metadata_bool(at, METADATA, key).map(Value::Bool)
}

/// Envoy orders the localities by name. It has a list of them only if it knows all of them.
fn set_locality_weights(balancer: &BalancerHandle<'_>, number: u32, priority: &mut Priority) {
    let weights: Vec<u32> = balancer.locality_weights(number).collect();
    if weights.len() != priority.localities.len() {
        return;
    }
    let mut order: Vec<&mut _> = priority.localities.iter_mut().collect();
    order.sort_by(|a, b| a.locality.cmp(&b.locality));
    for (locality, weight) in order.into_iter().zip(weights) {
        locality.weight = (weight > 0).then_some(weight);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
