//! The routes of a proxy to a destination, and how they split its requests.

use alloc::{collections::BTreeSet, vec::Vec};
use core::cmp::Reverse;

use super::{
    KumaBackendRef, KumaDestination, KumaProxy, KumaRoute, KumaRouteKind,
    select::{selects_destination, selects_proxy},
};

/// One rule of a route that applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KumaRouteSplit<'a> {
    /// The index of the route.
    pub route: usize,
    /// The index in `spec.to`.
    pub to: usize,
    /// The index in `rules`.
    pub rule: usize,
    /// The destinations with their weights. Envoy gets one cluster for each of them.
    pub backends: &'a [KumaBackendRef],
}

/// The rules of all routes for a proxy and a destination, the strongest route first. A rule with the
/// same matches as a stronger one is left out. MeshTCPRoutes apply only if no MeshHTTPRoute does, and MeshHTTPRoutes to HTTP only.
#[must_use]
pub fn route_splits<'a>(
    routes: &'a [KumaRoute],
    proxy: &KumaProxy,
    destination: &KumaDestination,
) -> Vec<KumaRouteSplit<'a>> {
    let http = match destination.http {
        Some(false) => Vec::new(),
        _ => splits_of(routes_of(routes, proxy, KumaRouteKind::Http), destination),
    };
    if http.is_empty() {
        splits_of(routes_of(routes, proxy, KumaRouteKind::Tcp), destination)
    } else {
        http
    }
}

/// The routes of a kind that a proxy has, with their indices, the strongest first.
pub(super) fn routes_of<'a>(
    routes: &'a [KumaRoute],
    proxy: &KumaProxy,
    kind: KumaRouteKind,
) -> Vec<(usize, &'a KumaRoute)> {
    let routes = routes.iter().enumerate().filter(|(_, route)| {
        route.kind == kind
            && route.meta.mesh() == proxy.meta.mesh()
            && selects_proxy(&route.meta, route.target_ref.as_ref(), proxy)
    });
    let mut found: Vec<_> = routes.collect();
    found.sort_by_key(|(_, route)| {
        let narrow = route
            .target_ref
            .as_ref()
            .is_some_and(|of| of.kind != "Mesh");
        (
            Reverse((narrow, route.meta.origin())),
            route.meta.display_name(),
        )
    });
    found
}

fn splits_of<'a>(
    routes: Vec<(usize, &'a KumaRoute)>,
    destination: &KumaDestination,
) -> Vec<KumaRouteSplit<'a>> {
    let mut known = BTreeSet::new();
    let mut splits = Vec::new();
    for (index, route) in routes {
        for (to, entry) in route.to.iter().enumerate() {
            if !selects_destination(&route.meta, &entry.target_ref, destination) {
                continue;
            }
            for (rule, of) in entry.rules.iter().enumerate() {
                if known.insert(of.matches.as_str()) {
                    splits.push(KumaRouteSplit {
                        route: index,
                        to,
                        rule,
                        backends: &of.backend_refs,
                    });
                }
            }
        }
    }
    splits
}
