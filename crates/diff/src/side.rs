//! One of the two configurations.

use std::collections::BTreeSet;

use spillgate_config::envoy::ListenerConfig;
use spillgate_core::{
    model::{Metadata, Model},
    route::{RequestFilter, RouteAction, RouteTarget},
};

/// One of the two configurations.
#[derive(Debug, Clone, Copy)]
pub struct DiffSide<'a> {
    /// The clusters that requests reach.
    pub model: &'a Model,
    /// The routes, by listener.
    pub listeners: &'a [ListenerConfig],
    /// The names of the clusters whose hosts are not known.
    pub unknown: &'a BTreeSet<String>,
}

impl DiffSide<'_> {
    /// Whether requests to a cluster can have a session that stays at a host.
    pub(crate) fn has_sessions(&self, cluster: &str) -> bool {
        self.listeners
            .iter()
            .map(|listener| &listener.routes)
            .any(|table| {
                let hosts = table.virtual_hosts.iter();
                let mut routes = hosts.flat_map(|host| &host.routes);
                routes.any(|route| {
                    let filters = route.filters.as_ref().unwrap_or(&table.filters);
                    let keeps = |filter: &RequestFilter| {
                        matches!(
                            filter,
                            RequestFilter::StatefulSession(_) | RequestFilter::Spillgate(_)
                        )
                    };
                    route.clusters().any(|name| name == cluster) && filters.iter().any(keeps)
                })
            })
    }

    /// The subset criteria that routes to a cluster have.
    pub(crate) fn criteria(&self, cluster: &str) -> Vec<Metadata> {
        let mut found = Vec::new();
        let mut add = |criteria: &Metadata| {
            if !found.contains(criteria) {
                found.push(criteria.clone());
            }
        };
        let hosts = self
            .listeners
            .iter()
            .flat_map(|listener| &listener.routes.virtual_hosts);
        for route in hosts.flat_map(|host| &host.routes) {
            let RouteAction::Forward(forward) = &route.action else {
                continue;
            };
            if !route.clusters().any(|name| name == cluster) {
                continue;
            }
            match &forward.target {
                RouteTarget::Weighted(weighted) => {
                    for one in weighted.of_all_attempts() {
                        add(&one.criteria);
                    }
                }
                RouteTarget::One(_) | RouteTarget::Chosen(_) | RouteTarget::Matched(_) => {
                    add(&forward.criteria);
                }
            }
        }
        found
    }
}
