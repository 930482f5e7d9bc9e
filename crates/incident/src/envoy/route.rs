//! The retries, timeouts and subset criteria of the routes to a cluster.

use alloc::{borrow::ToOwned as _, boxed::Box, format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, ListenerConfig, ListenerProtocol, RouteOverTime, limited, retry_limits},
};
use spillgate_core::{
    model::Metadata,
    route::{Forward, RetryBackOff, RetryPolicy, Route, RouteAction},
};

use super::{ConfigOrigin, doubts, sessions};
use crate::{
    report::time_text,
    traffic::{RetryLimits, RouteSessions, Timeouts},
};

/// What the routes to a cluster decide about its requests.
#[derive(Debug, Clone)]
pub struct RouteSetup {
    /// The retries.
    pub retry: RetryPolicy,
    /// The limits of retries at the same time; `None` for no limit. Those of documents of a mesh are in the settings of
    /// the cluster.
    pub retry_limits: Option<RetryLimits>,
    /// How long retries wait.
    pub back_off: RetryBackOff,
    /// Which circuit breakers count; `None` for connections that are not of HTTP.
    pub priority: Option<RoutingPriority>,
    /// The timeouts.
    pub timeouts: Timeouts,
    /// The subset criteria.
    pub criteria: Metadata,
    /// Whether requests have a hash, by which a policy can choose the host.
    pub has_hash: bool,
    /// How requests keep sessions (`envoy.filters.http.stateful_session`); `None` if they do not.
    pub sessions: Option<RouteSessions>,
    /// All routes to the cluster: the index in [`EnvoyConfig::listeners`], and [`Route::id`].
    pub routes: Vec<(usize, usize)>,
    /// Limits of answers in which requests are retried.
    pub limits: Vec<Diagnostic>,
    /// Limits in documents of a mesh, each with the number of its file.
    pub located_limits: Vec<(usize, Diagnostic)>,
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
    back_off: RetryBackOff,
    priority: Option<RoutingPriority>,
    timeouts: Timeouts,
    criteria: Metadata,
    has_hash: bool,
    sessions: Option<RouteSessions>,
    limit: Option<Box<Diagnostic>>,
    located_limits: Vec<(usize, Diagnostic)>,
}

impl FoundRoute {
    /// How long its requests wait, then how often they are retried.
    fn patience(&self) -> (Duration, u32) {
        (
            self.timeouts.route.unwrap_or(Duration::MAX),
            self.retry.retries,
        )
    }

    /// Whether the requests of both are treated alike.
    fn is_like(&self, other: &Self) -> bool {
        (&self.retry, self.retry_limits, self.priority)
            == (&other.retry, other.retry_limits, other.priority)
            && (self.timeouts, self.back_off) == (other.timeouts, other.back_off)
            && (&self.criteria, self.has_hash) == (&other.criteria, other.has_hash)
            && self.sessions == other.sessions
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
                    listener,
                };
                let route = FoundRoute {
                    has_hash: !forward.hash_policies.is_empty(),
                    ..reader.read(title, route, forward, doubts)
                };
                if !found.iter().any(|known| known.is_like(&route)) {
                    found.push(route);
                }
            }
        }
    }
    // The route whose requests fail first.
    found.sort_by_key(FoundRoute::patience);
    if let [first, _, ..] = found.as_slice() {
        doubts.push(format!(
            "I don't know which requests come from which route: {} routes to {name} have different retries, timeouts, priorities or subset criteria; the answer has those of {}, with the shortest timeout",
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
            back_off: RetryBackOff::DEFAULT,
            priority: Some(RoutingPriority::Default),
            timeouts,
            criteria: Metadata::EMPTY,
            has_hash: false,
            sessions: None,
            routes,
            limits: Vec::new(),
            located_limits: Vec::new(),
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
        back_off: route.back_off,
        priority: route.priority,
        timeouts: route.timeouts,
        criteria: route.criteria,
        has_hash: route.has_hash,
        sessions: route.sessions,
        routes,
        limits: limit.into_iter().map(|limit| *limit).collect(),
        located_limits: route.located_limits,
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
        let has_sessions = mark.is_some_and(|mark| mark.session.is_some());
        let sessions = has_sessions
            .then(|| sessions::of_route(self.config, self.listener, route, self.name, doubts));
        let sessions = sessions.flatten();
        let criteria = forward.criteria_to(self.name).clone();
        if let Some(of_mesh) = self.listener.over_time.get(route.id) {
            return self.read_of_mesh(title, of_mesh, criteria, doubts);
        }
        if self.listener.protocol != ListenerProtocol::Http {
            doubts::connections(self.name, doubts);
            let attempts = mark.map_or(1, |mark| mark.connect_attempts);
            return connections(title, attempts, criteria, Vec::new());
        }
        let high = mark.is_some_and(|mark| mark.is_high_priority);
        let clusters = route.clusters().map(str::to_owned).collect();
        let limits = retry_limits(&self.config.marks, clusters, high);
        let retry = limited(&forward.retry, &limits);
        let cap = limits.first().map(|(_, limit)| limit.cap);
        let back_off = mark.map_or(RetryBackOff::DEFAULT, |mark| mark.retry_time.back_off);
        FoundRoute {
            title,
            retry,
            retry_limits: cap.map(|cap| RetryLimits { cap, back_off }),
            back_off,
            priority: Some(if high {
                RoutingPriority::High
            } else {
                RoutingPriority::Default
            }),
            timeouts: mark.map_or_else(Timeouts::default, |mark| Timeouts {
                route: mark.retry_time.timeout,
                per_try: mark.retry_time.per_try_timeout,
            }),
            criteria,
            has_hash: false,
            sessions,
            limit: mark.and_then(|mark| mark.retry_time.limit.clone()),
            located_limits: Vec::new(),
        }
    }

    /// A route of documents of a mesh.
    fn read_of_mesh(
        &self,
        title: String,
        of: &RouteOverTime,
        criteria: Metadata,
        doubts: &mut Vec<String>,
    ) -> FoundRoute {
        for assumption in &of.assumptions {
            if !doubts.contains(assumption) {
                doubts.push(assumption.clone());
            }
        }
        let located_limits = of.limits.clone();
        if let Some(attempts) = of.connect_attempts {
            doubts::connections(self.name, doubts);
            return connections(title, attempts, criteria, located_limits);
        }
        FoundRoute {
            title,
            retry: of.retry.clone(),
            retry_limits: None,
            back_off: of.time.back_off,
            priority: Some(RoutingPriority::Default),
            timeouts: Timeouts {
                route: of.time.timeout,
                per_try: of.time.per_try_timeout,
            },
            criteria,
            has_hash: false,
            sessions: None,
            limit: of.time.limit.clone(),
            located_limits,
        }
    }
}

/// The route of a proxy of connections, which connects this often: to further hosts only if a host refuses.
fn connections(
    title: String,
    attempts: u32,
    criteria: Metadata,
    located_limits: Vec<(usize, Diagnostic)>,
) -> FoundRoute {
    FoundRoute {
        title,
        retry: RetryPolicy {
            retry_on: "connect-failure".into(),
            retries: attempts.saturating_sub(1),
            ..RetryPolicy::NONE
        },
        retry_limits: None,
        back_off: RetryBackOff::DEFAULT,
        priority: None,
        timeouts: Timeouts::NONE,
        criteria,
        has_hash: false,
        sessions: None,
        limit: None,
        located_limits,
    }
}
