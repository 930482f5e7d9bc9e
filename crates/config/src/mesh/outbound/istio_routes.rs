//! Destinations of an Istio proxy: services, and the weights of VirtualServices.

use alloc::{format, string::String, vec, vec::Vec};

use spillgate_mesh::istio::{
    IstioProxy, IstioResolution, IstioVirtualService, KUBE_DOMAIN, SIDECARS, full_host,
    istio_retry_policy,
};

#[cfg(feature = "health")]
use super::istio_over_time::add_over_time;
use super::{
    OutboundDestination, OutboundRule, OutboundSplit,
    istio_clusters::IstioClusters,
    istio_rules::{RouteView, hash_policies, names},
};
use crate::mesh::{IstioInputs, IstioServiceInput, assemble::IstioProtocol};

/// The destination of a service.
pub(super) fn destination(
    service: &IstioServiceInput,
    clusters: &mut IstioClusters<'_>,
) -> OutboundDestination {
    let inputs = clusters.inputs;
    let mut rules = Vec::new();
    let virtual_service = of_service(service, inputs);
    if let Some(of) = virtual_service {
        let is_connections = match service.protocol {
            IstioProtocol::Http => false,
            IstioProtocol::Connections => true,
            IstioProtocol::Detected => of.http.is_empty(),
        };
        let routes = if is_connections {
            &of.connections
        } else {
            &of.http
        };
        let view = RouteView {
            root: of,
            of,
            gateway: SIDECARS,
            port: service.port,
            #[cfg(feature = "health")]
            is_connections,
            clusters: &mut *clusters,
        };
        rules = view.rules(routes);
    }
    if !rules.iter().any(|rule| rule.matches.is_empty()) {
        // A VirtualService replaces all routes of its host, unless none of its routes is for the proxy
        // and the port (`BuildHTTPRoutesForVirtualService`).
        let is_http = service.protocol != IstioProtocol::Connections
            && virtual_service.is_some_and(|of| !of.http.is_empty());
        rules.push(if is_http && !rules.is_empty() {
            OutboundRule::respond(String::new(), Vec::new(), NOT_FOUND)
        } else {
            #[cfg_attr(not(feature = "health"), allow(unused_mut))]
            let mut rule = OutboundRule {
                name: "default".into(),
                splits: vec![OutboundSplit::new(clusters.cluster(service, None), 1)],
                hash_policies: hash_policies(service, None, Some(service.port), clusters),
                // The route of a service alone rejects hosts of earlier attempts, hash or not.
                retry: istio_retry_policy(inputs.mesh.retries.as_ref(), false),
                ..OutboundRule::default()
            };
            #[cfg(feature = "health")]
            {
                let is_connections = service.protocol == IstioProtocol::Connections;
                add_over_time(
                    &mut rule,
                    inputs.mesh.retries.as_ref(),
                    None,
                    is_connections,
                );
            }
            rule
        });
    }
    OutboundDestination {
        name: service.cluster.clone(),
        listener: String::new(),
        domains: domains(service, inputs),
        rules,
    }
}

/// The host names of requests to a port. The names without a port are those of port 80, else of the
/// first port of HTTP (`generateVirtualHostDomains`).
fn domains(service: &IstioServiceInput, inputs: &IstioInputs) -> Vec<String> {
    let of = &service.service;
    let host = &of.host;
    let rank = |of: &IstioServiceInput| {
        let is_http = of.protocol != IstioProtocol::Connections;
        (!is_http, of.port != 80, of.port)
    };
    let ports = inputs.services.iter().filter(|of| of.service.host == *host);
    let first = ports.map(rank).min();
    let mut names = Vec::new();
    for host in [host].into_iter().chain(&service.aliases) {
        names.push(host.clone());
        names.push(format!("{host}."));
        // `NAME.NAMESPACE.svc`, and shorter; a name alone in the namespace of the proxy.
        if let Some(short) = host.strip_suffix(".cluster.local") {
            names.push(short.into());
            let short = short.strip_suffix(".svc").unwrap_or(short);
            names.push(short.into());
            let (name, namespace) = short.split_once('.').unwrap_or((short, ""));
            if namespace == inputs.proxy.namespace {
                names.push(name.into());
            }
        }
    }
    // The hosts of a headless Service have names of their own.
    if service.service.resolution == IstioResolution::Passthrough && host.ends_with(KUBE_DOMAIN) {
        let hosts: Vec<String> = names.iter().map(|name| format!("*.{name}")).collect();
        names.extend(hosts);
    }
    let with_port = names.iter().map(|name| format!("{name}:{}", service.port));
    let mut domains: Vec<String> = with_port.collect();
    if first == Some(rank(service)) {
        domains.extend(names);
    }
    domains
}

/// The status of requests that no route matches.
pub(super) const NOT_FOUND: u16 = 404;

/// The VirtualService of a service for the proxy: that with the most specific host, then the one with the
/// highest precedence, then the oldest one, then the first by `NAME.NAMESPACE`
/// (`sortConfigByCreationTime`).
fn of_service<'i>(
    input: &IstioServiceInput,
    inputs: &'i IstioInputs,
) -> Option<&'i IstioVirtualService> {
    let (host, proxy) = (&input.service.host, &inputs.proxy);
    let mut best: Option<((bool, usize), &IstioVirtualService)> = None;
    let known = inputs.virtual_services.iter().filter(|of| {
        of.is_for(proxy, SIDECARS)
            && of.is_for_service_of(&input.service.namespace, proxy)
            && has_route(of, input, proxy)
    });
    for known in known {
        let ranks = known
            .hosts
            .iter()
            .filter(|name| names(name, &known.namespace, host))
            .map(|name| full_host(name, &known.namespace));
        let rank = ranks.map(|name| (!name.starts_with('*'), name.len())).max();
        let Some(rank) = rank else { continue };
        let age = |of: &IstioVirtualService| {
            let name = format!("{}.{}", of.name, of.namespace);
            (of.precedence(proxy), of.created.clone(), name)
        };
        let better = best
            .is_none_or(|(before, of)| rank > before || (rank == before && age(known) < age(of)));
        if better {
            best = Some((rank, known));
        }
    }
    best.map(|(_, found)| found)
}

/// Whether requests of the proxy to a port can meet a route; if not, Istio does not use the VirtualService
/// for the port (`BuildHTTPRoutesForVirtualService`).
fn has_route(of: &IstioVirtualService, service: &IstioServiceInput, proxy: &IstioProxy) -> bool {
    if of.http.is_empty() || service.protocol == IstioProtocol::Connections {
        return true;
    }
    of.http.iter().any(|route| {
        let mut entries = route.matches.iter();
        route.matches.is_empty() || entries.any(|of| of.is_for(proxy, SIDECARS, service.port))
    })
}
