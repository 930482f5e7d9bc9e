//! One of the two configurations.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_config::envoy::{ListenerConfig, ListenerProtocol};
use spillgate_core::{
    model::{Metadata, Model},
    route::{
        ClusterName, Forward, HostPredicate, RequestFilter, Route, RouteAction, RouteTable,
        RouteTarget,
    },
};

/// One of the two configurations.
#[derive(Debug, Clone, Copy)]
pub struct DiffSide<'a> {
    /// The clusters that requests reach.
    pub model: &'a Model,
    /// The routes, by listener.
    pub listeners: &'a [ListenerConfig],
    /// The clusters whose hosts are not known, with a text of where their hosts are from. Equal texts are the same
    /// source, so that the hosts of one name are the same, whatever they are.
    pub unknown: &'a BTreeMap<String, String>,
    /// The clusters whose hosts are DNS names, each counted as one host, with a text of how these are resolved. Under
    /// another text, a name can have other addresses. `None` if no host is a name.
    pub resolved: Option<&'a BTreeMap<String, String>>,
}

/// The requests that the routes of a side send to its clusters.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RoutedRequests<'a> {
    /// By cluster that a route names.
    pub clusters: BTreeMap<&'a str, ClusterRequests<'a>>,
    /// Whether anything apart from subsets reads the metadata of hosts: a Spillgate filter, or a retry that leaves out
    /// hosts by their metadata.
    pub read_metadata: bool,
}

/// The requests that the routes of a side send to a cluster.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClusterRequests<'a> {
    /// Their subset criteria.
    pub criteria: Vec<&'a Metadata>,
    /// Whether they can have a session that stays at a host.
    pub has_sessions: bool,
    /// Whether some of them can have a hash of their own: without one, a hash table chooses at random.
    pub has_hashes: bool,
}

impl<'a> DiffSide<'a> {
    /// Where the hosts of a cluster are from; `None` if they are addresses of the configuration.
    pub(crate) fn source(&self, cluster: &str) -> Option<&'a str> {
        let resolved = || self.resolved?.get(cluster);
        let source = self.unknown.get(cluster).or_else(resolved)?;
        Some(source.as_str())
    }

    /// The requests of its routes.
    #[must_use]
    pub fn requests(&self) -> RoutedRequests<'a> {
        let mut found = RoutedRequests {
            clusters: BTreeMap::new(),
            read_metadata: self.reads_metadata(),
        };
        for (table, route) in self.routes() {
            let RouteAction::Forward(forward) = &route.action else {
                continue;
            };
            let has_sessions = filters(table, route).iter().any(keeps_sessions);
            let is_ours = |filter: &RequestFilter| matches!(filter, RequestFilter::Spillgate(_));
            let has_hashes =
                !forward.hash_policies.is_empty() || filters(table, route).iter().any(is_ours);
            for (cluster, criteria) in targets(route, forward) {
                let requests = found.clusters.entry(cluster).or_default();
                requests.has_sessions |= has_sessions;
                requests.has_hashes |= has_hashes;
                if !requests.criteria.contains(&criteria) {
                    requests.criteria.push(criteria);
                }
            }
        }
        // The key of a Redis command is hashed.
        for listener in self.listeners {
            if let ListenerProtocol::Redis(redis) = &listener.protocol {
                for cluster in redis.clusters() {
                    found.clusters.entry(cluster).or_default().has_hashes = true;
                }
            }
        }
        found
    }

    /// The clusters that routes, aggregate clusters and the proxy name, whether they exist or not.
    pub(crate) fn named_clusters(&self) -> BTreeSet<&'a str> {
        let members = self.model.clusters().iter().flat_map(|of| of.members());
        let named = members.chain(&self.model.local().cluster);
        let mut found: BTreeSet<&str> = named.map(String::as_str).collect();
        found.extend(self.routes().flat_map(|(_, route)| route.clusters()));
        for listener in self.listeners {
            if let ListenerProtocol::Redis(redis) = &listener.protocol {
                found.extend(redis.clusters());
            }
        }
        found
    }

    fn reads_metadata(&self) -> bool {
        let by_retry = |route: &Route| match &route.action {
            RouteAction::Forward(forward) => {
                let mut predicates = forward.retry.predicates.iter();
                predicates.any(|of| {
                    use HostPredicate::{OmitCanaryHosts, OmitHostMetadata};
                    matches!(of, OmitCanaryHosts | OmitHostMetadata(_))
                })
            }
            _ => false,
        };
        let is_ours = |filter: &RequestFilter| matches!(filter, RequestFilter::Spillgate(_));
        let mut listeners = self.listeners.iter();
        !self.model.chain().is_empty()
            || listeners.any(|listener| !listener.spillgate.is_empty())
            || self
                .routes()
                .any(|(table, route)| by_retry(route) || filters(table, route).iter().any(is_ours))
    }

    pub(crate) fn routes(&self) -> impl Iterator<Item = (&'a RouteTable, &'a Route)> + use<'a> {
        let tables = self.listeners.iter().map(|listener| &listener.routes);
        tables.flat_map(|table| {
            let routes = table.virtual_hosts.iter().flat_map(|host| &host.routes);
            routes.map(move |route| (table, route))
        })
    }
}

fn filters<'a>(table: &'a RouteTable, route: &'a Route) -> &'a [RequestFilter] {
    route.filters.as_ref().unwrap_or(&table.filters)
}

const fn keeps_sessions(filter: &RequestFilter) -> bool {
    matches!(
        filter,
        RequestFilter::StatefulSession(_) | RequestFilter::Spillgate(_)
    )
}

/// The clusters that a route names, with the subset criteria of their requests.
fn targets<'a>(route: &'a Route, forward: &'a Forward) -> Vec<(&'a str, &'a Metadata)> {
    match &forward.target {
        RouteTarget::Weighted(weighted) => {
            let each = weighted
                .of_all_attempts()
                .filter_map(|one| match &one.cluster {
                    ClusterName::Name(name) => Some((name.as_str(), &one.criteria)),
                    ClusterName::Header(_) => None,
                });
            each.collect()
        }
        RouteTarget::One(_) | RouteTarget::Chosen(_) | RouteTarget::Matched(_) => {
            let names = route.clusters();
            names.map(|name| (name, &forward.criteria)).collect()
        }
    }
}
