//! What is asked, and the steps from a request to a cluster.

use crate::{pick::PickRequest, unknown::UnknownClusters};
use spillgate_core::{
    route::{Route, RouteTable},
    snapshot::Snapshot,
    trace::{ConfigRef, Step, StepData},
};
use spillgate_explain::{chosen_cluster, matched_route, no_route};

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
        step(no_route(self.routes, self.header(":authority")))
    }

    /// The route that matches the request. `number` is the random number of the request, if a route has a
    /// fraction.
    pub(super) fn route(&self, route: &Route, number: Option<u64>) -> Step {
        step(matched_route(self.routes, route, number))
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
    Some(Step {
        data: chosen_cluster(route, cluster, drawn, is_retry)?,
        config: ConfigRef::RouteSplit,
    })
}
