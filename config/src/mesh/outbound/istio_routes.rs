//! Destinations of an Istio proxy: services, and the weights of VirtualServices.

use alloc::{format, string::String, vec, vec::Vec};

use spillgate_core::route::HashPolicy;
use spillgate_mesh::istio::{
    IstioRoute, IstioRouteAction, IstioRouteMatch, IstioVirtualService, IstioWeightedDestination,
    full_host,
};

use super::{
    OutboundDestination, OutboundRule, OutboundSplit, condition::Condition,
    hashing::istio_hash_policies, istio_clusters::IstioClusters, once::push_once,
};
use crate::{
    Diagnostic,
    mesh::{
        IstioInputs, IstioServiceInput,
        assemble::{IstioProtocol, cluster_name},
    },
    node::quote,
};

/// The destination of a service.
pub(super) fn destination(
    service: &IstioServiceInput,
    clusters: &mut IstioClusters<'_>,
) -> OutboundDestination {
    let inputs = clusters.inputs;
    let mut rules = Vec::new();
    let virtual_service = of_host(&service.service.host, inputs);
    if let Some(of) = virtual_service {
        let routes = match service.protocol {
            IstioProtocol::Http => &of.http,
            IstioProtocol::Connections => &of.connections,
            IstioProtocol::Detected if of.http.is_empty() => &of.connections,
            IstioProtocol::Detected => &of.http,
        };
        let mut view = RouteView {
            root: of,
            of,
            service,
            clusters: &mut *clusters,
        };
        for route in routes {
            view.add(route, &Condition::default(), &mut rules);
        }
    }
    if !rules.iter().any(|rule| rule.matches.is_empty()) {
        // A VirtualService replaces all routes of its host (`BuildHTTPRoutesForVirtualService`).
        let is_http = service.protocol != IstioProtocol::Connections
            && virtual_service.is_some_and(|of| !of.http.is_empty());
        rules.push(match is_http {
            true => OutboundRule::respond(String::new(), Vec::new(), NOT_FOUND),
            false => OutboundRule {
                matches: String::new(),
                requests: Vec::new(),
                responds: None,
                splits: vec![OutboundSplit {
                    cluster: clusters.cluster(service, None),
                    weight: 1,
                }],
                hash_policies: hash_policies(service, clusters),
            },
        });
    }
    OutboundDestination {
        name: service.cluster.clone(),
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
    let mut names = vec![host.clone()];
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
    let with_port = names.iter().map(|name| format!("{name}:{}", service.port));
    let mut domains: Vec<String> = with_port.collect();
    if first == Some(rank(service)) {
        domains.extend(names);
    }
    domains
}

/// The status of requests that no route matches.
const NOT_FOUND: u16 = 404;

/// The VirtualService of a host for the proxy: that with the most specific host, then the oldest one.
fn of_host<'i>(host: &str, inputs: &'i IstioInputs) -> Option<&'i IstioVirtualService> {
    let mut best: Option<((bool, usize), &IstioVirtualService)> = None;
    for known in inputs
        .virtual_services
        .iter()
        .filter(|of| of.is_for(&inputs.proxy))
    {
        let ranks = known
            .hosts
            .iter()
            .filter(|name| names(name, &known.namespace, host));
        let rank = ranks.map(|name| (!name.starts_with('*'), name.len())).max();
        let Some(rank) = rank else { continue };
        let better = best.is_none_or(|(before, of)| {
            rank > before || (rank == before && known.created < of.created)
        });
        if better {
            best = Some((rank, known));
        }
    }
    best.map(|(_, found)| found)
}

/// The routes of a VirtualService for one service.
struct RouteView<'v, 'i> {
    /// The VirtualService of the host.
    root: &'v IstioVirtualService,
    /// The one whose routes are added: the same, or a delegate.
    of: &'v IstioVirtualService,
    service: &'v IstioServiceInput,
    clusters: &'v mut IstioClusters<'i>,
}

impl RouteView<'_, '_> {
    /// Adds the rule of a route, or the rules of its delegate. `outer` is the condition of the route
    /// that delegates.
    fn add(&mut self, route: &IstioRoute, outer: &Condition, rules: &mut Vec<OutboundRule>) {
        let Some(own) = self.condition(route) else {
            return;
        };
        let is_delegate = !core::ptr::eq(self.of, self.root);
        let Condition { matches, requests } = outer.and(own);
        match &route.action {
            IstioRouteAction::Forward(to) => {
                rules.push(self.forward(Condition { matches, requests }, to));
            }
            IstioRouteAction::Respond(status) => {
                rules.push(OutboundRule::respond(matches, requests, *status));
            }
            // A delegate has no delegates of its own.
            IstioRouteAction::Delegate { .. } if is_delegate => {}
            IstioRouteAction::Delegate { name, namespace } => {
                let inputs = self.clusters.inputs;
                let namespace = match namespace.as_str() {
                    "" => &self.of.namespace,
                    namespace => namespace,
                };
                let mut known = inputs.virtual_services.iter();
                let found = known.find(|of| of.name == *name && of.namespace == namespace);
                let Some(found) = found else {
                    push_once(
                        &mut self.clusters.warnings,
                        Diagnostic::warning(
                            "mesh/unknown-delegate",
                            "the route has no effect: no document describes its delegate",
                        )
                        .found(quote(name))
                        .expected("the name of a VirtualService without hosts"),
                    );
                    return;
                };
                let before = core::mem::replace(&mut self.of, found);
                let outer = Condition { matches, requests };
                for route in &found.http {
                    self.add(route, &outer, rules);
                }
                self.of = before;
            }
        }
    }

    /// The condition of a route; `None` if no request of the proxy to the service meets it.
    fn condition(&self, route: &IstioRoute) -> Option<Condition> {
        if route.matches.is_empty() {
            return Some(Condition::default());
        }
        let (proxy, port) = (&self.clusters.inputs.proxy, self.service.port);
        let entries = route
            .matches
            .iter()
            .filter(|entry| entry.is_for(proxy, port));
        let entries: Vec<&IstioRouteMatch> = entries.collect();
        if entries.is_empty() {
            return None;
        }
        let conditions: Vec<&str> = entries.iter().map(|of| of.condition.as_str()).collect();
        if conditions.contains(&"") {
            return Some(Condition::default());
        }
        let requests: Option<Vec<_>> = entries.iter().map(|of| of.request.clone()).collect();
        Some(Condition {
            matches: match route.name.as_str() {
                "" => format!("match [{}]", conditions.join(",")),
                name => name.into(),
            },
            requests: requests.unwrap_or_default(),
        })
    }

    /// The rule of a route: its destinations, and the hash policies of each of them
    /// (`processDestination` in `route.go`).
    fn forward(&mut self, of: Condition, to: &[IstioWeightedDestination]) -> OutboundRule {
        let inputs = self.clusters.inputs;
        let mut splits = Vec::new();
        let mut hash_policies = Vec::new();
        for destination in to {
            let weight = match to {
                [_] => 1,
                _ => destination.weight.unwrap_or_default(),
            };
            let found = find(destination, self.of, self.service, inputs);
            // Istio leaves out destinations without weight.
            if weight > 0
                && let Some(found) = found
            {
                hash_policies.extend(self::hash_policies(found, self.clusters));
            }
            let subset = destination.subset.as_deref();
            let cluster = match found {
                Some(found) if subset.is_none_or(|name| self.clusters.has_subset(found, name)) => {
                    self.clusters.cluster(found, subset)
                }
                _ => missing(destination, found, self.of, self.service, self.clusters),
            };
            splits.push(OutboundSplit { cluster, weight });
        }
        OutboundRule {
            matches: of.matches,
            requests: of.requests,
            responds: None,
            splits,
            hash_policies,
        }
    }
}

fn hash_policies(service: &IstioServiceInput, clusters: &IstioClusters<'_>) -> Vec<HashPolicy> {
    let policy = clusters.policy(service, None);
    let hash = policy
        .load_balancer
        .and_then(|balancer| balancer.consistent_hash);
    hash.as_ref().map(istio_hash_policies).unwrap_or_default()
}

/// The service of a destination. Without a port, it is the only port of the destination, or else that
/// of the request.
fn find<'i>(
    destination: &IstioWeightedDestination,
    of: &IstioVirtualService,
    service: &IstioServiceInput,
    inputs: &'i IstioInputs,
) -> Option<&'i IstioServiceInput> {
    let named =
        |known: &&IstioServiceInput| names(&destination.host, &of.namespace, &known.service.host);
    let ports = || inputs.services.iter().filter(named);
    let port = match destination.port {
        Some(port) => port,
        None if ports().count() == 1 => return ports().next(),
        None => service.port,
    };
    ports().find(|known| known.port == port)
}

/// The cluster that a destination names although Istio does not create it.
fn missing(
    destination: &IstioWeightedDestination,
    found: Option<&IstioServiceInput>,
    of: &IstioVirtualService,
    service: &IstioServiceInput,
    clusters: &mut IstioClusters<'_>,
) -> usize {
    let subset = destination.subset.as_deref();
    let (warning, cluster) = match (found, subset) {
        (Some(found), Some(subset)) => (
            Diagnostic::warning(
                "mesh/unknown-subset",
                format!(
                    "no DestinationRule of {} defines the subset of the route; its share gets 503",
                    found.service.host
                ),
            )
            .found(quote(subset))
            .expected("a subset of a DestinationRule that applies to the proxy"),
            found.subset_cluster(subset),
        ),
        _ => {
            let port = destination.port.unwrap_or(service.port);
            let host = full_host(&destination.host, &of.namespace);
            (
                Diagnostic::warning(
                    "mesh/unknown-backend",
                    "no document describes a backend of the route; its share answers 503",
                )
                .found(quote(&destination.host))
                .expected("a destination with endpoints"),
                cluster_name(&host, port, subset),
            )
        }
    };
    push_once(&mut clusters.warnings, warning);
    clusters.missing(cluster)
}

/// Whether a name, possibly without namespace and domain, is that of a host.
fn names(name: &str, namespace: &str, host: &str) -> bool {
    name == host
        || name == "*"
        || name
            .strip_prefix('*')
            .is_some_and(|rest| host.ends_with(rest))
        || full_host(name, namespace) == host
}
