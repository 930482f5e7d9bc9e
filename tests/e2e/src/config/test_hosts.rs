//! Hosts: how a test writes them down, and the listener that plays them all.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, Endpoint, Health, HealthStatus, OverprovisioningFactor,
    PanicThreshold, PlainCluster, Policy, Priority, PriorityLocality, Weight,
};

use super::address::socket_address;
use super::filter::{CLUSTER_HEADER, HOST_HEADER};
use super::listener::http_connection_manager;

/// The response header in which a host names itself.
pub const SERVED_HEADER: &str = "x-served-by";
/// What a host answers to a request that carries a header which was meant for Envoy alone.
pub const SAW_TOO_MUCH: u16 = 418;
/// Those headers.
pub(crate) const NOT_FOR_HOSTS: [&str; 4] = [
    HOST_HEADER,
    CLUSTER_HEADER,
    "x-spillgate-trace",
    "x-spillgate-debug",
];

/// A priority whose hosts are `{network}.1`, `{network}.2` and so on, at `port`.
///
/// `health` has one letter a host: `h`ealthy, `d`egraded, `u`nhealthy, `t`imed out, `x` for
/// draining, `-` for unknown. A digit before a letter is the host's weight.
///
/// # Errors
/// When there is another letter.
pub fn priority(network: &str, port: u16, health: &str) -> Result<Priority> {
    let mut endpoints = Vec::new();
    let mut weight = Weight::ONE;
    for letter in health.chars() {
        if let Some(digit) = letter.to_digit(10) {
            weight = Weight::new(digit).context("a weight is at least 1")?;
            continue;
        }
        endpoints.push(Endpoint {
            address: format!("{network}.{}:{port}", endpoints.len() + 1),
            weight,
            health: Health::from_status(status(letter)?),
            locality: 0,
            hash_key: None,
            ..Endpoint::default()
        });
        weight = Weight::ONE;
    }
    Ok(Priority {
        localities: vec![PriorityLocality::default()],
        endpoints,
    })
}

fn status(letter: char) -> Result<HealthStatus> {
    Ok(match letter {
        'h' => HealthStatus::Healthy,
        'd' => HealthStatus::Degraded,
        'u' => HealthStatus::Unhealthy,
        't' => HealthStatus::Timeout,
        'x' => HealthStatus::Draining,
        '-' => HealthStatus::Unknown,
        other => bail!("unknown health `{other}`; use one of h, d, u, t, x, -"),
    })
}

/// A cluster of priorities with Envoy's default settings.
#[must_use]
pub fn plain(name: &str, policy: Policy, priorities: Vec<Priority>) -> Cluster {
    Cluster {
        name: name.into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy,
            panic_threshold: PanicThreshold::DEFAULT,
            overprovisioning_factor: OverprovisioningFactor::DEFAULT,
            weighted_priority_health: false,
            priorities,
            ..PlainCluster::default()
        }),
    }
}

/// An aggregate of other clusters.
#[must_use]
pub fn aggregate(name: &str, members: &[&str]) -> Cluster {
    Cluster {
        name: name.into(),
        kind: ClusterKind::Aggregate(AggregateCluster {
            members: members.iter().map(|&member| member.into()).collect(),
            panic_threshold: PanicThreshold::DEFAULT,
            flatten: false,
        }),
    }
}

/// The same cluster with another panic threshold, in percent.
#[must_use]
pub fn with_panic_threshold(mut cluster: Cluster, percent: u32) -> Cluster {
    let threshold = PanicThreshold::from_percent(percent.into());
    match &mut cluster.kind {
        ClusterKind::Plain(plain) => plain.panic_threshold = threshold,
        ClusterKind::Aggregate(aggregate) => aggregate.panic_threshold = threshold,
        // Without hosts of its own there is nothing to panic over.
        ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => {}
    }
    cluster
}

/// One listener at all addresses, which names the address of the request.
pub(super) fn hosts_listener(hosts: &BTreeSet<String>) -> Result<Value> {
    let mut addresses = hosts
        .iter()
        .map(|host| {
            let (ip, port) = host.rsplit_once(':').context("a host is not ip:port")?;
            Ok(json!({"address": socket_address(ip, port.parse()?)}))
        })
        .collect::<Result<Vec<Value>>>()?
        .into_iter();
    let first = addresses.next().context("no hosts")?;
    let mut routes: Vec<Value> = NOT_FOR_HOSTS
        .iter()
        .map(|name| {
            json!({
                "match": {"prefix": "/", "headers": [{"name": name, "present_match": true}]},
                "direct_response": {
                    "status": SAW_TOO_MUCH,
                    "body": {"inline_string": format!("the host saw {name}")},
                },
            })
        })
        .collect();
    routes.push(json!({"match": {"prefix": "/"}, "direct_response": {"status": 200}}));
    Ok(json!({
        "name": "hosts",
        // A port in use must be an error, not a share of another process's connections.
        "enable_reuse_port": false,
        "address": first["address"],
        "additional_addresses": addresses.collect::<Vec<Value>>(),
        "filter_chains": [{"filters": [http_connection_manager("hosts", json!({
            "name": "hosts",
            "domains": ["*"],
            "response_headers_to_add": [
                {"header": {"key": SERVED_HEADER, "value": "%DOWNSTREAM_LOCAL_ADDRESS%"}},
                // Hosts that send our internal headers.
                {"header": {"key": HOST_HEADER, "value": "from a host"}},
                {"header": {"key": CLUSTER_HEADER, "value": "from a host"}},
                {"header": {"key": "x-spillgate-trace", "value": "from a host"}},
            ],
            "routes": routes,
        }), vec![])]}],
    }))
}
