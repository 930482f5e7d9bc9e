//! Destinations of a gateway of Istio: the virtual hosts of its servers (`buildGatewayHTTPRouteConfig`).

use alloc::{format, string::String, vec, vec::Vec};

use spillgate_core::order;
use spillgate_mesh::istio::{
    IstioGateway, IstioServer, IstioServerProtocol, IstioVirtualService, common_hosts,
};

use super::{
    OutboundDestination, OutboundRule, istio_clusters::IstioClusters, istio_routes::NOT_FOUND,
    istio_rules::RouteView,
};
use crate::{Diagnostic, mesh::IstioInputs, node::quote};

/// The destinations of all servers, by listener. Warns about VirtualServices and servers without effect.
pub(super) fn destinations(clusters: &mut IstioClusters<'_>) -> Vec<OutboundDestination> {
    let inputs = clusters.inputs;
    let mut found = Vec::new();
    let mut used = Vec::new();
    for (name, servers) in by_route_name(inputs, &mut clusters.warnings) {
        let mut hosts = VirtualHosts {
            listener: name,
            hosts: Vec::new(),
            redirected: Vec::new(),
        };
        for (gateway, server) in &servers {
            let bound = bound(gateway, inputs);
            for of in bound {
                if hosts.add(gateway, server, of, clusters) {
                    used.push(core::ptr::from_ref(of));
                }
            }
            if server.https_redirect {
                for host in &server.hosts {
                    let host = host
                        .rsplit('/')
                        .next()
                        .unwrap_or_default()
                        .to_ascii_lowercase();
                    hosts.host(host.clone(), server.port);
                    hosts.redirected.push(host);
                }
            }
        }
        let port = servers.first().map_or(0, |(_, server)| server.port);
        found.extend(hosts.finish(port));
    }
    let unused = inputs.virtual_services.iter().filter(|of| {
        !of.hosts.is_empty() && !used.contains(&core::ptr::from_ref::<IstioVirtualService>(of))
    });
    let warnings = unused.map(|of| without_effect(of, inputs));
    clusters.warnings.extend(warnings);
    found
}

/// A Gateway and one of its servers.
type ServerOf<'i> = (&'i IstioGateway, &'i IstioServer);

/// The servers of HTTP requests, by the name of their route configuration, in the order of the first one.
/// A server with TLS settings is left out if an earlier one of its port has the same host
/// (`mergeGateways`).
fn by_route_name<'i>(
    inputs: &'i IstioInputs,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<(String, Vec<ServerOf<'i>>)> {
    let mut found: Vec<(String, Vec<ServerOf<'i>>)> = Vec::new();
    let mut taken: Vec<(u16, &str, &str)> = Vec::new();
    for gateway in &inputs.gateways {
        for server in &gateway.servers {
            if server.tls {
                let own: Vec<(u16, &str, &str)> = server
                    .hosts
                    .iter()
                    .map(|host| (server.port, server.bind.as_str(), host.as_str()))
                    .collect();
                if let Some((_, _, host)) = own.iter().find(|host| taken.contains(host)) {
                    warnings.push(
                        Diagnostic::warning(
                            "mesh/server-conflict",
                            format!(
                                "Istio skips a server of Gateway {}: another server of port {} \
                                 has the same host",
                                gateway.full_name(),
                                server.port
                            ),
                        )
                        .found(quote(host)),
                    );
                    continue;
                }
                taken.extend(own);
            }
            if server.protocol == IstioServerProtocol::Connections {
                warnings.push(not_http(gateway, server));
                continue;
            }
            let name = server.route_name(gateway);
            match found.iter_mut().find(|(known, _)| *known == name) {
                Some((_, servers)) => servers.push((gateway, server)),
                None => found.push((name, vec![(gateway, server)])),
            }
        }
    }
    found
}

/// The limit of a server whose connections are not HTTP.
fn not_http(gateway: &IstioGateway, server: &IstioServer) -> Diagnostic {
    Diagnostic::warning(
        "mesh/gateway-connections",
        format!(
            "Gateway {}: the routes of TCP and TLS connections on port {} are not modeled; left out",
            gateway.full_name(),
            server.port
        ),
    )
}

/// The VirtualServices of a Gateway that the proxy sees, in their order.
fn bound<'i>(gateway: &IstioGateway, inputs: &'i IstioInputs) -> Vec<&'i IstioVirtualService> {
    let name = gateway.full_name();
    let proxy = &inputs.proxy;
    let known = inputs.virtual_services.iter();
    let found = known.filter(|of| of.is_for(proxy, &name) && !of.hosts.is_empty());
    order::sorted(found.collect(), |a, b| {
        let key = |of: &IstioVirtualService| {
            let precedence = of.precedence(proxy);
            (
                precedence,
                of.created.clone(),
                of.name.clone(),
                of.namespace.clone(),
            )
        };
        key(a).cmp(&key(b))
    })
}

/// The virtual hosts of one route configuration.
struct VirtualHosts {
    listener: String,
    hosts: Vec<OutboundDestination>,
    /// The hosts whose requests are all redirected to HTTPS (`require_tls`).
    redirected: Vec<String>,
}

impl VirtualHosts {
    /// Adds the routes of a VirtualService to the hosts that it has in common with a server; false without
    /// such hosts.
    fn add(
        &mut self,
        gateway: &IstioGateway,
        server: &IstioServer,
        of: &IstioVirtualService,
        clusters: &mut IstioClusters<'_>,
    ) -> bool {
        let of_server = server.hosts_for(gateway, &of.namespace);
        let own: Vec<String> = of
            .hosts
            .iter()
            .map(|host| host.to_ascii_lowercase())
            .collect();
        let common = common_hosts(&of_server, &own);
        if common.is_empty() {
            return false;
        }
        let view = RouteView {
            root: of,
            of,
            gateway: &gateway.full_name(),
            port: server.port,
            #[cfg(feature = "health")]
            is_connections: false,
            clusters,
        };
        let rules = view.rules(&of.http);
        if rules.is_empty() {
            return false;
        }
        if server.https_redirect {
            self.redirected.extend(common.iter().cloned());
        }
        for host in common {
            if let Some(of) = self.host(host, server.port) {
                of.rules.extend(rules.iter().cloned());
            }
        }
        true
    }

    /// The virtual host of a host, which is there afterwards.
    fn host(&mut self, host: String, port: u16) -> Option<&mut OutboundDestination> {
        let at = self
            .hosts
            .iter()
            .position(|known| known.domains.contains(&host))
            .unwrap_or_else(|| {
                self.hosts.push(OutboundDestination {
                    name: format!("{host}:{port}"),
                    listener: self.listener.clone(),
                    domains: vec![host],
                    rules: Vec::new(),
                });
                self.hosts.len() - 1
            });
        self.hosts.get_mut(at)
    }

    /// The virtual hosts with the rules for all requests at the end (`SortVHostRoutes`); requests that no
    /// rule matches get 404, and so do those to a port without virtual hosts.
    fn finish(mut self, port: u16) -> Vec<OutboundDestination> {
        const MOVED_PERMANENTLY: u16 = 301;
        let all = |status| OutboundRule::respond(String::new(), Vec::new(), status);
        if self.hosts.is_empty() {
            self.host("*".into(), port);
        }
        for host in &mut self.hosts {
            let rules = core::mem::take(&mut host.rules);
            if host.domains.iter().any(|of| self.redirected.contains(of)) {
                host.rules.push(all(MOVED_PERMANENTLY));
                continue;
            }
            let (for_all, some): (Vec<_>, Vec<_>) =
                rules.into_iter().partition(|rule| rule.matches.is_empty());
            host.rules = some;
            let last = for_all.into_iter().next().unwrap_or_else(|| all(NOT_FOUND));
            host.rules.push(last);
        }
        self.hosts
    }
}

/// The warning of a VirtualService that the gateway does not use.
fn without_effect(of: &IstioVirtualService, inputs: &IstioInputs) -> Diagnostic {
    let names: Vec<String> = inputs
        .gateways
        .iter()
        .map(IstioGateway::full_name)
        .collect();
    let named = |name: &String| of.is_for(&inputs.proxy, name);
    let (why, found) = if names.iter().any(named) {
        (
            "no server has one of its hosts, or no route is for it",
            of.hosts.join(", "),
        )
    } else if of.gateways.is_empty() {
        ("it is for sidecars only", "no gateways".into())
    } else {
        (
            "it is for other gateways or namespaces",
            of.gateways.join(", "),
        )
    };
    Diagnostic::warning(
        "mesh/unbound-virtual-service",
        format!(
            "VirtualService {}/{} has no effect on the gateway: {why}",
            of.namespace, of.name
        ),
    )
    .found(found)
    .expected(names.join(", "))
}
