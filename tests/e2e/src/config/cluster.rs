//! Clusters as Envoy messages.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm;
use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, Endpoint, HashFunction, PlainCluster, Policy,
};

use super::address::socket_address;
use super::steered_policy::{Unlisted, steer_cluster};

/// The cluster that Envoy balances by itself; the filter's configuration holds the same message.
///
/// # Errors
/// When a host is not `ip:port`.
pub fn native(cluster: &Cluster) -> Result<Value> {
    match &cluster.kind {
        ClusterKind::Plain(plain) => {
            let mut message = native_plain(&cluster.name, plain)?;
            message["load_assignment"] = assignment(cluster)?;
            Ok(message)
        }
        ClusterKind::Aggregate(aggregate) => Ok(native_aggregate(&cluster.name, aggregate)),
        ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => {
            bail!("{} has no hosts of its own", cluster.name)
        }
    }
}

/// A composite cluster with these members, in the order of attempts.
#[must_use]
pub fn composite(name: &str, members: &[&str]) -> Value {
    let members = members.iter().map(|name| json!({"name": name}));
    json!({
        "name": name,
        "connect_timeout": "2s",
        "lb_policy": "CLUSTER_PROVIDED",
        "cluster_type": {
            "name": "envoy.clusters.composite",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.clusters.composite.v3.ClusterConfig",
                "clusters": members.collect::<Vec<_>>(),
            },
        },
    })
}

fn native_plain(name: &str, plain: &PlainCluster) -> Result<Value> {
    let mut message = json!({
        "name": name,
        "type": "STATIC",
        "connect_timeout": "2s",
        "lb_policy": plain.policy.name(),
        "common_lb_config": {"healthy_panic_threshold": {"value": plain.panic_threshold.percent()}},
    });
    match plain.policy {
        Policy::RingHash(ring) => {
            message["ring_hash_lb_config"] = json!({
                "minimum_ring_size": ring.minimum_ring_size(),
                "maximum_ring_size": ring.maximum_ring_size(),
                "hash_function": match ring.hash_function() {
                    HashFunction::XxHash => "XX_HASH",
                    HashFunction::MurmurHash2 => "MURMUR_HASH_2",
                },
            });
        }
        Policy::Maglev(maglev) => {
            message["maglev_lb_config"] = json!({"table_size": maglev.table_size()});
        }
        Policy::RoundRobin | Policy::Random => {}
        ref other => bail!("{} is not supported in a cluster for Envoy", other.name()),
    }
    Ok(message)
}

fn native_aggregate(name: &str, aggregate: &AggregateCluster) -> Value {
    let threshold = aggregate.panic_threshold.percent();
    json!({
        "name": name,
        "connect_timeout": "2s",
        "lb_policy": "CLUSTER_PROVIDED",
        "common_lb_config": {"healthy_panic_threshold": {"value": threshold}},
        "cluster_type": {
            "name": "envoy.clusters.aggregate",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
                "clusters": aggregate.members,
            },
        },
    })
}

/// The cluster that uses the hosts which the filter chose. Requests without a host of the list fall
/// back to RANDOM over all hosts, so that a test of hashed keys would see it at once.
///
/// # Errors
/// When a host is not `ip:port`.
pub fn steered(form: FilterForm, cluster: &Cluster) -> Result<Value> {
    with_policy(form, cluster, Unlisted::Served)
}

/// The cluster that uses the hosts which the filter chose, and no others: requests without a host
/// of the list get 503.
///
/// # Errors
/// When a host is not `ip:port`.
pub fn isolated(form: FilterForm, cluster: &Cluster) -> Result<Value> {
    with_policy(form, cluster, Unlisted::Refused)
}

fn with_policy(form: FilterForm, cluster: &Cluster, unlisted: Unlisted) -> Result<Value> {
    let mut message = json!({
        "name": cluster.name,
        "type": "STATIC",
        "connect_timeout": "2s",
        "load_assignment": assignment(cluster)?,
    });
    steer_cluster(&mut message, form, unlisted);
    Ok(message)
}

/// A cluster that the filter steers, with its hosts from a watched file.
#[must_use]
pub fn eds(form: FilterForm, name: &str, file: &Path, unlisted: Unlisted) -> Value {
    let mut message = json!({
        "name": name,
        "type": "EDS",
        "connect_timeout": "2s",
        "eds_cluster_config": {"eds_config": {
            "resource_api_version": "V3",
            "path_config_source": {"path": file},
        }},
    });
    steer_cluster(&mut message, form, unlisted);
    message
}

/// The hosts of a cluster as a `ClusterLoadAssignment`.
///
/// # Errors
/// When it has none of its own, or a host is not `ip:port`.
pub fn assignment(cluster: &Cluster) -> Result<Value> {
    let ClusterKind::Plain(plain) = &cluster.kind else {
        bail!("{} is an aggregate", cluster.name);
    };
    let mut groups = Vec::new();
    for (number, priority) in plain.priorities.iter().enumerate() {
        for (index, locality) in priority.localities.iter().enumerate() {
            let of_locality = priority.endpoints.iter().filter(|e| e.locality == index);
            let endpoints = of_locality.map(lb_endpoint).collect::<Result<Vec<_>>>()?;
            let (place, weight) = (&locality.locality, locality.weight);
            let mut group = json!({
                "priority": number,
                "locality": {"region": place.region, "zone": place.zone, "sub_zone": place.sub_zone},
                "lb_endpoints": endpoints,
            });
            if let Some(weight) = weight {
                group["load_balancing_weight"] = json!(weight);
            }
            groups.push(group);
        }
    }
    Ok(json!({
        "cluster_name": cluster.name,
        "endpoints": groups,
        "policy": {
            "overprovisioning_factor": plain.overprovisioning_factor.0,
            "weighted_priority_health": plain.weighted_priority_health,
        },
    }))
}

fn lb_endpoint(endpoint: &Endpoint) -> Result<Value> {
    let (ip, port) = endpoint
        .address
        .rsplit_once(':')
        .context("a host is not ip:port")?;
    let mut message = json!({
        "endpoint": {"address": socket_address(ip, port.parse()?)},
        "health_status": endpoint.health.status.name(),
        "load_balancing_weight": endpoint.weight.get(),
    });
    if let Some(key) = &endpoint.hash_key {
        message["metadata"] = json!({"filter_metadata": {"envoy.lb": {"hash_key": key}}});
    }
    Ok(message)
}
