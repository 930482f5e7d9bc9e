//! A configuration with the health of a running Envoy.

use alloc::vec::Vec;

use spillgate_core::{
    model::{ClusterKind, Model, PlainCluster},
    names::Names,
};

use super::{ClusterStatus, HostStatus, overlay::with_hosts_of};
use crate::{
    Diagnostic,
    envoy::{EnvoyConfig, health_of, is_dns_name},
};

/// Applies the health in a `/clusters` response to the configured hosts. Unlike
/// [`lay_over`](super::lay_over), hosts, weights and priorities stay as configured, so that a
/// configuration can be compared with a running Envoy.
///
/// In a cluster with DNS names, only the response has the addresses. Such a cluster gets its hosts.
///
/// # Examples
/// ```
/// use spillgate_config::{clusters, envoy::{Format, read}};
///
/// let text = r#"{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
///     {"lb_endpoints": [{"load_balancing_weight": 3, "endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
/// let mut config = read(text, Format::Json)?;
/// let answer = "shop::10.0.0.1:80::health_flags::/failed_active_hc\nshop::10.0.0.1:80::weight::1\n";
/// clusters::lay_over_health(&clusters::read(answer)?, &mut config);
/// let host = &config.model.clusters()[0].priorities()[0].endpoints[0];
/// assert_eq!((host.weight.get(), host.health.flags.failed_active_hc), (3, true));
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn lay_over_health(
    statuses: &[ClusterStatus<'_>],
    config: &mut EnvoyConfig,
) -> Vec<Diagnostic> {
    let mut names = Names::default();
    for (at, status) in statuses.iter().enumerate() {
        names.insert(&status.name, at);
    }
    let mut found = Vec::new();
    for (at, cluster) in config.model.clone().clusters().iter().enumerate() {
        let status = names.get(&cluster.name).and_then(|at| statuses.get(at));
        let (ClusterKind::Plain(plain), Some(status)) = (&cluster.kind, status) else {
            continue;
        };
        let endpoints = plain.priorities.iter().flat_map(|of| &of.endpoints);
        if endpoints
            .clone()
            .any(|endpoint| is_dns_name(&endpoint.address))
        {
            let marks = config.marks.cluster_mut(&cluster.name);
            found.extend(with_hosts_of(&mut config.model, at, marks, status));
        } else {
            set_health(&mut config.model, at, plain, status);
        }
    }
    found
}

/// Sets the health of each host from a reported one with its address, preferably in its priority.
fn set_health(model: &mut Model, at: usize, plain: &PlainCluster, status: &ClusterStatus<'_>) {
    let mut by_address = Names::default();
    for (at, host) in status.hosts.iter().enumerate().rev() {
        by_address.insert(&host.address, at);
    }
    for (number, priority) in (0..).zip(&plain.priorities) {
        for (index, endpoint) in priority.endpoints.iter().enumerate() {
            let Some(first) = by_address.get(&endpoint.address) else {
                continue;
            };
            let mut rest = status.hosts.iter().skip(first);
            let is_same = |host: &&HostStatus<'_>| {
                host.priority == u32::try_from(number).ok() && host.address == endpoint.address
            };
            // Most addresses occur once.
            let host = rest
                .clone()
                .next()
                .filter(is_same)
                .or_else(|| rest.clone().find(is_same))
                .or_else(|| rest.next());
            if let Some(reported) = host.and_then(|host| host.health)
                && let Some(health) = model.health_mut(at, number, index)
            {
                *health = health_of(reported, Some(health.status));
            }
        }
    }
}
