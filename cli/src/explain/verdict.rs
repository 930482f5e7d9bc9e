//! The result of `explain`: one decision, and every possible outcome.

use spillgate_answers::{
    limits::Reached,
    pick::{
        Addresses, Answerer, CLOSED, NOT_FOUND, OwnReply, OwnReplyReason, PickAnswer, PickOutcome,
        UNAVAILABLE, destinations, original_host, route_parts, unknown_original_host,
    },
    steered::{DrawnDecision, SteeredOutcome, SteeringFilters},
    unknown::attempts_of,
};
use spillgate_core::{
    decide::{BalancerState, Decision, OverrideRequest, Reason, Request, decide_with_override},
    draw::{Draw as _, SplitMix64},
    model::Endpoint,
    route::{
        Destination, HeaderList, Headers, ReceivedRequest, RouteAlternative, RouteOutcome, Routed,
    },
    trace::{RequestChanger, Step, StepData, Trace as _},
};

use super::{
    changes::{header_changes, read_by},
    grpc_call::{GrpcCall, calls},
    grpc_hash::GrpcHash,
    routing::{Asked, AskedKind, chosen, step},
    success::SuccessStory,
};

/// The number of candidates of a decision, as in the default of the filter.
const CANDIDATES: usize = 3;

/// The reason if Envoy does not use the choice of the filter.
const NOT_USED: &str = "choice_not_used";

/// The status of a request that reaches a host.
const OK: u16 = 200;

/// The result for one request.
#[derive(Debug, Default)]
pub(super) struct Verdict<'s> {
    /// The seed of random choices.
    pub(super) seed: u64,
    /// The status of the response; `None` if it is unknown.
    pub(super) status: Option<u16>,
    /// The reason, if there is no decision.
    pub(super) reason: &'static str,
    /// The cluster of the request, if a route selects one.
    pub(super) cluster: Option<String>,
    /// The id of the matched route.
    pub(super) route: Option<usize>,
    /// The decision of the engine, if a cluster was reached.
    pub(super) decision: Option<Decision>,
    /// The hosts to try, the chosen one first.
    pub(super) candidates: Vec<&'s Endpoint>,
    /// The steps of the decision, in order.
    pub(super) steps: Vec<Step>,
    /// The host that the request itself names (`ORIGINAL_DST`).
    pub(super) named: Option<String>,
    /// All possible hosts, with their shares in percent.
    pub(super) outcomes: Vec<PickOutcome>,
    /// The share of requests without a host, in percent.
    pub(super) no_host: f64,
    /// The responses to these requests.
    pub(super) replies: Vec<OwnReply>,
    /// The answer to `--failed`.
    pub(super) success: Option<SuccessStory>,
    /// Whether the outcomes are unknown.
    pub(super) is_unknown: bool,
    /// The cluster whose hosts are not known, if the request can reach it.
    pub(super) unknown_hosts: Option<String>,
    /// Why they are not known.
    pub(super) why_unknown: &'static str,
    /// The routes and clusters that the request can reach.
    pub(super) reached: Reached,
    /// The hash of the request for gRPC clients.
    pub(super) grpc_hash: GrpcHash,
    /// The clusters and sessions of gRPC clients.
    pub(super) grpc_calls: Vec<GrpcCall>,
}

/// Routes the request and decides once. `seed` makes the random choices: the start of the worker, the
/// weighted cluster, then the load balancer.
pub(super) fn decide<'s>(asked: &Asked<'s>, seed: u64) -> Verdict<'s> {
    let request = asked.request;
    let headers = HeaderList(&request.headers);
    let states = request.filter_state();
    let connection = request.connection(&states);
    let mut verdict = Verdict {
        seed,
        ..Verdict::default()
    };
    match asked.kind {
        AskedKind::NoFilterChain => verdict.ends(CLOSED, "no_filter_chain"),
        AskedKind::NoKeyRoute(_) => verdict.ends(CLOSED, "no_route"),
        AskedKind::NotModeled => {
            verdict.reason = "not_modelled";
            let field = "network filter";
            verdict.steps.push(step(StepData::NotModeled { field }));
        }
        _ => {
            verdict.answer(asked, answerer(asked));
            let received = asked.routes.receive(&headers, connection);
            verdict.changed(asked, &headers, &received);
            route_and_decide(asked, &received, &mut verdict);
        }
    }
    if !asked.kind.is_http() {
        for reply in &mut verdict.replies {
            *reply = reply.of_connection();
        }
        if verdict.status == Some(UNAVAILABLE) {
            verdict.status = Some(CLOSED);
        }
    }
    verdict
}

/// The result of a request that the Spillgate filter does not decide: it responds itself, or passes the
/// request on with these headers.
pub(super) fn undecided<'s>(
    asked: &Asked<'s>,
    filters: SteeringFilters,
    outcome: &SteeredOutcome,
    seed: u64,
) -> Verdict<'s> {
    let headers = HeaderList(&asked.request.headers);
    let states = asked.request.filter_state();
    let mut verdict = Verdict {
        seed,
        ..Verdict::default()
    };
    verdict.answer(asked, answerer(asked).steered_by(filters));
    let received = asked
        .routes
        .receive(&headers, asked.request.connection(&states));
    verdict.changed(asked, &headers, &received);
    match outcome {
        SteeredOutcome::Respond(status) => {
            verdict.ends(*status, OwnReplyReason::Filter.name());
            if let Some(route) = asked.routes.route_of(&received) {
                verdict.route = Some(route.id);
                verdict.steps.push(asked.route(route, None));
            }
        }
        SteeredOutcome::Unknown(_) => verdict.reason = "not_modelled",
        SteeredOutcome::Forward(headers) => {
            let headers = HeaderList(headers);
            let received = ReceivedRequest {
                upgrades: received.upgrades,
                ..ReceivedRequest::unchanged(&headers, received.connection)
            };
            route_and_decide(asked, &received, &mut verdict);
        }
    }
    verdict
}

/// Routes the request, then decides in its cluster.
fn route_and_decide<'s, H: Headers>(
    asked: &Asked<'s>,
    received: &ReceivedRequest<'_, H>,
    verdict: &mut Verdict<'s>,
) {
    let found = asked.routes.alternatives(received);
    verdict.grpc_calls = calls(asked, &found, asked.session_host);
    let (found, number) = alternative_of(asked, found, verdict.seed);
    // The alternatives have all numbers.
    let outcome = found.map_or(RouteOutcome::NotFound, |one| one.outcome);
    match outcome {
        RouteOutcome::Forward(routed) => forward(asked, received, &routed, number, verdict),
        RouteOutcome::Respond { route, status } => {
            verdict.ends(status, "responded");
            verdict.route = Some(route.id);
            verdict.steps.push(asked.route(route, number));
        }
        RouteOutcome::Refused { status } => verdict.ends(status, "refused"),
        RouteOutcome::NotFound => {
            verdict.ends(NOT_FOUND, "no_route");
            verdict.steps.push(asked.no_route());
        }
        RouteOutcome::Unknown { route, why } => {
            verdict.reason = "not_modelled";
            verdict.route = Some(route.id);
            verdict
                .steps
                .push(step(StepData::NotModeled { field: why }));
        }
    }
}

/// The decision of the Spillgate filter, and the result in its Envoy.
pub(super) fn steered<'s>(
    asked: &Asked<'_>,
    filters: SteeringFilters,
    drawn: &'s DrawnDecision,
    seed: u64,
) -> Verdict<'s> {
    let headers = HeaderList(&asked.request.headers);
    let mut verdict = Verdict {
        seed,
        ..Verdict::default()
    };
    let received = asked
        .routes
        .receive(&headers, asked.request.connection(&[]));
    if let Some(route) = asked.routes.route_of(&received) {
        verdict.route = Some(route.id);
        verdict.steps.push(asked.route(route, None));
    }
    verdict.steps.extend(drawn.steps.iter().cloned());
    let (snapshot, decision) = (&drawn.snapshot, drawn.decision);
    let cluster = snapshot.cluster(decision.cluster);
    verdict.cluster = cluster.map(|cluster| cluster.name.clone());
    verdict.candidates = decision.candidates(snapshot, CANDIDATES);
    verdict.status = Some(match decision.host {
        Some(_) => OK,
        None => UNAVAILABLE,
    });
    verdict.decision = Some(decision);
    let mut answerer = answerer(asked).steered_by(filters);
    let answer = answerer.answer(asked.request);
    verdict.reached = answerer.reached().clone();
    match answer {
        PickAnswer::NoHost { status, .. } => verdict.status = Some(status),
        PickAnswer::Unknown { .. } => verdict.status = None,
        PickAnswer::Determined { .. } | PickAnswer::Random { .. } => {}
    }
    verdict.take_over(answer);
    let chosen = decision.endpoint(snapshot);
    if let Some(chosen) = chosen.filter(|_| !verdict.is_unknown)
        && !verdict
            .outcomes
            .iter()
            .any(|one| one.endpoint == chosen.address)
    {
        // A later attempt goes to another host of the list.
        let reason = match asked.request.attempts() {
            0 => NOT_USED,
            _ => Reason::Chosen.name(),
        };
        verdict.overrule(reason, seed);
    }
    verdict
}

/// Answers the same request with all possible outcomes.
fn answerer<'a>(asked: &Asked<'a>) -> Answerer<'a> {
    Answerer::new(asked.snapshot, asked.routes)
        .at(asked.now)
        .without_hosts_of(asked.unknown.clone())
}

/// The alternative that a seed chooses, and the random number of the request if it decides. A retry keeps
/// the route of its earlier attempts.
fn alternative_of<'r, H: Headers>(
    asked: &Asked<'_>,
    mut found: Vec<RouteAlternative<'r, H>>,
    seed: u64,
) -> (Option<RouteAlternative<'r, H>>, Option<u64>) {
    if found.len() < 2 {
        return (found.pop(), None);
    }
    let number = number_of(asked, seed);
    if asked.request.attempts() == 0 {
        let chosen = found.into_iter().find(|one| one.numbers.contains(number));
        return (chosen, Some(number));
    }
    let addresses = Addresses::of(asked.snapshot);
    let parts = route_parts(asked.snapshot, &addresses, &found, asked.request, asked.now);
    let mut rest = number as f64 / 2_f64.powi(64);
    let at = parts.iter().position(|part| {
        rest -= part;
        rest < 0.0
    });
    let last = parts.iter().rposition(|part| *part > 0.0);
    let chosen = at.or(last).map(|at| found.swap_remove(at));
    (chosen, None)
}

/// The random number of a request: the first one after the start of the worker.
fn number_of(asked: &Asked<'_>, seed: u64) -> u64 {
    let mut draw = SplitMix64::new(seed);
    let _ = BalancerState::new(asked.snapshot, &mut draw);
    draw.draw()
}

/// Chooses the cluster of a matched route and decides there.
fn forward<'s, H: Headers>(
    asked: &Asked<'s>,
    received: &ReceivedRequest<'_, H>,
    routed: &Routed<'_, H>,
    number: Option<u64>,
    verdict: &mut Verdict<'s>,
) {
    verdict.grpc_hash = GrpcHash::of(routed.hash_policies(), &asked.request.headers);
    let snapshot = asked.snapshot;
    let mut draw = SplitMix64::new(verdict.seed);
    let mut state = BalancerState::new(snapshot, &mut draw);
    let addresses = Addresses::of(snapshot);
    let is_retry = asked.request.attempts() > 0;
    let (destination, drawn) = if is_retry {
        (of_retry(asked, routed, &addresses, &mut draw), None)
    } else {
        // The same number that has chosen the route.
        let drawn = (number.is_some() || routed.is_random()).then(|| draw.draw());
        (routed.choose(drawn.unwrap_or(0)), drawn)
    };
    let name = destination.cluster.unwrap_or_default();
    if matches!(
        asked.kind,
        AskedKind::Request | AskedKind::Connection | AskedKind::Session
    ) {
        verdict.route = Some(routed.route.id);
        if *asked.kind == AskedKind::Request {
            verdict.steps.push(asked.route(routed.route, number));
        }
        let choice = || chosen(routed.route, name, drawn, is_retry);
        verdict.steps.step_if(choice);
    }
    verdict.cluster = Some(name.to_owned());
    let Some(cluster) = snapshot.cluster_id(name) else {
        verdict.ends(routed.cluster_not_found(), "unknown_cluster");
        return;
    };
    let attempts = attempts_of(asked.request.attempts());
    if asked.unknown.reached(snapshot, cluster, attempts).is_some() {
        verdict.reason = "hosts_unknown";
        return;
    }
    let hosts = addresses.known(snapshot, cluster, asked.request);
    let headers = routed.headers(&destination);
    let at = (asked.request.attempts(), asked.now);
    if unknown_original_host(snapshot, asked.request, routed, &destination, at).is_some() {
        verdict.reason = "hosts_unknown";
        return;
    }
    let mut reads = asked.routes.read_headers();
    for name in read_by(snapshot, cluster) {
        reads.add(name);
    }
    let changes = header_changes(received, &headers, RequestChanger::Route, &reads);
    verdict.steps.extend(changes);
    let request = Request {
        hash_policies: routed.hash_policies(),
        connection: routed.connection,
        criteria: &destination.criteria,
        retry: routed.retry(),
        tried: &hosts.tried,
        hosts: &hosts,
        ..Request::new(cluster, &headers)
    };
    let sources = snapshot.override_sources(cluster);
    let said = OverrideRequest {
        sessions: routed.sessions(&destination, asked.now),
        listed: routed.override_host_list(&destination, sources),
    };
    let (decision, refused) = decide_with_override(
        snapshot,
        &mut state,
        &request,
        &said,
        &mut draw,
        &mut verdict.steps,
    );
    if refused.is_none() {
        verdict.named = original_host(snapshot, cluster, routed, &destination);
    }
    let found = decision.host.is_some() || verdict.named.is_some();
    verdict.status = Some(match refused {
        Some(status) => status,
        None if found => OK,
        None => UNAVAILABLE,
    });
    verdict.candidates = decision.candidates(snapshot, CANDIDATES);
    verdict.decision = Some(decision);
}

/// The cluster of a retry. Only a draw decides among several that fit the earlier attempts.
fn of_retry<'r, H: Headers>(
    asked: &Asked<'_>,
    routed: &Routed<'r, H>,
    addresses: &Addresses<'_>,
    draw: &mut SplitMix64,
) -> Destination<'r> {
    let mut possible = destinations(asked.snapshot, addresses, routed, asked.request, asked.now);
    if let [(only, _)] = possible.as_slice() {
        return only.clone();
    }
    let mut rest = draw.draw() as f64 / 2_f64.powi(64);
    let at = possible.iter().position(|(_, part)| {
        rest -= part;
        rest < 0.0
    });
    match at.or(possible.len().checked_sub(1)) {
        Some(at) => possible.swap_remove(at).0,
        None => routed.choose(0),
    }
}

impl Verdict<'_> {
    /// Takes over all possible outcomes.
    fn answer(&mut self, asked: &Asked<'_>, mut answerer: Answerer<'_>) {
        self.take_over(answerer.answer(asked.request));
        self.reached = answerer.reached().clone();
    }

    /// Adds the headers that the connection manager changes.
    fn changed<H: Headers>(
        &mut self,
        asked: &Asked<'_>,
        sent: &H,
        received: &ReceivedRequest<'_, H>,
    ) {
        let reads = asked.routes.read_headers();
        let by = RequestChanger::ConnectionManager;
        let changes = header_changes(sent, &received.headers, by, &reads);
        self.steps.extend(changes);
    }

    /// The request ends without a host.
    fn ends(&mut self, status: u16, reason: &'static str) {
        self.status = Some(status);
        self.reason = reason;
    }

    /// Envoy does not use the filter's choice: the result is one of the possible outcomes.
    fn overrule(&mut self, reason: &'static str, seed: u64) {
        self.decision = None;
        self.candidates.clear();
        self.reason = reason;
        let number = SplitMix64::new(seed).draw();
        let mut rest = number as f64 / 2_f64.powi(64) * 100.0;
        let drawn = self.outcomes.iter().find(|outcome| {
            rest -= outcome.share;
            rest < 0.0
        });
        match drawn.or(self.outcomes.last().filter(|_| self.replies.is_empty())) {
            Some(outcome) => {
                self.named = Some(outcome.endpoint.clone());
                self.status = Some(OK);
            }
            None => self.status = self.replies.first().map(|reply| reply.status),
        }
    }

    /// Whether Envoy does not use the choice of the filter.
    pub(super) fn is_overruled(&self) -> bool {
        self.reason == NOT_USED
    }

    /// Takes over the possible outcomes.
    fn take_over(&mut self, answer: PickAnswer) {
        self.no_host = 100.0;
        match answer {
            PickAnswer::Determined { outcome, .. } => {
                self.outcomes = vec![outcome];
                self.no_host = 0.0;
            }
            PickAnswer::Random {
                distribution,
                no_host,
                replies,
                ..
            } => {
                self.outcomes = distribution;
                self.no_host = no_host;
                self.replies = replies;
            }
            PickAnswer::NoHost { replies, .. } => self.replies = replies,
            PickAnswer::Unknown { cluster, why, .. } => {
                self.is_unknown = true;
                self.why_unknown = why;
                self.unknown_hosts = cluster;
                self.no_host = 0.0;
            }
        }
    }

    /// Whether the same request can have another result.
    pub(super) fn is_random(&self) -> bool {
        self.outcomes.len() + self.replies.len() > 1
    }

    /// The reason of the result, as in the JSON key `reason`.
    pub(super) fn reason(&self) -> &'static str {
        match &self.decision {
            Some(decision) if decision.reason == Reason::PassThrough && self.named.is_none() => {
                Reason::NoHost.name()
            }
            Some(decision) => decision.reason.name(),
            None => self.reason,
        }
    }
}
