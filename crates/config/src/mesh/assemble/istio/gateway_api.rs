//! Routes of the Gateway API as VirtualServices of their parents (`HTTPRouteCollection`).

use alloc::{format, string::String, vec::Vec};

use spillgate_core::order;
use spillgate_mesh::istio::{IstioVirtualService, kube_host};

use crate::{
    Diagnostic,
    mesh::{GatewayApiParent, GatewayApiRoute, GatewayApiRule, read::MeshDocuments},
    node::quote,
};

/// The rules of one namespace for one port of a host.
struct HostRules<'d> {
    namespace: &'d str,
    port: Option<u16>,
    host: String,
    /// The routes and their rules.
    routes: Vec<(&'d GatewayApiRoute, &'d [GatewayApiRule])>,
}

/// One VirtualService for each host, namespace and port that the routes name. Warns about routes and
/// parents that are left out.
pub(super) fn virtual_services(
    documents: &MeshDocuments,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<IstioVirtualService> {
    let mut found: Vec<HostRules<'_>> = Vec::new();
    for route in &documents.gateway_api {
        let rules = match &route.rules {
            Ok(rules) => rules,
            Err(why) => {
                warnings.push(left_out(route, "Istio ignores the route", why.clone()));
                continue;
            }
        };
        for parent in &route.parents {
            let hosts = match hosts(parent, documents) {
                Ok(hosts) => hosts,
                Err(why) => {
                    let name = format!("{} {}/{}", parent.kind, parent.namespace, parent.name);
                    warnings.push(left_out(route, why, name));
                    continue;
                }
            };
            for host in hosts {
                let namespace = route.meta.namespace.as_str();
                let same = |of: &&mut HostRules<'_>| {
                    of.namespace == namespace && of.port == parent.port && of.host == host
                };
                match found.iter_mut().find(same) {
                    Some(known) => known.routes.push((route, rules)),
                    None => found.push(HostRules {
                        namespace,
                        port: parent.port,
                        host,
                        routes: Vec::from([(route, rules.as_slice())]),
                    }),
                }
            }
        }
    }
    found.into_iter().map(HostRules::virtual_service).collect()
}

/// The hosts of a parent, or why its routes are left out.
fn hosts(
    parent: &GatewayApiParent,
    documents: &MeshDocuments,
) -> Result<Vec<String>, &'static str> {
    let (name, namespace) = (&parent.name, &parent.namespace);
    match (parent.group.as_str(), parent.kind.as_str()) {
        ("" | "core", "Service") => {
            let mut services = documents.kube.services.iter();
            let is = |meta: &crate::mesh::ResourceMeta| {
                meta.name == *name && meta.namespace == *namespace
            };
            if services.any(|service| is(&service.meta)) {
                Ok(Vec::from([kube_host(name, namespace)]))
            } else {
                Err("no document describes its parent")
            }
        }
        ("networking.istio.io", "ServiceEntry") => {
            let mut entries = documents.istio.service_entries.iter();
            let found = entries
                .find(|entry| entry.meta.name == *name && entry.meta.namespace == *namespace);
            found
                .map(|entry| entry.hosts.clone())
                .ok_or("no document describes its parent")
        }
        (_, "Service") => Err("Istio ignores a Service as its parent without `group: \"\"`"),
        (_, "ServiceEntry") => {
            Err("Istio ignores a ServiceEntry as its parent without `group: networking.istio.io`")
        }
        _ => Err("routes of parents other than Service and ServiceEntry are not modeled"),
    }
}

impl HostRules<'_> {
    fn virtual_service(self) -> IstioVirtualService {
        let routes = order::sorted(self.routes, |(a, _), (b, _)| {
            let key = |of: &GatewayApiRoute| (of.meta.created.clone(), of.meta.name.clone());
            key(a).cmp(&key(b))
        });
        let created = routes.first().map(|(route, _)| route.meta.created.clone());
        let rules = routes.iter().flat_map(|(_, rules)| rules.iter()).collect();
        let rules: Vec<&GatewayApiRule> = order::sorted(rules, |a, b| b.rank.cmp(&a.rank));
        let http = rules.into_iter().map(|rule| {
            let mut route = rule.route.clone();
            for entry in &mut route.matches {
                entry.port = self.port;
            }
            route
        });
        IstioVirtualService {
            name: format!("{}~{}", self.namespace, self.host),
            namespace: self.namespace.into(),
            hosts: Vec::from([self.host]),
            created: created.unwrap_or_default(),
            http: http.collect(),
            is_gateway_api: true,
            ..IstioVirtualService::default()
        }
    }
}

/// The warning of a route that is left out.
fn left_out(route: &GatewayApiRoute, why: &str, found: String) -> Diagnostic {
    let GatewayApiRoute { meta, kind, .. } = route;
    let name = quote(&meta.full_name());
    Diagnostic::warning(
        "mesh/route-left-out",
        format!("{kind} {name} is left out: {why}"),
    )
    .found(found)
}
