//! From a request to its answer: routing, sessions, then the shares of the hosts.

use std::{borrow::Cow, collections::HashMap};

use serde_json::Value;
use spillgate_core::{
    decide::{OverrideResolution, OverrideTarget, Request, original_destination},
    model::Metadata,
    route::{
        Destination, HeaderList, Headers, ReceivedRequest, RouteAlternative, RouteOutcome,
        RouteTable, Routed, RouterHeaders,
    },
    shares::{Distribution, Share},
    snapshot::{ClusterId, ClusterSnapshotKind, HostRef, Snapshot},
};

use super::{
    NOT_FOUND, PickAnswer, PickOutcome, PickRequest, RequestRow,
    alternatives::{Alternatives, Chosen},
    branches::{Session, branches},
    clients::Client,
    destinations::{destinations, route_parts},
    hosts::{Addresses, KnownHosts},
    lessons::{Lessons, ObservedHost},
};
use crate::{
    limits::Reached,
    steered::{SteeredAlternative, SteeredInput, SteeredOutcome, SteeringFilters},
    unknown::{HOSTS_UNKNOWN, UnknownClusters, attempts_of},
};

/// Answers requests for one snapshot and one set of routes.
#[derive(Debug)]
pub struct Answerer<'c> {
    /// The clusters.
    snapshot: &'c Snapshot,
    /// The routes of the listener.
    routes: &'c RouteTable,
    /// All hosts by address.
    addresses: Addresses<'c>,
    /// The shares of requests that depend on cluster and criteria alone.
    averages: HashMap<(ClusterId, Metadata), Distribution>,
    /// The clients by name.
    clients: HashMap<String, Client>,
    /// The time in seconds since the Unix epoch.
    now: u64,
    /// The Spillgate filters of the listener.
    filters: SteeringFilters,
    /// What the last request reached.
    reached: Reached,
    /// The clusters whose hosts are not known.
    unknown: UnknownClusters,
}

/// A cluster that a request can reach, with the sessions of the request.
struct Case<'a, 'r, H> {
    routed: &'a Routed<'r, H>,
    destination: &'a Destination<'r>,
    sessions: &'a [Session<'r>],
}

impl<'c> Answerer<'c> {
    /// An answerer without Spillgate filters, at time 0: no cookie has expired.
    #[must_use]
    pub fn new(snapshot: &'c Snapshot, routes: &'c RouteTable) -> Self {
        Self {
            snapshot,
            routes,
            addresses: Addresses::of(snapshot),
            averages: HashMap::new(),
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
    pub fn answer(&mut self, request: &PickRequest) -> PickAnswer {
        self.respond(request, None, ObservedHost::Unknown)
    }

    /// The answer to a row; its client keeps cookies and session headers of the response.
    pub fn answer_row(&mut self, row: &RequestRow) -> PickAnswer {
        let client = row.session.as_deref().map(|name| (name, &row.i));
        self.respond(&row.request, client, ObservedHost::Unknown)
    }

    /// As [`Answerer::answer_row`] for an observed request: the client learns the host that served it,
    /// or that no host did (`None`).
    pub fn answer_seen(&mut self, row: &RequestRow, seen: Option<&str>) -> PickAnswer {
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
    ) -> PickAnswer {
        self.reached = Reached::default();
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
                SteeredOutcome::Respond(status) => no_cluster(status),
                SteeredOutcome::Forward(headers) => {
                    let headers = HeaderList(&headers);
                    let received = ReceivedRequest::unchanged(&headers, received.connection);
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
    ) -> PickAnswer {
        let before = client.map(|(name, _)| self.clients.get(name).cloned().unwrap_or_default());
        let mut alternatives = Alternatives::default();
        let mut lessons = Lessons::default();
        let mut origins = Vec::new();
        let mut kept = true;
        let found = self.routes.alternatives(received);
        if let Some(unknown) = refreshed(&found, request) {
            return unknown;
        }
        let parts = route_parts(self.snapshot, &self.addresses, &found, request);
        let found = found.into_iter().zip(parts);
        for (RouteAlternative { outcome, .. }, of_route) in found.filter(|(_, part)| *part > 0.0) {
            let routed = match outcome {
                RouteOutcome::Forward(routed) => routed,
                RouteOutcome::Respond { route, status } => {
                    self.reached.routes.push(route.id);
                    alternatives.respond(of_route, status);
                    kept = false;
                    continue;
                }
                RouteOutcome::Refused { status } => {
                    alternatives.respond(of_route, status);
                    kept = false;
                    continue;
                }
                RouteOutcome::NotFound => {
                    alternatives.respond(of_route, NOT_FOUND);
                    kept = false;
                    continue;
                }
                RouteOutcome::Unknown { route, why } => {
                    self.reached.routes.push(route.id);
                    return PickAnswer::Unknown {
                        route: route.name.clone(),
                        why,
                        cluster: None,
                    };
                }
            };
            self.reached.routes.push(routed.route.id);
            if let Some(unknown) = self.unknown_cluster(request, &routed) {
                return unknown;
            }
            let possible = destinations(self.snapshot, &self.addresses, &routed, request);
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
                    Some(cluster) => self.choose(cluster, request, &case, part, &mut lessons),
                    None => {
                        lessons.no_host(&sessions, part);
                        Chosen::refused(routed.cluster_not_found())
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

    /// The answer to a request that can reach a cluster whose hosts are not known.
    fn unknown_cluster<H: Headers>(
        &mut self,
        request: &PickRequest,
        routed: &Routed<'_, H>,
    ) -> Option<PickAnswer> {
        let attempts = attempts_of(request.attempts());
        let snapshot = self.snapshot;
        let reached = destinations(snapshot, &self.addresses, routed, request).into_iter();
        let clusters = reached.filter_map(|(to, _)| snapshot.cluster_id(to.cluster?));
        let clusters: Vec<ClusterId> = clusters.collect();
        let mut reached = clusters.iter();
        let unknown = reached.find_map(|&id| self.unknown.reached(snapshot, id, attempts))?;
        self.reached.clusters.extend(clusters);
        Some(PickAnswer::Unknown {
            route: routed.route.name.clone(),
            why: HOSTS_UNKNOWN,
            cluster: Some(unknown.to_owned()),
        })
    }

    /// The hosts of a request that reaches a cluster with a probability of `part`.
    fn choose<H: Headers>(
        &mut self,
        cluster: ClusterId,
        request: &PickRequest,
        case: &Case<'_, '_, H>,
        part: f64,
        lessons: &mut Lessons,
    ) -> Chosen {
        let snapshot = self.snapshot;
        let hosts = self.addresses.known(snapshot, cluster, request);
        let settings = snapshot.plain(cluster).map(|plain| &plain.settings);
        let sources = settings.map_or(&[][..], |settings| &settings.override_hosts);
        let listed = case.routed.override_host_list(case.destination, sources);
        let headers = case.routed.headers(case.destination);
        let asked = ask(cluster, case, &headers, &hosts);
        let dropped = settings.map_or(0.0, |settings| {
            f64::from(settings.drop_overload.millionths()) / 10_000.0
        });
        let mut by_balancer = None;
        let mut all = Chosen {
            kept: true,
            ..Chosen::default()
        };
        for branch in branches(case.sessions, &listed) {
            let chosen = match branch.named.resolve(snapshot, &asked) {
                OverrideResolution::Host(named) => {
                    let host = self.host(named.host(), 100.0 - dropped);
                    Chosen {
                        kept: matches!(named, OverrideTarget::Session(_)),
                        ..Chosen::by_balancer(host.into_iter().collect(), dropped)
                    }
                }
                OverrideResolution::Refused(status) => {
                    Chosen::refused(status).unless_dropped(dropped)
                }
                OverrideResolution::Balancer { .. } => {
                    let shares =
                        by_balancer.get_or_insert_with(|| self.shares(cluster, case, &hosts));
                    let (outcomes, no_host) = shares.clone();
                    Chosen::by_balancer(outcomes, no_host)
                }
            };
            lessons.add(case.sessions, &branch, part, &chosen);
            all.add(branch.probability, chosen);
        }
        all
    }

    /// The hosts that the load balancer can choose, and the share of requests without a host.
    fn shares<H: Headers>(
        &mut self,
        cluster: ClusterId,
        case: &Case<'_, '_, H>,
        hosts: &KnownHosts,
    ) -> (Vec<PickOutcome>, f64) {
        let snapshot = self.snapshot;
        let (routed, headers) = (case.routed, case.routed.headers(case.destination));
        if let Some(ClusterSnapshotKind::OriginalDst(original)) =
            snapshot.cluster(cluster).map(|c| &c.kind)
        {
            let named = original_destination(original, &headers, &routed.connection);
            return match named {
                Some(endpoint) => (vec![self.named(cluster, endpoint)], 0.0),
                None => (Vec::new(), 100.0),
            };
        }
        let request = ask(cluster, case, &headers, hosts);
        let shares = if hosts.nothing() && !self.looks_at_hash(cluster, case) {
            let key = (cluster, case.destination.criteria.clone());
            let shares = self.averages.entry(key);
            Cow::Borrowed(&*shares.or_insert_with(|| snapshot.distribution_of(&request, None)))
        } else {
            Cow::Owned(snapshot.distribution_of(&request, None))
        };
        let outcomes = shares.shares.iter();
        let outcomes = outcomes.filter_map(|share| outcome(snapshot, share));
        (outcomes.collect(), shares.no_host)
    }

    /// Whether the choice of a cluster depends on the request hash.
    fn looks_at_hash<H: Headers>(&self, cluster: ClusterId, case: &Case<'_, '_, H>) -> bool {
        let looks = |id: ClusterId| {
            self.snapshot.plain(id).is_some_and(|plain| {
                let own = !plain.settings.hash_policies.is_empty();
                let hash = || case.routed.hash(case.destination);
                plain.settings.policy.hashes() && (own || hash().is_some())
            })
        };
        match self.snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
            Some(ClusterSnapshotKind::Aggregate(aggregate)) => {
                aggregate.members.iter().any(|&id| looks(id))
            }
            _ => looks(cluster),
        }
    }

    /// A host with its share in percent; `None` for a share of 0.
    fn host(&self, host: HostRef, share: f64) -> Option<PickOutcome> {
        let share = Share {
            owner: host.cluster,
            priority: host.priority,
            host: host.host,
            share,
        };
        outcome(self.snapshot, &share).filter(|outcome| outcome.share > 0.0)
    }

    /// The host that a request for an `ORIGINAL_DST` cluster names.
    fn named(&self, cluster: ClusterId, endpoint: String) -> PickOutcome {
        let owner = self.snapshot.cluster(cluster).map(|c| c.name.clone());
        PickOutcome {
            owner: owner.unwrap_or_default(),
            priority: 0,
            endpoint,
            share: 100.0,
        }
    }
}

/// The request to the load balancer of a cluster.
fn ask<'a, H: Headers>(
    cluster: ClusterId,
    case: &Case<'a, 'a, H>,
    headers: &'a RouterHeaders<'a, H>,
    hosts: &'a KnownHosts,
) -> Request<'a, RouterHeaders<'a, H>> {
    Request {
        hash_policies: case.routed.hash_policies(),
        connection: case.routed.connection,
        criteria: &case.destination.criteria,
        retry: case.routed.retry(),
        tried: &hosts.tried,
        hosts,
        ..Request::new(cluster, headers)
    }
}

/// The answer to a retry that chooses its cluster again, if earlier fractions have taken some of the
/// numbers: its choice is not modeled.
fn refreshed<H: Headers>(
    found: &[RouteAlternative<'_, H>],
    request: &PickRequest,
) -> Option<PickAnswer> {
    if found.len() < 2 || request.attempts() == 0 {
        return None;
    }
    found.iter().find_map(|one| match &one.outcome {
        RouteOutcome::Forward(routed) if routed.retry().refreshes_cluster => {
            Some(PickAnswer::Unknown {
                route: routed.route.name.clone(),
                why: "refresh_cluster_on_retry with runtime_fraction",
                cluster: None,
            })
        }
        _ => None,
    })
}

/// The answer without a cluster.
fn no_cluster(status: u16) -> PickAnswer {
    PickAnswer::NoHost {
        status,
        cluster: None,
    }
}

/// The host of a share.
pub(crate) fn outcome(snapshot: &Snapshot, share: &Share) -> Option<PickOutcome> {
    let priority = snapshot
        .plain(share.owner)?
        .priorities
        .get(share.priority)?;
    Some(PickOutcome {
        owner: snapshot.cluster(share.owner)?.name.clone(),
        priority: share.priority,
        endpoint: priority
            .configured
            .endpoints
            .get(share.host)?
            .address
            .clone(),
        share: share.share,
    })
}
