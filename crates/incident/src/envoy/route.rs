//! The retries, timeouts and subset criteria of the routes to a cluster.

use alloc::{borrow::ToOwned as _, boxed::Box, format, string::String, vec::Vec};

use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, ListenerConfig, ListenerProtocol, RouteMarks, limited, retry_limits},
};
use spillgate_core::{
    model::Metadata,
    route::{Forward, RetryBackOff, RetryPolicy, Route, RouteAction},
};

use super::{ConfigOrigin, doubts};
use crate::{
    report::time_text,
    traffic::{RetryLimits, Timeouts},
};

/// What the routes to a cluster decide about its requests.
#[derive(Debug, Clone)]
pub struct RouteSetup {
    /// The retries.
    pub retry: RetryPolicy,
    /// The limits of retries at the same time; `None` for no limit.
    pub retry_limits: Option<RetryLimits>,
    /// Which circuit breakers count; `None` for connections that are not of HTTP.
    pub priority: Option<RoutingPriority>,
    /// The timeouts.
    pub timeouts: Timeouts,
    /// The subset criteria.
    pub criteria: Metadata,
    /// All routes to the cluster: the index in [`EnvoyConfig::listeners`], and [`Route::id`].
    pub routes: Vec<(usize, usize)>,
    /// Limits of answers in which requests are retried.
    pub limits: Vec<Diagnostic>,
}

/// The priority of requests, which has circuit breakers of its own (`RouteAction.priority`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RoutingPriority {
    /// `DEFAULT`.
    #[default]
    Default,
    /// `HIGH`.
    High,
}

/// A route to the cluster.
struct FoundRoute {
    title: String,
    retry: RetryPolicy,
    retry_limits: Option<RetryLimits>,
    priority: Option<RoutingPriority>,
    timeouts: Timeouts,
    criteria: Metadata,
    limit: Option<Box<Diagnostic>>,
}

impl FoundRoute {
    /// Whether the requests of both are treated alike.
    fn is_like(&self, other: &Self) -> bool {
        (&self.retry, self.retry_limits, self.priority)
            == (&other.retry, other.retry_limits, other.priority)
            && (self.timeouts, &self.criteria) == (other.timeouts, &other.criteria)
    }
}

/// What the routes of a configuration decide about requests to a cluster, and what is not known of them.
#[must_use]
pub fn route_of(
    config: &EnvoyConfig,
    name: &str,
    origin: ConfigOrigin,
    doubts: &mut Vec<String>,
) -> RouteSetup {
    let (mut found, mut routes) = (Vec::<FoundRoute>::new(), Vec::new());
    for (index, listener) in config.listeners.iter().enumerate() {
        if let ListenerProtocol::Redis(redis) = &listener.protocol
            && redis.clusters().any(|cluster| cluster == name)
        {
            doubts::connections(name, doubts);
            // The table of such a listener has no routes; its limits concern the cluster.
            routes.push((index, 0));
        }
        for host in &listener.routes.virtual_hosts {
            for route in &host.routes {
                let RouteAction::Forward(forward) = &route.action else {
                    continue;
                };
                if !route.clusters().any(|cluster| cluster == name) {
                    continue;
                }
                routes.push((index, route.id));
                let title = match route.name.as_str() {
                    "" => format!("{} route {}", host.name, route.id),
                    name => format!("{} {name}", host.name),
                };
                let reader = RouteReader {
                    config,
                    name,
                    origin,
                    listener,
                };
                let route = reader.read(title, route, forward, doubts);
                if !found.iter().any(|known| known.is_like(&route)) {
                    found.push(route);
                }
            }
        }
    }
    if let [first, _, ..] = found.as_slice() {
        doubts.push(format!(
            "I don't know which requests come from which route: {} routes to {name} have different retries, timeouts, priorities or subset criteria; the answer has those of {}",
            found.len(),
            first.title
        ));
    }
    let Some(route) = found.into_iter().next() else {
        let timeouts = unmarked(origin);
        doubts.push(format!(
            "no route in the input leads to {name}: requests are not retried, and have {}",
            timeouts.route.map_or_else(
                || String::from("no timeout"),
                |time| format!("a timeout of {}", time_text(time))
            )
        ));
        return RouteSetup {
            retry: RetryPolicy::NONE,
            retry_limits: None,
            priority: Some(RoutingPriority::Default),
            timeouts,
            criteria: Metadata::EMPTY,
            routes,
            limits: Vec::new(),
        };
    };
    let mut retry = route.retry;
    if retry.retry_on.is_empty() {
        retry.retries = 0;
    }
    if !retry.request_headers.is_empty() && retry.retries > 0 {
        doubts.push(
            "I don't know which requests meet retriable_request_headers; the answer retries all"
                .into(),
        );
    }
    let limit = route.limit.filter(|_| retry.retries > 0);
    RouteSetup {
        retry,
        retry_limits: route.retry_limits,
        priority: route.priority,
        timeouts: route.timeouts,
        criteria: route.criteria,
        routes,
        limits: limit.into_iter().map(|limit| *limit).collect(),
    }
}

/// The timeouts of routes without positions. Routes of Istio have no timeout unless a VirtualService sets one.
fn unmarked(origin: ConfigOrigin) -> Timeouts {
    if origin == ConfigOrigin::Istio {
        Timeouts::NONE
    } else {
        Timeouts::default()
    }
}

/// The cluster and the listener of a route.
struct RouteReader<'c> {
    config: &'c EnvoyConfig,
    name: &'c str,
    origin: ConfigOrigin,
    listener: &'c ListenerConfig,
}

impl RouteReader<'_> {
    fn read(
        &self,
        title: String,
        route: &Route,
        forward: &Forward,
        doubts: &mut Vec<String>,
    ) -> FoundRoute {
        let mark = self.listener.marks.get(route.id);
        if mark.is_some_and(|mark| mark.session.is_some()) {
            doubts::sessions(self.name, doubts);
        }
        let criteria = forward.criteria_to(self.name).clone();
        if self.listener.protocol != ListenerProtocol::Http {
            doubts::connections(self.name, doubts);
            return FoundRoute {
                title,
                retry: connection_retries(mark),
                retry_limits: None,
                priority: None,
                timeouts: Timeouts::NONE,
                criteria,
                limit: None,
            };
        }
        let high = mark.is_some_and(|mark| mark.is_high_priority);
        let clusters = route.clusters().map(str::to_owned).collect();
        let limits = retry_limits(&self.config.marks, clusters, high);
        let retry = limited(&forward.retry, &limits);
        // Istio sets no limit unless a DestinationRule does.
        let cap = match limits.first() {
            Some((_, limit)) if self.origin != ConfigOrigin::Istio => Some(limit.cap),
            _ => None,
        };
        let back_off = mark.map_or(RetryBackOff::DEFAULT, |mark| mark.retry_time.back_off);
        FoundRoute {
            title,
            retry,
            retry_limits: cap.map(|cap| RetryLimits { cap, back_off }),
            priority: Some(if high {
                RoutingPriority::High
            } else {
                RoutingPriority::Default
            }),
            timeouts: mark.map_or(unmarked(self.origin), |mark| Timeouts {
                route: mark.retry_time.timeout,
                per_try: mark.retry_time.per_try_timeout,
            }),
            criteria,
            limit: mark.and_then(|mark| mark.retry_time.limit.clone()),
        }
    }
}

/// A proxy of connections tries further hosts only if a host refuses them.
fn connection_retries(mark: Option<&RouteMarks>) -> RetryPolicy {
    let attempts = mark.map_or(1, |mark| mark.connect_attempts);
    RetryPolicy {
        retry_on: "connect-failure".into(),
        retries: attempts.saturating_sub(1),
        ..RetryPolicy::NONE
    }
}
