//! The probability that requests succeed while some hosts refuse connections (`--failed`), by route.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use spillgate_answers::{
    pick::{Answerer, PickRequest, Success, connection_success, success},
    unknown::UnknownClusters,
};
use spillgate_config::{
    Diagnostic,
    envoy::{ListenerProtocol, limited, retry_limits},
};
use spillgate_core::{
    route::{
        Forward, HeaderMutations, PathMatch, RequestFilter, RetryPolicy, Route, RouteAction,
        RouteMatch, RouteTable, RouteTarget, VirtualHost,
    },
    snapshot::{ClusterId, ClusterSnapshotKind, Snapshot},
    visible::visible,
};

use super::{WhatIfArgs, question::Question};
use crate::{config::Config, failed::fault_text};

/// The answer for one route to the cluster.
#[derive(Debug)]
pub(crate) struct RouteSuccess {
    /// The virtual host and the route.
    pub(crate) route: String,
    /// The probabilities, or the reason why they are missing.
    pub(crate) success: Result<Success, String>,
    /// A timeout that can end the retries.
    pub(crate) limit: Option<Box<Diagnostic>>,
}

/// The answers for all routes to the cluster of the question, after its losses, while these hosts refuse
/// connections.
pub(super) fn by_route(
    config: &Config,
    question: &Question,
    unknown: &UnknownClusters,
    failed: &BTreeSet<String>,
) -> Vec<RouteSuccess> {
    if failed.is_empty() {
        return Vec::new();
    }
    let snapshot = question.scene().without(&question.lost);
    let mut found = Vec::new();
    for listener in &config.envoy.listeners {
        for host in &listener.routes.virtual_hosts {
            let mut routes = host.routes.iter();
            let fractions = routes.any(|route| route.matcher.fraction.is_some());
            for route in &host.routes {
                if let RouteAction::Forward(forward) = &route.action
                    && reaches(route, question.name())
                {
                    let name = match route.name.as_str() {
                        "" => format!("{} route {}", host.name, route.id),
                        name => format!("{} {name}", host.name),
                    };
                    let mark = listener.marks.get(route.id);
                    let table = &listener.routes;
                    let success = match (&forward.target, mark) {
                        // The fractions take some of the numbers that choose the cluster.
                        (RouteTarget::Weighted(_), _) if fractions => {
                            Err("depends on runtime_fraction, which is not modeled here".into())
                        }
                        _ if listener.protocol == ListenerProtocol::Udp => {
                            Err("hosts do not refuse UDP sessions".into())
                        }
                        (_, Some(mark)) if listener.protocol == ListenerProtocol::Tcp => {
                            let retries = Retries::Connections(mark.connect_attempts);
                            let routes = (table, route, forward);
                            of_route(&snapshot, routes, &retries, unknown, failed)
                        }
                        _ => {
                            let high = mark.is_some_and(|mark| mark.is_high_priority);
                            let clusters = route.clusters().map(str::to_owned).collect();
                            let limits = retry_limits(&config.envoy.marks, clusters, high);
                            let policy = limited(&forward.retry, &limits);
                            let retries = Retries::Requests(policy);
                            let routes = (table, route, forward);
                            of_route(&snapshot, routes, &retries, unknown, failed)
                        }
                    };
                    let retried = success.as_ref().is_ok_and(Success::is_retried);
                    let limit = mark.and_then(|mark| mark.retry_time.limit.clone());
                    found.push(RouteSuccess {
                        route: name,
                        limit: limit.filter(|_| retried),
                        success,
                    });
                }
            }
        }
    }
    found
}

/// Whether a route names the cluster.
fn reaches(route: &Route, cluster: &str) -> bool {
    route.clusters().any(|name| name == cluster)
}

/// The retries of a route.
enum Retries {
    Requests(RetryPolicy),
    /// How often a TCP proxy connects.
    Connections(u32),
}

fn of_route(
    snapshot: &Snapshot,
    (table, route, forward): (&RouteTable, &Route, &Forward),
    retries: &Retries,
    unknown: &UnknownClusters,
    failed: &BTreeSet<String>,
) -> Result<Success, String> {
    let stated = !forward.hash_policies.is_empty();
    let mut reached = reached(snapshot, route).into_iter();
    if reached.any(|id| hashes(snapshot, id, stated)) {
        return Err(
            "depends on the request hash; `explain --failed` answers for one request".into(),
        );
    }
    let filters = route.filters.as_ref().unwrap_or(&table.filters);
    let of_request = |filter: &RequestFilter| {
        matches!(
            filter,
            RequestFilter::HeaderToMetadata(_) | RequestFilter::Spillgate(_)
        )
    };
    let conditional = match retries {
        Retries::Requests(policy) => policy.retries > 0 && !policy.request_headers.is_empty(),
        Retries::Connections(_) => false,
    };
    let matched = matches!(&forward.target, RouteTarget::Matched(_));
    if conditional || matched || filters.iter().any(of_request) {
        return Err(
            "depends on the request's headers; `explain --failed` answers for one request".into(),
        );
    }
    // The conditions of the route do not matter here.
    let only = Route {
        matcher: RouteMatch::path(PathMatch::Prefix(String::new())),
        filters: Some(filters.clone()),
        ..route.clone()
    };
    let table = RouteTable {
        virtual_hosts: vec![VirtualHost {
            name: String::new(),
            domains: vec!["*".to_owned()],
            routes: vec![only],
            headers: HeaderMutations::default(),
        }],
        proxy: table.proxy,
        ..RouteTable::default()
    };
    let mut answerer = Answerer::new(snapshot, &table).without_hosts_of(unknown.clone());
    let plain = PickRequest::plain();
    let found = match retries {
        Retries::Requests(policy) => success(&mut answerer, &plain, policy, failed),
        Retries::Connections(attempts) => {
            connection_success(&mut answerer, &plain, *attempts, failed)
        }
    };
    found.map_err(fault_text)
}

/// The clusters with hosts that a route can reach.
fn reached(snapshot: &Snapshot, route: &Route) -> Vec<ClusterId> {
    let named = snapshot
        .clusters()
        .filter(|(_, cluster)| reaches(route, &cluster.name));
    named.flat_map(|(id, _)| snapshot.owners(id)).collect()
}

/// Whether a hash policy chooses the hosts of a cluster: its own, or if `stated` that of the route.
fn hashes(snapshot: &Snapshot, id: ClusterId, stated: bool) -> bool {
    match snapshot.cluster(id).map(|cluster| &cluster.kind) {
        Some(ClusterSnapshotKind::Plain(plain)) => {
            let settings = &plain.settings;
            settings.policy.hashes() && (stated || !settings.hash_policies.is_empty())
        }
        _ => false,
    }
}

/// The answers as text; `None` without a question.
pub(super) fn text(answers: &[RouteSuccess], args: &WhatIfArgs) -> Option<String> {
    if args.failed.is_empty() {
        return None;
    }
    let mut text = format!(
        "success while {} refuse connections:\n",
        args.failed.join(", ")
    );
    if answers.is_empty() {
        text.push_str("  no route leads to the cluster\n");
    }
    for answer in answers {
        let line = match &answer.success {
            Err(why) => why.clone(),
            Ok(found) => {
                let attempts = found
                    .attempts
                    .iter()
                    .map(|one| format!("{:.2}", one.succeeds * 100.0));
                let attempts: Vec<String> = attempts.collect();
                let total = found.total() * 100.0;
                let mut line =
                    format!("{total:.2} % in total ({} by attempt)", attempts.join(", "));
                if !found.of_connection {
                    line.push_str(&format!(
                        "; {:.2} % if max_retries or retry_budget allows no retry",
                        found.at_worst() * 100.0
                    ));
                }
                line
            }
        };
        text.push_str(&format!("  {}: {line}\n", answer.route));
        if let Some(caveat) = answer.success.as_ref().ok().and_then(Success::caveat) {
            text.push_str(&format!("    can differ: {}\n", visible(&caveat)));
        }
    }
    Some(text)
}

/// The answers as JSON, in percent.
pub(super) fn json(answers: &[RouteSuccess]) -> Value {
    let one = |answer: &RouteSuccess| match &answer.success {
        Err(why) => json!({"route": answer.route, "unknown": why}),
        Ok(found) => {
            let attempts = found.attempts.iter().map(|one| one.succeeds * 100.0);
            let mut value = json!({
                "route": answer.route,
                "total": found.total() * 100.0,
                "attempts": attempts.collect::<Vec<f64>>(),
                "at_worst": found.at_worst() * 100.0,
            });
            if let (Some(object), Some(caveat)) = (value.as_object_mut(), found.caveat()) {
                object.insert("caveat".into(), json!(caveat));
            }
            value
        }
    };
    answers.iter().map(one).collect()
}
