//! What is asked, and the steps from a request to a cluster.

use crate::{pick::PickRequest, unknown::UnknownClusters};
use spillgate_core::{
    route::{ClusterName, Route, RouteAction, RouteMatch, RouteTable, RouteTarget},
    snapshot::Snapshot,
    trace::{ConfigRef, DrawnFraction, RetriedCluster, Step, StepData, WeightedChoice},
};

/// One request, and the configuration that serves it.
#[derive(Debug)]
pub struct AskedRequest<'a> {
    /// The clusters of the configuration.
    pub snapshot: &'a Snapshot,
    /// The routes of the listener, or those of `--cluster`.
    pub routes: &'a RouteTable,
    /// What is asked.
    pub kind: &'a AskedKind,
    /// The request.
    pub request: &'a PickRequest,
    /// The clusters whose hosts are not known.
    pub unknown: &'a UnknownClusters,
    /// The host of the session that an option states.
    pub session_host: Option<&'a str>,
    /// The time for cookie expiry, in seconds since the Unix epoch.
    pub now: u64,
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedKind {
    /// An HTTP request for routes of the configuration.
    Request,
    /// An HTTP request for the cluster of `--cluster`.
    Direct,
    /// A connection for a TCP proxy.
    Connection,
    /// A session of a UDP proxy.
    Session,
    /// A key, and the name of its hash function.
    Key(String, &'static str),
    /// A connection that no filter chain of the listener serves, so Envoy closes it.
    NoFilterChain,
    /// A key without a route.
    NoKeyRoute(String),
    /// A connection for a network filter that is not modeled.
    NotModeled,
}

impl AskedKind {
    /// Whether Envoy answers with an HTTP response.
    pub const fn is_http(&self) -> bool {
        matches!(self, Self::Request | Self::Direct)
    }
}

impl AskedRequest<'_> {
    /// The value of a header; empty if it is absent.
    pub(super) fn header(&self, name: &str) -> &str {
        let mut headers = self.request.headers.iter();
        headers
            .find(|(have, _)| have == name)
            .map_or("", |(_, value)| value)
    }

    /// The virtual host without a matching route.
    pub(super) fn no_route(&self) -> Step {
        let domain = self.header(":authority");
        let found = self.routes.virtual_host(domain.as_bytes());
        step(StepData::NoRoute {
            domain: domain.to_owned(),
            virtual_host: found.map(|host| host.name.clone()),
        })
    }

    /// The route that matches the request.
    /// `number` is the random number of the request, if a route has a fraction.
    pub(super) fn route(&self, route: &Route, number: Option<u64>) -> Step {
        let mut hosts = self.routes.virtual_hosts.iter();
        let host = hosts.find(|host| host.routes.iter().any(|have| have.id == route.id));
        let RouteMatch {
            path,
            headers,
            query_parameters,
            cookies,
            fraction,
            ..
        } = &route.matcher;
        step(StepData::RouteMatched {
            virtual_host: host.map(|host| host.name.clone()).unwrap_or_default(),
            route: route.name.clone(),
            path: path.clone(),
            conditions: headers.len() + query_parameters.len() + cookies.len(),
            fraction: fraction.zip(number).map(|(share, number)| DrawnFraction {
                share,
                number: number % u64::from(share.denominator.number()),
            }),
        })
    }
}

/// A step that depends on the route alone.
pub(super) const fn step(data: StepData) -> Step {
    Step {
        data,
        config: ConfigRef::RouteMatch,
    }
}

/// The cluster that a route chooses, by the number `drawn` if at random; no step for a route that
/// names its cluster. `is_retry` if earlier attempts decide.
pub(super) fn chosen(
    route: &Route,
    cluster: &str,
    drawn: Option<u64>,
    is_retry: bool,
) -> Option<Step> {
    let RouteAction::Forward(forward) = &route.action else {
        return None;
    };
    let cluster = cluster.to_owned();
    let data = match &forward.target {
        RouteTarget::One(ClusterName::Name(_)) => return None,
        RouteTarget::One(ClusterName::Header(header)) => StepData::HeaderCluster {
            cluster,
            header: header.clone(),
        },
        RouteTarget::Chosen(_) => StepData::SpecifiedCluster { cluster },
        RouteTarget::Matched(matcher) => {
            let mut headers: Vec<String> = Vec::new();
            for name in matcher.headers() {
                if !headers.iter().any(|have| have == name) {
                    headers.push(name.to_owned());
                }
            }
            StepData::MatchedCluster { cluster, headers }
        }
        RouteTarget::Weighted(clusters) => StepData::WeightedCluster(WeightedChoice {
            cluster,
            by: clusters.by().clone(),
            roll: drawn.and_then(|number| number.checked_rem(clusters.total().into())),
            retry: is_retry.then_some(if forward.retry.refreshes_cluster {
                RetriedCluster::Refreshed
            } else {
                RetriedCluster::Kept
            }),
            weights: clusters.clusters().iter().map(|one| one.weight).collect(),
            total: clusters.total(),
        }),
    };
    Some(Step {
        data,
        config: ConfigRef::RouteSplit,
    })
}
