//! The rules of a VirtualService for one proxy.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::route::{HashPolicy, HashSource, HostRewrite};
use spillgate_mesh::istio::{
    IstioRoute, IstioRouteAction, IstioRouteMatch, IstioVirtualService, IstioWeightedDestination,
    SIDECARS, full_host, istio_retry_policy,
};

#[cfg(feature = "health")]
use super::istio_over_time::add_over_time;
use super::{
    OutboundRule, OutboundSplit, condition::Condition, hashing::istio_hash_policies,
    istio_clusters::IstioClusters, once::push_once,
};
use crate::{
    Diagnostic,
    mesh::{IstioInputs, IstioProtocol, IstioServiceInput, assemble::cluster_name},
    node::quote,
};

/// The routes of a VirtualService for one port.
pub(super) struct RouteView<'v, 'i> {
    /// The VirtualService of the host.
    pub(super) root: &'v IstioVirtualService,
    /// The one whose routes are added: the same, or a delegate.
    pub(super) of: &'v IstioVirtualService,
    /// The gateway that the proxy acts as, or that of all sidecars.
    pub(super) gateway: &'v str,
    /// The port of the service, or of the gateway.
    pub(super) port: u16,
    /// Whether the routes are those of connections, and not of requests.
    #[cfg(feature = "health")]
    pub(super) is_connections: bool,
    pub(super) clusters: &'v mut IstioClusters<'i>,
}

impl<'v> RouteView<'v, '_> {
    /// The rules of routes, in order.
    pub(super) fn rules(mut self, routes: &'v [IstioRoute]) -> Vec<OutboundRule> {
        let mut rules = Vec::new();
        for route in routes {
            self.add(route, None, &mut rules);
        }
        rules
    }

    /// Adds the rule of a route, or the rules of its delegate. `outer` is the route that delegates, and
    /// its condition.
    fn add(
        &mut self,
        route: &IstioRoute,
        outer: Option<(&IstioRoute, &Condition)>,
        rules: &mut Vec<OutboundRule>,
    ) {
        for own in self.conditions(route) {
            let condition = match outer {
                Some((_, outer)) => outer.and(own),
                None => own,
            };
            match &route.action {
                IstioRouteAction::Forward(to) => {
                    let settings = RouteSettings::of(route, outer.map(|(route, _)| route));
                    rules.push(self.forward(condition, settings, to));
                }
                IstioRouteAction::Respond(status) => {
                    let Condition { matches, requests } = condition;
                    rules.push(OutboundRule::respond(matches, requests, *status));
                }
                // A delegate has no delegates of its own.
                IstioRouteAction::Delegate { .. } if outer.is_some() => {}
                IstioRouteAction::Delegate { name, namespace } => {
                    let Some(found) = self.delegate(name, namespace) else {
                        continue;
                    };
                    let before = core::mem::replace(&mut self.of, found);
                    for inner in &found.http {
                        self.add(inner, Some((route, &condition)), rules);
                    }
                    self.of = before;
                }
            }
        }
    }

    fn delegate(&mut self, name: &str, namespace: &str) -> Option<&'v IstioVirtualService> {
        let inputs: &'v IstioInputs = self.clusters.inputs;
        let namespace = match namespace {
            "" => &self.of.namespace,
            namespace => namespace,
        };
        let mut known = inputs.virtual_services.iter();
        let found = known.find(|of| of.name == *name && of.namespace == namespace);
        if found.is_none() {
            push_once(
                &mut self.clusters.warnings,
                Diagnostic::warning(
                    "mesh/unknown-delegate",
                    "the route has no effect: no document describes its delegate",
                )
                .found(quote(name))
                .expected("the name of a VirtualService without hosts"),
            );
        }
        found
    }

    /// The conditions of a route, one rule each; empty if no request of the proxy to the port meets them.
    fn conditions(&self, route: &IstioRoute) -> Vec<Condition> {
        if route.matches.is_empty() {
            return Vec::from([Condition::default()]);
        }
        let proxy = &self.clusters.inputs.proxy;
        let entries = route
            .matches
            .iter()
            .filter(|entry| entry.is_for(proxy, self.gateway, self.port));
        let mut entries: Vec<&IstioRouteMatch> = entries.collect();
        let all = entries.iter().position(|of| of.condition.is_empty());
        if let Some(at) = all {
            entries.truncate(at);
            // Envoy gets both routes. They differ in their places among those of other
            // VirtualServices, which only gateways combine.
            if entries.is_empty() || self.gateway == SIDECARS {
                return Vec::from([Condition::default()]);
            }
        }
        if entries.is_empty() {
            return Vec::new();
        }
        let conditions: Vec<&str> = entries.iter().map(|of| of.condition.as_str()).collect();
        let requests: Option<Vec<_>> = entries.iter().map(|of| of.request.clone()).collect();
        let some = Condition {
            matches: match route.name.as_str() {
                "" => format!("match [{}]", conditions.join(",")),
                name => name.into(),
            },
            requests: requests.unwrap_or_default(),
        };
        let all = all.map(|_| Condition::default());
        [some].into_iter().chain(all).collect()
    }

    /// The rule of a route: its destinations, and the hash policies of each of them
    /// (`applyHTTPRouteDestination` in `route.go`).
    fn forward(
        &mut self,
        of: Condition,
        settings: RouteSettings<'_>,
        to: &[IstioWeightedDestination],
    ) -> OutboundRule {
        let inputs = self.clusters.inputs;
        let mut rule = OutboundRule {
            name: match settings.outer {
                None => settings.route.name.clone(),
                // The names of both are joined.
                Some(_) => String::new(),
            },
            matches: of.matches,
            requests: of.requests,
            headers: settings.route.headers.clone(),
            rewrite: settings.route.rewrite.clone().unwrap_or_default(),
            without_cluster: self.root.is_gateway_api.then_some(BACKEND_ERROR),
            ..OutboundRule::default()
        };
        if let Some(outer) = settings.outer {
            if rule.headers.is_empty() {
                rule.headers = outer.headers.clone();
            }
            if settings.route.rewrite.is_none() {
                rule.rewrite = outer.rewrite.clone().unwrap_or_default();
            }
        }
        for destination in to {
            let weight = match to {
                [_] => 1,
                _ => destination.weight.unwrap_or_default(),
            };
            let found = find(destination, self.of, self.port, inputs);
            // Istio leaves out destinations without weight.
            if weight > 0
                && let Some(found) = found
            {
                let subset = destination.subset.as_deref();
                let hash = hash_policies(found, subset, destination.port, self.clusters);
                rule.hash_policies.extend(hash);
            }
            let subset = destination.subset.as_deref();
            let cluster = match found {
                Some(found) if subset.is_none_or(|name| self.clusters.has_subset(found, name)) => {
                    self.clusters.cluster(found, subset)
                }
                _ => self.missing(destination, found),
            };
            let mut split = OutboundSplit::new(cluster, weight);
            if let [_] = to {
                rule.headers
                    .added
                    .extend_from_slice(&destination.headers.added);
                rule.headers
                    .removed
                    .extend_from_slice(&destination.headers.removed);
                if rule.rewrite.host.is_none() {
                    rule.rewrite.host = destination.authority.clone().map(HostRewrite::Literal);
                }
            } else {
                split.headers = destination.headers.clone();
                split.authority.clone_from(&destination.authority);
            }
            rule.splits.push(split);
        }
        let keeps_host = to.len() == 1 && !rule.hash_policies.is_empty();
        let retries = settings.route.retries.as_ref();
        let retries = retries
            .or_else(|| settings.outer?.retries.as_ref())
            .or(inputs.mesh.retries.as_ref());
        rule.retry = istio_retry_policy(retries, keeps_host);
        #[cfg(feature = "health")]
        {
            let outer = settings.outer.and_then(|outer| outer.timeout_ms);
            let timeout = settings.route.timeout_ms.or(outer);
            add_over_time(&mut rule, retries, timeout, self.is_connections);
        }
        rule
    }

    /// The cluster that a destination names although Istio does not create it.
    fn missing(
        &mut self,
        destination: &IstioWeightedDestination,
        found: Option<&IstioServiceInput>,
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
                let port = destination.port.unwrap_or(self.port);
                let host = full_host(&destination.host, &self.of.namespace);
                let message = if self.root.is_gateway_api {
"no document describes a backend of the route; its share gets 500"
} else {
"no document describes a backend of the route; its share answers 503"
};
                (
                    Diagnostic::warning("mesh/unknown-backend", message)
                        .found(quote(&destination.host))
                        .expected("a destination with endpoints"),
                    cluster_name(&host, port, subset),
                )
            }
        };
        push_once(&mut self.clusters.warnings, warning);
        if self.root.is_gateway_api {
            self.clusters.nonexistent(cluster)
        } else {
            self.clusters.missing(cluster)
        }
    }
}

/// The status of requests to backends of the Gateway API that do not exist.
const BACKEND_ERROR: u16 = 500;

/// A route, and the one that delegates to it, whose settings apply if it has none (`mergeHTTPRoute`).
struct RouteSettings<'r> {
    route: &'r IstioRoute,
    outer: Option<&'r IstioRoute>,
}

impl<'r> RouteSettings<'r> {
    const fn of(route: &'r IstioRoute, outer: Option<&'r IstioRoute>) -> Self {
        Self { route, outer }
    }
}

/// The hash policies of a route to a service, or to one of its subsets. `port` is the one that the route
/// names.
pub(super) fn hash_policies(
    service: &IstioServiceInput,
    subset: Option<&str>,
    port: Option<u16>,
    clusters: &IstioClusters<'_>,
) -> Vec<HashPolicy> {
    let found = clusters.rule(service);
    let hash = found
        .as_ref()
        .and_then(|found| found.rule.route_hash(subset, port));
    let mut policies = hash.map(istio_hash_policies).unwrap_or_default();
    if service.protocol == IstioProtocol::Connections {
        // A TCP proxy hashes nothing else (`maybeSetHashPolicy`).
        policies.retain(|policy| policy.source == HashSource::SourceIp);
    }
    policies
}

/// The service of a destination. Without a port, it is the only port of the destination, or else that
/// of the request.
fn find<'i>(
    destination: &IstioWeightedDestination,
    of: &IstioVirtualService,
    request_port: u16,
    inputs: &'i IstioInputs,
) -> Option<&'i IstioServiceInput> {
    let named = |known: &&IstioServiceInput| {
        let mut hosts = [&known.service.host].into_iter().chain(&known.aliases);
        hosts.any(|host| names(&destination.host, &of.namespace, host))
    };
    let ports = || inputs.services.iter().filter(named);
    let port = match destination.port {
        Some(port) => port,
        None if ports().count() == 1 => return ports().next(),
        None => request_port,
    };
    ports().find(|known| known.port == port)
}

/// Whether a name, possibly without namespace and domain, is that of a host.
pub(super) fn names(name: &str, namespace: &str, host: &str) -> bool {
    name == host
        || name == "*"
        || name
            .strip_prefix('*')
            .is_some_and(|rest| host.ends_with(rest))
        || full_host(name, namespace) == host
}
