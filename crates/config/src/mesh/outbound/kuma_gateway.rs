//! What a built-in gateway of Kuma receives: the hosts of its listeners, with the rules of its routes.

use alloc::{format, string::String, vec, vec::Vec};

use spillgate_mesh::kuma::{
    KumaGateway, KumaGatewayHost, effective_route_conf, gateway_hosts, gateway_service_route,
};

use super::{
    OutboundDestination, OutboundRule, hashing::kuma_hash_policies, kuma_backends::gateway_splits,
    kuma_clusters::KumaClusters,
};
use crate::{Affects, Diagnostic, mesh::KumaInputs, node::quote};

/// The status of requests that no route matches.
const NOT_FOUND: u16 = 404;
/// The status of requests to a cluster that does not exist (`clusterNotFoundResponseCode`).
const WITHOUT_CLUSTER: u16 = 500;
/// All host names.
const ANY: &str = "*";

/// One destination for each host of each listener.
pub(super) fn destinations(
    gateway: &KumaGateway,
    inputs: &KumaInputs,
    clusters: &mut KumaClusters<'_>,
) -> Vec<OutboundDestination> {
    if let Some(name) = gateway_service_route(gateway, &inputs.routes, &inputs.proxy) {
        clusters.warnings.push(
            Diagnostic::limit(
                "mesh/builtin-gateway",
                "a route with rules for a service also selects the built-in gateway, and Kuma can \
                 serve them for all of its hosts; they are not shown",
                Affects::Everything,
            )
            .found(quote(name)),
        );
    }
    let hosts = gateway_hosts(gateway, &inputs.routes, &inputs.proxy);
    let mut destinations = Vec::new();
    for host in &hosts {
        clusters.of_listener(host.proxy.clone(), host.listener);
        let same = hosts.iter().filter(|of| of.hostname == host.hostname);
        let name = match same.count() {
            1 => host.hostname.clone(),
            _ => format!("{}:{}", host.hostname, host.listener.port),
        };
        destinations.push(OutboundDestination {
            domains: vec![name.clone()],
            listener: String::new(),
            name,
            rules: rules(host, inputs, clusters),
        });
    }
    // Envoy answers requests for other hosts.
    if !destinations.iter().any(|of| of.name == ANY) {
        destinations.push(OutboundDestination {
            name: ANY.into(),
            domains: vec![ANY.into()],
            listener: String::new(),
            rules: vec![OutboundRule::respond(String::new(), Vec::new(), NOT_FOUND)],
        });
    }
    destinations
}

fn rules(
    host: &KumaGatewayHost<'_>,
    inputs: &KumaInputs,
    clusters: &mut KumaClusters<'_>,
) -> Vec<OutboundRule> {
    let mut rules = Vec::new();
    for split in &host.rules {
        let Some(route) = inputs.routes.get(split.route) else {
            continue;
        };
        let rule = route.to.get(split.to);
        let rule = rule.and_then(|to| to.rules.get(split.rule));
        let matches = rule.map(|rule| rule.matches.clone()).unwrap_or_default();
        if let Some(status) = rule.and_then(|rule| rule.responds) {
            rules.push(OutboundRule::respond(matches, Vec::new(), status));
            continue;
        }
        let own = effective_route_conf(&inputs.policies, &host.proxy, &route.meta);
        let splits = gateway_splits(route, split.backends, clusters);
        let own = own.map(|own| kuma_hash_policies(own.conf.hash_policies_in_use()));
        let first = splits.first().map(|split| split.cluster);
        #[cfg_attr(not(feature = "health"), allow(unused_mut))]
        let mut rule = OutboundRule {
            matches,
            hash_policies: own.unwrap_or_else(|| clusters.hash_policies(first)),
            splits,
            without_cluster: host.listener.http.then_some(WITHOUT_CLUSTER),
            ..OutboundRule::default()
        };
        #[cfg(feature = "health")]
        if let Some(input) = first.and_then(|first| clusters.destination_of(first)) {
            let view = (inputs, &host.proxy);
            super::kuma_health::add_over_time(&mut rule, view, input, Some(&route.meta));
        }
        rules.push(rule);
    }
    if !rules.iter().any(|rule| rule.matches.is_empty()) {
        rules.push(OutboundRule::respond(String::new(), Vec::new(), NOT_FOUND));
    }
    rules
}
