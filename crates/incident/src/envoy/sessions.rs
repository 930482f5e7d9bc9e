//! The sessions that the routes to a cluster keep, and what is not known of them.

use alloc::{format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_config::envoy::{EnvoyConfig, ListenerConfig};
use spillgate_core::{
    model::Cluster,
    route::{RequestFilter, Route, SessionStateKind, StatefulSession},
};

use crate::{
    report::time_text,
    script::{HostEvent, IncidentScript},
    setup::IncidentSetup,
    traffic::{Outlook, RouteSessions},
};

/// How the requests of a route to a cluster keep sessions; `None` if they do not, or in a way that is not modeled.
pub(super) fn of_route(
    config: &EnvoyConfig,
    listener: &ListenerConfig,
    route: &Route,
    cluster: &str,
    doubts: &mut Vec<String>,
) -> Option<RouteSessions> {
    let table = &listener.routes;
    let filters = route.filters.as_ref().unwrap_or(&table.filters);
    let mut found = filters.iter().filter_map(|filter| match filter {
        RequestFilter::StatefulSession(session) => Some(session),
        _ => None,
    });
    let first = found.next();
    let is_one = found.next().is_none();
    // Among weighted clusters, a session is on a host of one of them only.
    let is_only = route.clusters().nth(1).is_none();
    let mut doubt = |text: String| {
        if !doubts.contains(&text) {
            doubts.push(text);
        }
    };
    let is_aggregate = |of: &Cluster| of.name == cluster && !of.members().is_empty();
    if config.model.clusters().iter().any(|of| is_aggregate(of)) {
        // The choice of an aggregate's member does not know the host of the session.
        if first.is_none_or(|session| session.strict) {
            doubt(format!(
                "Envoy refuses strict sessions with aggregate {cluster} (503); the answer has no sessions"
            ));
        }
        return None;
    }
    let session = first.filter(|session| is_one && is_only && serves_all(session));
    let Some(session) = session else {
        doubt(format!(
            "sessions of routes to {cluster} are not modeled: a request with a session goes to its host as long as that is possible"
        ));
        return None;
    };
    Some(RouteSessions {
        strict: session.strict,
        lifetime: lifetime(session),
    })
}

/// Whether requests of all paths have sessions.
fn serves_all(session: &StatefulSession) -> bool {
    match &session.carrier {
        SessionStateKind::Cookie(cookie) => matches!(cookie.path.as_str(), "" | "/"),
        SessionStateKind::Header(_) => true,
    }
}

fn lifetime(session: &StatefulSession) -> Option<Duration> {
    match &session.carrier {
        SessionStateKind::Cookie(cookie) if cookie.ttl > 0 => Some(Duration::from_secs(cookie.ttl)),
        _ => None,
    }
}

/// What a simulation does not know about the sessions.
pub(super) fn doubts(setup: &IncidentSetup, script: &IncidentScript) -> Vec<String> {
    let name = setup.name();
    let Some(rules) = setup.sessions else {
        let is_stated = script.sessions > 0;
        return is_stated
            .then(|| format!("no route to {name} keeps sessions, so the policy chooses for each of its requests"))
            .into_iter()
            .collect();
    };
    if script.sessions == 0 {
        return [format!(
            "I don't know how many clients have a session with {name}: each request with one goes to its host as long as that is possible. The answer has none until their number is stated (sessions)"
        )]
        .into();
    }
    let mut all = Vec::new();
    if let Some(lifetime) = rules.lifetime {
        all.push(format!(
            "sessions with {name} end {} after they began or moved, here never",
            time_text(lifetime)
        ));
    }
    let waits = |event: &HostEvent| {
        let outlook = Outlook::new(Some(event.behavior), setup.timeouts(), script.service_time);
        outlook.kind.is_timeout() && outlook.kind.is_retried(&setup.retry)
    };
    if setup.retry.retries > 0 && script.events.iter().any(waits) {
        all.push(format!(
            "sessions with {name} move with the response to a retry, here with its request"
        ));
    }
    if setup.retry.retries > 0 && setup.has_hash {
        all.push(format!(
            "retries of sessions with {name} go by the hash of the request, here to the host of the session"
        ));
    }
    all
}
