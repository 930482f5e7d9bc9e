//! The clusters and sessions that gRPC calls of a request have: routes (A28), session cookies (A55, A60).

use spillgate_core::route::{
    ClusterName, Destination, Headers, RouteAction, RouteAlternative, RouteOutcome, RouteTarget,
    Routed, SessionStateKind, StatefulSession,
};
use spillgate_grpc::{GrpcSessionCookie, GrpcSessionRequest, ProtoDuration};

use super::{grpc_hash::joined_value, routing::AskedRequest};

/// Calls with the same cluster and the same session.
#[derive(Debug, Clone, PartialEq)]
pub struct GrpcCall {
    /// Their share of all calls, 0 to 1.
    pub share: f64,
    /// Their cluster.
    pub cluster: String,
    /// Their session.
    pub session: CallSession,
}

/// The session of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallSession {
    /// No session filter applies.
    Off,
    /// What its cookie says.
    Cookie {
        /// The name of the cookie; `None` for the host of an option.
        name: Option<String>,
        /// Its content; empty without a cookie.
        read: GrpcSessionRequest,
        /// Whether it lacks the cluster of the call, so that the response sets a new cookie.
        changed: bool,
    },
    /// gRPC rejects the filter (NACK), for this reason.
    Rejected(&'static str),
    /// The host is not known, for this reason.
    Unknown(&'static str),
}

/// The calls of a request, by cluster. The host of `named` is that of an option.
pub(super) fn calls<H: Headers>(
    asked: &AskedRequest<'_>,
    alternatives: &[RouteAlternative<'_, H>],
    named: Option<&str>,
) -> Vec<GrpcCall> {
    let mut calls: Vec<GrpcCall> = Vec::new();
    for alternative in alternatives {
        let RouteOutcome::Forward(routed) = &alternative.outcome else {
            continue;
        };
        let all = weighted(routed);
        let names: Vec<&str> = match all.as_slice() {
            [] => routed.destinations().filter_map(|of| of.cluster).collect(),
            all => all.iter().map(|(name, _)| *name).collect(),
        };
        let mut add = |share: f64, selected: &str, session: Option<CallSession>| {
            let session = session.unwrap_or(CallSession::Off);
            let (cluster, session) = overridden(&names, selected, session);
            let share = share * alternative.numbers.share();
            let mut have = calls.iter_mut();
            match have.find(|call| call.cluster == cluster && call.session == session) {
                Some(call) => call.share += share,
                None => calls.push(GrpcCall {
                    share,
                    cluster,
                    session,
                }),
            }
        };
        let total: f64 = all.iter().map(|(_, weight)| f64::from(*weight)).sum();
        for destination in routed.destinations() {
            let session = session(asked, routed, &destination, named);
            // Envoy can select one by a hash or a header, gRPC only at random.
            let is_selected = !routed.is_random() && all.len() > 1;
            if is_selected {
                let own = has_own_filters(routed);
                for (name, weight) in &all {
                    let unknown = CallSession::Unknown("weighted clusters with own filters");
                    let session = if own { Some(unknown) } else { session.clone() };
                    add(f64::from(*weight) / total, name, session);
                }
            } else if let Some(name) = destination.cluster {
                let weight = f64::from(destination.weight);
                let share = weight / f64::from(routed.total_weight().max(1));
                add(share, name, session);
            }
        }
    }
    calls
}

/// The clusters of a weighted route that have a weight, and the weights. gRPC leaves out the others.
fn weighted<'r, H: Headers>(routed: &Routed<'r, H>) -> Vec<(&'r str, u32)> {
    let RouteAction::Forward(forward) = &routed.route.action else {
        return Vec::new();
    };
    let RouteTarget::Weighted(clusters) = &forward.target else {
        return Vec::new();
    };
    let clusters = clusters.clusters().iter().filter(|of| of.weight > 0);
    let named = clusters.filter_map(|of| match &of.cluster {
        ClusterName::Name(name) => Some((name.as_str(), of.weight)),
        ClusterName::Header(_) => None,
    });
    named.collect()
}

fn has_own_filters<H: Headers>(routed: &Routed<'_, H>) -> bool {
    let RouteAction::Forward(forward) = &routed.route.action else {
        return false;
    };
    match &forward.target {
        RouteTarget::Weighted(clusters) => {
            clusters.clusters().iter().any(|of| of.filters.is_some())
        }
        _ => false,
    }
}

/// The cluster and the session of a call: the cluster of its cookie comes before the selected one.
fn overridden(route: &[&str], selected: &str, session: CallSession) -> (String, CallSession) {
    match session {
        CallSession::Cookie { name, read, .. } => {
            let (cluster, changed) = read.cluster_to_use(route, selected);
            let cluster = cluster.to_owned();
            let session = CallSession::Cookie {
                name,
                read,
                changed,
            };
            (cluster, session)
        }
        session => (selected.to_owned(), session),
    }
}

/// The session of the calls that select a destination; its cluster is not yet taken into account. `None`
/// without a filter.
fn session<H: Headers>(
    asked: &AskedRequest<'_>,
    routed: &Routed<'_, H>,
    destination: &Destination<'_>,
    named: Option<&str>,
) -> Option<CallSession> {
    if let Some(host) = named {
        return Some(CallSession::Cookie {
            name: None,
            read: GrpcSessionRequest {
                address_list: host.to_owned(),
                cluster: destination.cluster.unwrap_or_default().to_owned(),
            },
            changed: false,
        });
    }
    let sessions = routed.sessions(destination, asked.now);
    match sessions.as_slice() {
        [] => None,
        [(only, _)] => of_filter(asked, only),
        _ => Some(CallSession::Unknown("several stateful_session filters")),
    }
}

fn of_filter(asked: &AskedRequest<'_>, filter: &StatefulSession) -> Option<CallSession> {
    let SessionStateKind::Cookie(cookie) = &filter.carrier else {
        return Some(CallSession::Rejected("unsupported session state type"));
    };
    let ttl = ProtoDuration {
        seconds: i64::try_from(cookie.ttl).unwrap_or(i64::MAX),
        nanos: 0,
    };
    let Ok(legal) = GrpcSessionCookie::new(&cookie.name, &cookie.path, Some(ttl)) else {
        return Some(CallSession::Rejected("invalid name or ttl of the cookie"));
    };
    if !legal.applies_to(asked.header(":path")) {
        return None;
    }
    let header = joined_value("cookie", &asked.request.headers).unwrap_or_default();
    Some(CallSession::Cookie {
        name: Some(cookie.name.clone()),
        read: legal.parse_strictly(&header),
        changed: false,
    })
}
