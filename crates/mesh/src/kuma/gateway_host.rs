//! The hosts of a built-in gateway and their rules (`sortRulesToHosts` in `gateway_routes.go`).

use alloc::{collections::BTreeSet, string::String, vec::Vec};
use core::cmp::Ordering;

use spillgate_core::order;

use super::{
    KumaGateway, KumaListener, KumaProxy, KumaRoute, KumaRouteKind, KumaRouteSplit,
    route_split::routes_of,
};

/// A host of a gateway at a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KumaGatewayHost<'a> {
    /// The listener.
    pub listener: &'a KumaListener,
    /// The host names of its requests: a name, `*.domain` or `*`.
    pub hostname: String,
    /// The proxy with the tags of the listener.
    pub proxy: KumaProxy,
    /// The rules, that of the narrowest host name first.
    pub rules: Vec<KumaRouteSplit<'a>>,
}

/// The hosts of a gateway. Requests for other hosts, and those that no rule of a host matches, are
/// answered with 404.
#[must_use]
pub fn gateway_hosts<'a>(
    gateway: &'a KumaGateway,
    routes: &'a [KumaRoute],
    proxy: &KumaProxy,
) -> Vec<KumaGatewayHost<'a>> {
    let mut found = Vec::new();
    let ports: BTreeSet<u16> = gateway.listeners.iter().map(|of| of.port).collect();
    for port in ports {
        let listeners = gateway.listeners.iter().filter(|of| of.port == port);
        let listeners = order::sorted(listeners.collect(), |a, b| {
            exactness(&a.hostname, &b.hostname)
        });
        let mut observed: Vec<&str> = Vec::new();
        for listener in listeners {
            let of = gateway.proxy_of(listener, proxy);
            let kind = if listener.http {
                KumaRouteKind::Http
            } else {
                KumaRouteKind::Tcp
            };
            let named = named_rules(routes_of(routes, &of, kind));
            for hostname in hostnames(&named, &listener.hostname) {
                if observed.iter().any(|known| contains(known, &hostname)) {
                    continue;
                }
                found.push(KumaGatewayHost {
                    listener,
                    rules: rules(&named, &listener.hostname, &hostname),
                    hostname,
                    proxy: of.clone(),
                });
            }
            observed.push(&listener.hostname);
        }
    }
    found
}

/// The name of a route that selects the gateway with rules for other destinations than `Mesh`. Kuma
/// does not look at the destination here: such rules can serve all hosts.
#[must_use]
pub fn gateway_service_route<'a>(
    gateway: &KumaGateway,
    routes: &'a [KumaRoute],
    proxy: &KumaProxy,
) -> Option<&'a str> {
    let listeners = gateway.listeners.iter();
    let mut found = listeners.flat_map(|listener| {
        let kind = if listener.http {
            KumaRouteKind::Http
        } else {
            KumaRouteKind::Tcp
        };
        routes_of(routes, &gateway.proxy_of(listener, proxy), kind)
    });
    let (_, route) = found.find(|(_, route)| {
        let mut entries = route.to.iter();
        entries.any(|entry| entry.target_ref.kind != "Mesh")
    })?;
    Some(route.meta.display_name())
}

/// The rules of an entry of `to`, for one of its host names.
struct NamedRules<'a> {
    hostname: &'a str,
    rules: Vec<(&'a str, KumaRouteSplit<'a>)>,
}

fn named_rules<'a>(routes: Vec<(usize, &'a KumaRoute)>) -> Vec<NamedRules<'a>> {
    let mut named = Vec::new();
    for (index, route) in routes {
        // `gateway_service_route` names routes for other destinations.
        let entries = route.to.iter().enumerate();
        for (to, entry) in entries.filter(|(_, entry)| entry.target_ref.kind == "Mesh") {
            let rules = entry.rules.iter().enumerate().map(|(rule, of)| {
                let split = KumaRouteSplit {
                    route: index,
                    to,
                    rule,
                    backends: &of.backend_refs,
                };
                (of.matches.as_str(), split)
            });
            let rules: Vec<_> = rules.collect();
            let names: Vec<&str> = match entry.hostnames.as_slice() {
                [] => Vec::from(["*"]),
                some => some.iter().map(String::as_str).collect(),
            };
            named.extend(names.into_iter().map(|hostname| NamedRules {
                hostname,
                rules: rules.clone(),
            }));
        }
    }
    named
}

/// The host names of a listener that rules are for: the narrower one of both.
fn hostnames(named: &[NamedRules<'_>], listener: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for of in named.iter().filter(|of| overlap(listener, of.hostname)) {
        let name = if contains(of.hostname, listener) {
            listener
        } else {
            of.hostname
        };
        if !found.iter().any(|known| known == name) {
            found.push(name.into());
        }
    }
    order::sorted(found, |a, b| exactness(a, b))
}

/// The rules of a host, each condition once.
fn rules<'a>(named: &[NamedRules<'a>], listener: &str, hostname: &str) -> Vec<KumaRouteSplit<'a>> {
    let own = hostnames(named, listener);
    let matching = named.iter().filter(|of| {
        // Rules for a narrower name have a host of their own.
        let narrower =
            own.iter().any(|known| known == of.hostname) && !contains(of.hostname, hostname);
        overlap(hostname, of.hostname) && !narrower
    });
    let matching: Vec<&NamedRules<'a>> = matching.collect();
    let matching = order::sorted(matching, |a, b| exactness(a.hostname, b.hostname));
    let mut known = BTreeSet::new();
    let all = matching.into_iter().flat_map(|of| &of.rules);
    all.filter(|(matches, _)| known.insert(*matches))
        .map(|(_, split)| *split)
        .collect()
}

/// Whether both names have a host in common.
fn overlap(a: &str, b: &str) -> bool {
    contains(a, b) || contains(b, a)
}

/// Whether a name or wildcard covers another one (`Hostname.contains`).
fn contains(outer: &str, inner: &str) -> bool {
    let (host, domain) = parts(outer);
    let (own, of) = parts(inner);
    let within = domain.is_empty()
        || of == domain
        || of
            .strip_suffix(domain)
            .is_some_and(|rest| rest.ends_with('.'));
    within && (host == "*" || host == own)
}

/// The first part of a name, and the others.
fn parts(name: &str) -> (&str, &str) {
    name.split_once('.').unwrap_or((name, ""))
}

/// Names before wildcards, longer wildcards before shorter ones (`IsMoreExact`).
fn exactness(a: &str, b: &str) -> Ordering {
    let rank = |name: &str| {
        let (host, domain) = parts(name);
        let length = match domain {
            "" => 0,
            some => some.split('.').count(),
        };
        if host == "*" {
            (true, usize::MAX - length)
        } else {
            (false, 0)
        }
    };
    rank(a).cmp(&rank(b)).then(a.cmp(b))
}
