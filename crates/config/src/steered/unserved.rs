//! Spillgate filters from ECDS that reject their configuration: a previous one serves, which the input does
//! not have. A dump of Envoy 1.40 shows the rejected one.

use alloc::{string::String, vec::Vec};

use spillgate_core::{
    model::ClusterKind,
    route::{RequestFilter, RouteAction},
};

use super::steering_configs;
use crate::envoy::{EnvoyConfig, UnknownHosts};

/// Why a request's result is unknown.
const UNSERVED: &str = "rejected configuration of the Spillgate filter; a previous one serves";

/// Marks what such a filter decides as unknown: its routes, and the hosts of the clusters that follow it.
pub fn mark_unserved(envoy: &mut EnvoyConfig) {
    let mut found = false;
    for listener in &mut envoy.listeners {
        if !listener.spillgate.iter().any(|filter| filter.discovered) {
            continue;
        }
        let configs = steering_configs(listener).configs;
        let filters = listener.spillgate.iter().zip(&configs);
        let unserved: Vec<bool> = filters
            .map(|(filter, config)| filter.discovered && config.is_none())
            .collect();
        if !unserved.contains(&true) {
            continue;
        }
        found = true;
        let is_unserved = |filter: &RequestFilter| match filter {
            RequestFilter::Spillgate(number) => unserved.get(*number).copied().unwrap_or(false),
            _ => false,
        };
        let routes = &mut listener.routes;
        let on_all = routes.filters.iter().any(is_unserved);
        let hosts = routes.virtual_hosts.iter_mut();
        for route in hosts.flat_map(|host| &mut host.routes) {
            let own = route.filters.as_ref();
            let runs = own.map_or(on_all, |filters| filters.iter().any(is_unserved));
            if runs && matches!(route.action, RouteAction::Forward(_)) {
                route.action = RouteAction::Unmodeled(UNSERVED);
            }
        }
    }
    if !found {
        return;
    }
    let follows = envoy
        .model
        .clusters()
        .iter()
        .filter(|cluster| match &cluster.kind {
            ClusterKind::Plain(plain) => !plain.override_hosts.is_empty(),
            _ => false,
        });
    let names: Vec<String> = follows.map(|cluster| cluster.name.clone()).collect();
    for name in names {
        if let Some(marks) = envoy.marks.cluster_mut(&name) {
            marks.unknown_hosts = Some(UnknownHosts::RejectedFilter);
        }
    }
}
