//! From a request to its answer: routing, sessions, then the shares of the hosts.

use std::{cell::OnceCell, collections::HashMap};

use serde_json::Value;
use spillgate_core::{
    names::Names,
    route::{HeaderList, Headers, ReceivedRequest, RouteAlternative, RouteOutcome, RouteTable},
    snapshot::Snapshot,
};

use super::{
    NOT_FOUND, OwnReply, OwnReplyReason, PickOutput, PickRequest, RequestRow,
    alternatives::{Alternatives, Chosen},
    balancing::{Balancers, Case},
    branches::Session,
    clients::Client,
    deciding_addresses::{in_headers, of_cluster, of_host},
    destinations::{destinations, route_parts},
    lessons::{Lessons, ObservedHost},
};
use crate::{
    limits::Reached,
    steered::{SteeredAlternative, SteeredInput, SteeredOutcome, SteeringFilters},
    unknown::UnknownClusters,
};

/// Answers requests for one snapshot and one set of routes.
#[derive(Debug)]
pub struct Answerer<'c> {
    /// The clusters.
    pub(super) snapshot: &'c Snapshot,
    /// The routes of the listener.
    routes: &'c RouteTable,
    /// The headers that the routing of all requests reads.
    common_reads: OnceCell<Names>,
    /// The load balancers of its clusters.
    pub(super) balancers: Balancers<'c>,
    /// The clients by name.
    clients: HashMap<String, Client>,
    /// The time in seconds since the Unix epoch.
    pub(super) now: u64,
    /// The Spillgate filters of the listener.
    filters: SteeringFilters,
    /// What the last request reached.
    pub(super) reached: Reached,
    /// The clusters whose hosts are not known.
    pub(super) unknown: UnknownClusters,
}

impl<'c> Answerer<'c> {
    /// An answerer without Spillgate filters, at time 0: no cookie has expired.
    #[must_use]
    pub fn new(snapshot: &'c Snapshot, routes: &'c RouteTable) -> Self {
        Self {
            snapshot,
            routes,
            common_reads: OnceCell::new(),
            balancers: Balancers::new(snapshot),
            clients: HashMap::new(),
            now: 0,
            filters: SteeringFilters::default(),
            reached: Reached::default(),
            unknown: UnknownClusters::default(),
        }
    }

    /// Adds the Spillgate filters of the listener.
    #[must_use]
    pub fn steered_by(self, filters: SteeringFilters) -> Self {
        Self { filters, ..self }
    }

    /// Sets the clusters whose hosts are not known: the result of their requests is unknown.
    #[must_use]
    pub fn without_hosts_of(self, unknown: UnknownClusters) -> Self {
        Self { unknown, ..self }
    }

    /// Whether several clusters have the address.
    pub(super) fn is_shared(&self, address: &str) -> bool {
        self.balancers.addresses.is_shared(address)
    }

    /// What the last answered request reached.
    #[must_use]
    pub const fn reached(&self) -> &Reached {
        &self.reached
    }

    /// Sets the time for the expiry of cookies in requests, in seconds since the Unix epoch. Cookies
    /// that a client keeps never expire.
    #[must_use]
    pub fn at(self, now: u64) -> Self {
        Self { now, ..self }
    }

    /// The answer to a request without a client.
    pub fn answer(&mut self, request: &PickRequest) -> PickOutput {
        self.respond(request, None, ObservedHost::Unknown)
    }

    /// The answer to a row; its client keeps cookies and session headers of the response.
    pub fn answer_row(&mut self, row: &RequestRow) -> PickOutput {
        let client = row.session.as_deref().map(|name| (name, &row.i));
        self.respond(&row.request, client, ObservedHost::Unknown)
    }

    /// As [`Answerer::answer_row`] for an observed request: the client learns the host that served it,
    /// or that no host did (`None`).
    pub fn answer_seen(&mut self, row: &RequestRow, seen: Option<&str>) -> PickOutput {
        let client = row.session.as_deref().map(|name| (name, &row.i));
        let seen = seen.map_or(ObservedHost::NoHost, ObservedHost::Host);
        self.respond(&row.request, client, seen)
    }

    /// Runs the Spillgate filters, then Envoy for each possible outcome.
    fn respond(
        &mut self,
        request: &PickRequest,
        client: Option<(&str, &Value)>,
        seen: ObservedHost<'_>,
    ) -> PickOutput {
        self.reached = Reached {
            states_local: request.given.local,
            ..Reached::default()
        };
        if !request.given.source {
            let common = || self.routes.common_read_headers();
            let common = self.common_reads.get_or_init(common);
            self.reached.unstated = in_headers(self.snapshot, self.routes, common, request);
        }
        let headers = HeaderList(&request.headers);
        let states = request.filter_state();
        let received = self.routes.receive(&headers, request.connection(&states));
        if self.filters.is_empty() || received.refused.is_some() {
            return self.unsteered(request, &received, client, seen);
        }
        let passed_on = request.passed_on(&received);
        let input = SteeredInput {
            headers: HeaderList(&passed_on),
            now: self.now,
            seed: 0,
            attempt: request.attempt,
            tried: &request.tried,
        };
        let Some(alternatives) = self.filters.run(self.routes, input) else {
            return self.unsteered(request, &received, client, seen);
        };
        let mut all = Alternatives::default();
        for SteeredAlternative { part, outcome } in alternatives {
            let answer = match outcome {
                SteeredOutcome::Respond(status) => by_filter(status),
                SteeredOutcome::Unknown(why) => {
                    let route = self.routes.route_of(&received);
                    return PickOutput::Unknown {
                        route: route.map(|route| route.name.clone()).unwrap_or_default(),
                        why,
                        cluster: None,
                    };
                }
                SteeredOutcome::Forward(headers) => {
                    let headers = HeaderList(&headers);
                    let received = ReceivedRequest {
                        upgrades: received.upgrades,
                        ..ReceivedRequest::unchanged(&headers, received.connection)
                    };
                    self.unsteered(request, &received, client, seen)
                }
            };
            if part >= 1.0 {
                return answer;
            }
            if let Some(unknown) = all.add_answer(part, answer) {
                return unknown;
            }
        }
        all.answer(None)
    }

    /// The answer of Envoy itself, after the Spillgate filters.
    fn unsteered(
        &mut self,
        request: &PickRequest,
        received: &ReceivedRequest<'_, HeaderList<'_, String, String>>,
        client: Option<(&str, &Value)>,
        seen: ObservedHost<'_>,
    ) -> PickOutput {
        let before = client.map(|(name, _)| self.clients.get(name).cloned().unwrap_or_default());
        let mut alternatives = Alternatives::default();
        let mut lessons = Lessons::default();
        let mut origins = Vec::new();
        let mut kept = true;
        let found = self.routes.alternatives(received);
        if let Some(unknown) = refreshed(&found, request) {
            return unknown;
        }
        let addresses = &self.balancers.addresses;
        let parts = route_parts(self.snapshot, addresses, &found, request, self.now);
        let found = found.into_iter().zip(parts);
        for (RouteAlternative { outcome, .. }, of_route) in found.filter(|(_, part)| *part > 0.0) {
            let routed = match outcome {
                RouteOutcome::Forward(routed) => routed,
                RouteOutcome::Respond { route, status } => {
                    self.reached.routes.push(route.id);
                    alternatives.respond(of_route, status, OwnReplyReason::Responded);
                    kept = false;
                    continue;
                }
                RouteOutcome::Refused { status } => {
                    alternatives.respond(of_route, status, OwnReplyReason::Refused);
                    kept = false;
                    continue;
                }
                RouteOutcome::NotFound => {
                    alternatives.respond(of_route, NOT_FOUND, OwnReplyReason::NoRoute);
                    kept = false;
                    continue;
                }
                RouteOutcome::Unknown { route, why } => {
                    self.reached.routes.push(route.id);
                    return PickOutput::Unknown {
                        route: route.name.clone(),
                        why,
                        cluster: None,
                    };
                }
            };
            self.reached.routes.push(routed.route.id);
            self.reached.unstated.extend(of_cluster(request, &routed));
            if let Some(unknown) = self.unknown_host(request, &routed) {
                return unknown;
            }
            let addresses = &self.balancers.addresses;
            let possible = destinations(self.snapshot, addresses, &routed, request, self.now);
            for (destination, part) in possible {
                let part = of_route * part;
                let sessions = routed.sessions(&destination, self.now).into_iter();
                let sessions: Vec<Session<'_>> = sessions
                    .map(|(of, reading)| Session::new(of, reading, before.as_ref()))
                    .collect();
                let case = Case {
                    routed: &routed,
                    destination: &destination,
                    sessions: &sessions,
                };
                let name = destination.cluster.unwrap_or_default();
                self.reached.clusters.extend(self.snapshot.cluster_id(name));
                let chosen = match self.snapshot.cluster_id(name) {
                    Some(cluster) => {
                        let chosen =
                            self.balancers
                                .choose(cluster, request, &case, part, &mut lessons);
                        if chosen.balanced {
                            let to = &destination;
                            let unstated = of_host(self.snapshot, cluster, request, &routed, to);
                            self.reached.unstated.extend(unstated);
                        }
                        chosen
                    }
                    None => {
                        lessons.no_host(&sessions, part);
                        Chosen::refused(routed.cluster_not_found(), OwnReplyReason::UnknownCluster)
                    }
                };
                kept &= chosen.kept;
                origins.extend(sessions.iter().filter_map(Session::origin).cloned());
                alternatives.add(name, part, chosen);
            }
        }
        // `same_as` names one row, so the draw of one row must decide for all sessions.
        origins.dedup();
        let same_as = match origins.as_slice() {
            [origin] if kept => Some(origin.clone()),
            _ => None,
        };
        let answer = alternatives.answer(same_as.clone());
        if let (Some((name, row)), Some(before)) = (client, before) {
            let origin = same_as.as_ref().unwrap_or(row);
            let after = lessons.learn(before, origin, seen);
            self.clients.insert(name.to_owned(), after);
        }
        answer
    }
}

/// The answer to a retry that chooses its cluster again, if earlier fractions have taken some of the
/// numbers: its choice is not modeled.
fn refreshed<H: Headers>(
    found: &[RouteAlternative<'_, H>],
    request: &PickRequest,
) -> Option<PickOutput> {
    if found.len() < 2 || request.attempts() == 0 {
        return None;
    }
    found.iter().find_map(|one| match &one.outcome {
        RouteOutcome::Forward(routed) if routed.retry().refreshes_cluster => {
            Some(PickOutput::Unknown {
                route: routed.route.name.clone(),
                why: "refresh_cluster_on_retry with runtime_fraction",
                cluster: None,
            })
        }
        _ => None,
    })
}

/// The response of a Spillgate filter.
fn by_filter(status: u16) -> PickOutput {
    PickOutput::NoHost {
        status,
        cluster: None,
        replies: vec![OwnReply::to_all(status, OwnReplyReason::Filter)],
    }
}
