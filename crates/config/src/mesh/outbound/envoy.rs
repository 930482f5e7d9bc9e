//! An Envoy configuration of everything that a proxy receives.

use alloc::{format, string::String, vec, vec::Vec};

use spillgate_core::{
    model::{Metadata, Model},
    route::{
        ClusterName, Forward, HeaderMatch, HeaderMatcher, HeaderMutations, PathMatch, Route,
        RouteAction, RouteMatch, RouteMetadata, RouteTable, RouteTarget, SplitBy, StringMatch,
        TextMatch, VirtualHost, WeightedCluster, WeightedClusters,
    },
};

use super::{
    MeshOutbound, OutboundDestination, OutboundForm, OutboundRule, destination::UNAVAILABLE,
    view::model_of,
};
use crate::{
    Diagnostic,
    envoy::{ChainPlace, ListenerConfig, LocalAddress},
    node::quote,
};

/// The request header that selects a rule with conditions, by its number from 0. The conditions
/// themselves are not converted.
pub const RULE_HEADER: &str = "x-mesh-rule";

/// The name of the listener.
const LISTENER: &str = "outbound";

impl MeshOutbound {
    /// The clusters and a listener whose routes reach the destinations, in a form for Envoy. A
    /// request's host selects the destination; a single destination serves every host.
    ///
    /// # Errors
    /// Everything that Envoy rejects.
    pub fn envoy(
        &self,
        form: OutboundForm,
    ) -> Result<(Model, Vec<ListenerConfig>, Vec<Diagnostic>), Vec<Diagnostic>> {
        let mut warnings = Vec::new();
        let mut clusters = Vec::new();
        for cluster in &self.clusters {
            let (assignment, repaired) = cluster.written(form);
            if !repaired.is_empty() {
                let fixed: Vec<String> = repaired
                    .iter()
                    .map(|of| format!("P{} {} {}", of.priority, of.zone, of.weight))
                    .collect();
                warnings.push(
                    Diagnostic::warning(
                        "mesh/weight-added",
                        format!(
                            "cluster {}: localities without weight got the sum of their host \
                             weights; without one, hash policies answer 503 for their priority",
                            quote(&cluster.name)
                        ),
                    )
                    .found(fixed.join(", ")),
                );
            }
            if cluster.exists {
                clusters.push(cluster.model_of(&assignment, &cluster.hosts));
            }
        }
        let listeners = self.listeners(&mut warnings);
        let model = model_of(clusters)?.with_local(self.local.clone());
        Ok((model, listeners, warnings))
    }

    /// The listeners with the routes of the destinations: one for a sidecar, and one for each route
    /// configuration of a gateway.
    #[must_use]
    pub fn listeners(&self, warnings: &mut Vec<Diagnostic>) -> Vec<ListenerConfig> {
        let mut listeners = Vec::new();
        let groups = self.destinations.chunk_by(|a, b| a.listener == b.listener);
        for destinations in groups {
            let name = destinations.first().map_or("", |of| of.listener.as_str());
            listeners.push(self.listener(name, destinations, warnings));
        }
        if listeners.is_empty() {
            listeners.push(self.listener("", &[], warnings));
        }
        listeners
    }

    fn listener(
        &self,
        name: &str,
        destinations: &[OutboundDestination],
        warnings: &mut Vec<Diagnostic>,
    ) -> ListenerConfig {
        let mut routes = 0;
        let is_gateway = !name.is_empty();
        let alone = destinations.len() == 1 && !is_gateway;
        let hosts = destinations.iter().map(|destination| VirtualHost {
            name: destination.name.clone(),
            domains: if alone {
                destination
                    .domains
                    .iter()
                    .cloned()
                    .chain(["*".into()])
                    .collect()
            } else {
                destination.domains.clone()
            },
            routes: self.routes(destination, &mut routes, warnings),
            headers: HeaderMutations::default(),
        });
        let virtual_hosts = hosts.collect();
        ListenerConfig {
            name: if is_gateway {
                name.into()
            } else {
                LISTENER.into()
            },
            address: String::new(),
            routes: RouteTable {
                virtual_hosts,
                ignore_port_in_host_matching: is_gateway,
                ..RouteTable::default()
            },
            #[cfg(feature = "health")]
            over_time: over_time(destinations),
            // Only sidecars see connections to other destinations than their own listeners.
            chain: ChainPlace {
                local: if is_gateway {
                    LocalAddress::OfListener
                } else {
                    LocalAddress::MayBeRestored
                },
                ..ChainPlace::default()
            },
            ..ListenerConfig::default()
        }
    }

    fn routes(
        &self,
        destination: &OutboundDestination,
        count: &mut usize,
        warnings: &mut Vec<Diagnostic>,
    ) -> Vec<Route> {
        let mut routes = Vec::new();
        for (number, rule) in destination.rules.iter().enumerate() {
            if !rule.matches.is_empty() && rule.requests.is_empty() {
                warnings.push(
                    Diagnostic::warning(
                        "mesh/rule-condition",
                        format!(
                            "{}: the condition of a route rule is not converted; the header \
                             {RULE_HEADER}: {number} selects the rule",
                            quote(&destination.name)
                        ),
                    )
                    .found(rule.matches.clone()),
                );
            }
            let action = match (rule.responds, self.target(rule)) {
                (Some(status), _) => RouteAction::Respond { status },
                (None, Some(target)) => RouteAction::Forward(Forward {
                    target,
                    criteria: Metadata::EMPTY,
                    hash_policies: rule.hash_policies.clone(),
                    rewrite: rule.rewrite.clone(),
                    retry: rule.retry.clone(),
                    cluster_not_found: rule.without_cluster.unwrap_or(UNAVAILABLE),
                }),
                // All weights are 0.
                (None, None) => RouteAction::Respond { status: 503 },
            };
            let matchers = match rule.requests.as_slice() {
                [] => vec![matcher(rule, number)],
                converted => converted.to_vec(),
            };
            for matcher in matchers {
                routes.push(Route {
                    id: *count,
                    name: String::new(),
                    matcher,
                    action: action.clone(),
                    filters: None,
                    headers: rule.headers.clone(),
                    metadata: RouteMetadata::default(),
                });
                *count += 1;
            }
        }
        routes
    }

    fn target(&self, rule: &OutboundRule) -> Option<RouteTarget> {
        let name = |at: usize| {
            let cluster = self.clusters.get(at)?;
            Some(ClusterName::Name(cluster.name.clone()))
        };
        if let [only] = rule.splits.as_slice() {
            return name(only.cluster).map(RouteTarget::One);
        }
        let clusters = rule.splits.iter().filter_map(|split| {
            Some(WeightedCluster {
                cluster: name(split.cluster)?,
                weight: split.weight,
                criteria: Metadata::EMPTY,
                filters: None,
                headers: split.headers.clone(),
                host_rewrite: split.authority.clone(),
            })
        });
        WeightedClusters::new(clusters.collect(), SplitBy::Random)
            .ok()
            .map(RouteTarget::Weighted)
    }
}

/// What decides when the requests of each route end: a rule has a route for each of its matches.
#[cfg(feature = "health")]
fn over_time(destinations: &[OutboundDestination]) -> Vec<crate::envoy::RouteOverTime> {
    let rules = destinations.iter().flat_map(|of| &of.rules);
    let routes = rules.flat_map(|rule| {
        let routes = rule.requests.len().max(1);
        core::iter::repeat_n(&rule.over_time, routes)
    });
    routes.cloned().collect()
}

/// The match of a rule: everything, or the header with its number.
fn matcher(rule: &OutboundRule, number: usize) -> RouteMatch {
    let header = HeaderMatch {
        name: RULE_HEADER.into(),
        matcher: HeaderMatcher::Text(StringMatch {
            text: TextMatch::Exact(format!("{number}")),
            ignore_case: false,
        }),
        invert: false,
        missing_as_empty: false,
    };
    RouteMatch {
        path: PathMatch::Prefix("/".into()),
        case_sensitive: true,
        headers: (!rule.matches.is_empty())
            .then_some(header)
            .into_iter()
            .collect(),
        query_parameters: Vec::new(),
        cookies: Vec::new(),
        grpc: false,
        fraction: None,
        unmodeled: None,
    }
}
