//! Destinations of an Istio proxy: services, and the weights of VirtualServices.

use alloc::{format, string::String, vec, vec::Vec};

use spillgate_core::route::HashPolicy;
use spillgate_mesh::istio::{IstioRoute, IstioVirtualService};

use super::{
    OutboundDestination, OutboundRule, OutboundSplit, hashing::istio_hash_policies,
    istio_clusters::IstioClusters, once::push_once,
};
use crate::{Diagnostic, mesh::IstioServiceInput, node::quote};

/// The destination of a service.
pub(super) fn destination(
    service: &IstioServiceInput,
    clusters: &mut IstioClusters<'_>,
) -> OutboundDestination {
    let inputs = clusters.inputs;
    let hash_policies = hash_policies(service, clusters);
    let virtual_service = inputs.virtual_services.iter().find(|known| {
        let mut hosts = known.hosts.iter();
        hosts.any(|host| names(host, &known.namespace, &service.service.host))
    });
    let mut rules = Vec::new();
    if let Some(virtual_service) = virtual_service {
        for route in &virtual_service.routes {
            let splits = splits(route, virtual_service, service, clusters);
            rules.push(OutboundRule {
                matches: route.matches.clone(),
                splits,
                hash_policies: hash_policies.clone(),
            });
        }
    }
    if !rules.iter().any(|rule| rule.matches.is_empty()) {
        rules.push(OutboundRule {
            matches: String::new(),
            splits: vec![OutboundSplit {
                cluster: clusters.cluster(service, None),
                weight: 1,
            }],
            hash_policies,
        });
    }
    let host = &service.service.host;
    let mut first = inputs.services.iter().filter(|of| of.service.host == *host);
    let is_first = first.next().is_some_and(|of| of.port == service.port);
    let mut domains = vec![format!("{host}:{}", service.port)];
    if is_first {
        domains.push(host.clone());
    }
    OutboundDestination {
        name: service.cluster.clone(),
        domains,
        rules,
    }
}

fn hash_policies(service: &IstioServiceInput, clusters: &IstioClusters<'_>) -> Vec<HashPolicy> {
    let policy = clusters.policy(service, None);
    let hash = policy
        .load_balancer
        .and_then(|balancer| balancer.consistent_hash);
    hash.as_ref().map(istio_hash_policies).unwrap_or_default()
}

fn splits(
    route: &IstioRoute,
    of: &IstioVirtualService,
    service: &IstioServiceInput,
    clusters: &mut IstioClusters<'_>,
) -> Vec<OutboundSplit> {
    let mut splits = Vec::new();
    let single = route.destinations.len() == 1;
    for destination in &route.destinations {
        let port = destination.port.unwrap_or(service.port);
        let mut known = clusters.inputs.services.iter();
        let found = known.find(|known| {
            names(&destination.host, &of.namespace, &known.service.host) && known.port == port
        });
        let Some(found) = found else {
            push_once(
                &mut clusters.warnings,
                Diagnostic::warning(
                    "mesh/unknown-backend",
                    "no document describes a backend of the route; its share is omitted",
                )
                .found(quote(&destination.host))
                .expected("a service with endpoints"),
            );
            continue;
        };
        splits.push(OutboundSplit {
            cluster: clusters.cluster(found, destination.subset.as_deref()),
            weight: destination.weight.unwrap_or(u32::from(single)),
        });
    }
    splits
}

/// Whether a name, possibly without namespace and domain, is that of a host.
fn names(name: &str, namespace: &str, host: &str) -> bool {
    let namespace = match namespace {
        "" => "default",
        namespace => namespace,
    };
    name == host
        || name == "*"
        || name
            .strip_prefix('*')
            .is_some_and(|rest| host.ends_with(rest))
        || (!name.contains('.') && format!("{name}.{namespace}.svc.cluster.local") == host)
}
