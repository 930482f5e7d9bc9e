//! Decides one request: with the routes of a listener, or with the Spillgate filter.

use crate::{
    pick::{
        Addresses, Answerer, CLOSED, NOT_FOUND, OwnReplyReason, PickOutput, UNAVAILABLE,
        destinations, original_host, read_by, route_parts, unknown_original_host,
    },
    steered::{DrawnDecision, SteeredOutcome, SteeringFilters},
    unknown::attempts_of,
};
use spillgate_core::{
    decide::{BalancerState, OverrideRequest, Reason, Request, decide_with_override},
    draw::{Draw as _, SplitMix64},
    route::{
        Destination, HeaderList, Headers, ReceivedRequest, RouteAlternative, RouteOutcome, Routed,
    },
    trace::{NumberedSteps, RequestChanger, StepData, Trace as _},
};
use spillgate_explain::arithmetic;

use super::{
    changes::header_changes,
    grpc_call::calls,
    grpc_hash::GrpcHash,
    routing::{AskedKind, AskedRequest, chosen, step},
    secrets,
    verdict::{NOT_USED, OK, RequestVerdict},
};

/// The number of candidates of a decision, as in the default of the filter.
const CANDIDATES: usize = 3;

/// Routes the request and decides once. `seed` makes the random choices: the start of the worker, the
/// weighted cluster, then the load balancer.
#[must_use]
pub fn decide<'s>(asked: &AskedRequest<'s>, seed: u64) -> RequestVerdict<'s> {
    let request = asked.request;
    let headers = HeaderList(&request.headers);
    let states = request.filter_state();
    let connection = request.connection(&states);
    let mut verdict = RequestVerdict {
        seed,
        ..RequestVerdict::default()
    };
    match asked.kind {
        AskedKind::NoFilterChain => verdict.ends(CLOSED, "no_filter_chain"),
        AskedKind::NoKeyRoute(_) => verdict.ends(CLOSED, "no_route"),
        AskedKind::NotModeled => {
            verdict.reason = "not_modeled";
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
    secrets::hide(&mut verdict.steps);
    verdict
}

/// The result of a request that the Spillgate filter does not decide: it responds itself, or passes the
/// request on with these headers.
#[must_use]
pub fn undecided<'s>(
    asked: &AskedRequest<'s>,
    filters: SteeringFilters,
    outcome: &SteeredOutcome,
    seed: u64,
) -> RequestVerdict<'s> {
    let headers = HeaderList(&asked.request.headers);
    let states = asked.request.filter_state();
    let mut verdict = RequestVerdict {
        seed,
        ..RequestVerdict::default()
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
        SteeredOutcome::Unknown(_) => verdict.reason = "not_modeled",
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

/// With fewer seeds, a random number could look like one that does not change.
const SEEDS: u64 = 16;

/// How the numbers of a request lead to its certain result, a sentence for each step. A step with random numbers
/// has none, as they do not decide: the last sentence is about them. Sessions that the client keeps are not part of
/// the request.
#[must_use]
pub fn arithmetic_of(asked: &AskedRequest<'_>) -> Vec<String> {
    let headers = HeaderList(&asked.request.headers);
    let states = asked.request.filter_state();
    let with_seed = |seed| {
        let mut verdict = RequestVerdict {
            seed,
            ..RequestVerdict::default()
        };
        let received = asked
            .routes
            .receive(&headers, asked.request.connection(&states));
        route_and_decide(asked, &received, &mut verdict);
        let steps = verdict.steps.iter();
        let sentences = steps.filter_map(|step| arithmetic(asked.snapshot, &step.data));
        let host = verdict.candidates.first().map(|host| host.address.clone());
        (sentences.collect::<Vec<_>>(), host)
    };
    let (mut sentences, host) = with_seed(0);
    let mut has_random = false;
    for seed in 1..SEEDS {
        let (others, _) = with_seed(seed);
        has_random = has_random || others != sentences;
        sentences.retain(|sentence| others.contains(sentence));
    }
    if has_random {
        let result = host.map_or_else(
            || "no choice leads to a host".into(),
            |host| format!("every choice leads to {host}"),
        );
        sentences.push(format!("random numbers change nothing: {result}"));
    }
    sentences
}

/// Routes the request, then decides in its cluster.
fn route_and_decide<'s, H: Headers>(
    asked: &AskedRequest<'s>,
    received: &ReceivedRequest<'_, H>,
    verdict: &mut RequestVerdict<'s>,
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
            verdict.reason = "not_modeled";
            verdict.route = Some(route.id);
            verdict
                .steps
                .push(step(StepData::NotModeled { field: why }));
        }
    }
}

/// The decision of the Spillgate filter, and the result in its Envoy.
#[must_use]
pub fn steered<'s>(
    asked: &AskedRequest<'_>,
    filters: SteeringFilters,
    drawn: &'s DrawnDecision,
    seed: u64,
) -> RequestVerdict<'s> {
    let headers = HeaderList(&asked.request.headers);
    let mut verdict = RequestVerdict {
        seed,
        ..RequestVerdict::default()
    };
    let received = asked
        .routes
        .receive(&headers, asked.request.connection(&[]));
    if let Some(route) = asked.routes.route_of(&received) {
        verdict.route = Some(route.id);
        verdict.steps.push(asked.route(route, None));
    }
    verdict.steps.extend(drawn.steps.iter().cloned());
    secrets::hide(&mut verdict.steps);
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
        PickOutput::NoHost { status, .. } => verdict.status = Some(status),
        PickOutput::Unknown { .. } => verdict.status = None,
        PickOutput::Determined { .. } | PickOutput::Random { .. } => {}
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
fn answerer<'a>(asked: &AskedRequest<'a>) -> Answerer<'a> {
    Answerer::new(asked.snapshot, asked.routes)
        .at(asked.now)
        .without_hosts_of(asked.unknown.clone())
}

/// The alternative that a seed chooses, and the random number of the request if it decides. A retry keeps
/// the route of its earlier attempts.
fn alternative_of<'r, H: Headers>(
    asked: &AskedRequest<'_>,
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
fn number_of(asked: &AskedRequest<'_>, seed: u64) -> u64 {
    let mut draw = SplitMix64::new(seed);
    let _ = BalancerState::new(asked.snapshot, &mut draw);
    draw.draw()
}

/// Chooses the cluster of a matched route and decides there.
fn forward<'s, H: Headers>(
    asked: &AskedRequest<'s>,
    received: &ReceivedRequest<'_, H>,
    routed: &Routed<'_, H>,
    number: Option<u64>,
    verdict: &mut RequestVerdict<'s>,
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
        let of_split = drawn.filter(|_| routed.is_random());
        (routed.choose(drawn.unwrap_or(0)), of_split)
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
    // What an answer to a retry does not know decides about each of its hosts.
    if is_retry && verdict.is_unknown {
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
        &mut NumberedSteps(&mut verdict.steps),
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
    asked: &AskedRequest<'_>,
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
