//! The probability that requests succeed while some hosts refuse connections (`--failed`), by route.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use spillgate_core::{
    model::Model,
    route::{
        ClusterName, Forward, HeaderMutations, PathMatch, Route, RouteAction, RouteMatch,
        RouteTable, RouteTarget, VirtualHost,
    },
    snapshot::{ClusterSnapshotKind, Snapshot},
};

use super::{WhatIfArgs, question::Question};
use crate::{
    config::Config,
    failed::{failed_hosts, fault_text},
    input::Faults,
    pick::{Answerer, PickRequest, Success, success},
};

/// The answer for one route to the cluster.
#[derive(Debug)]
pub(crate) struct RouteSuccess {
    /// The virtual host and the route.
    pub(crate) route: String,
    /// The probabilities, or the reason why they are missing.
    pub(crate) success: Result<Success, String>,
}

/// The answers for all routes to the cluster of the question, after its losses.
pub(super) fn by_route(
    config: &Config,
    model: &Model,
    question: &Question,
    args: &WhatIfArgs,
) -> Result<Vec<RouteSuccess>, Faults> {
    if args.failed.is_empty() {
        return Ok(Vec::new());
    }
    let failed = failed_hosts(model, &args.failed)?;
    let snapshot = question.scene.without(&question.lost);
    let mut found = Vec::new();
    for listener in &config.envoy.listeners {
        for host in &listener.routes.virtual_hosts {
            let mut routes = host.routes.iter();
            let fractions = routes.any(|route| route.matcher.fraction.is_some());
            for route in &host.routes {
                if let RouteAction::Forward(forward) = &route.action
                    && reaches(&forward.target, &question.name)
                {
                    let name = match route.name.as_str() {
                        "" => format!("{} route {}", host.name, route.id),
                        name => format!("{} {name}", host.name),
                    };
                    found.push(RouteSuccess {
                        route: name,
                        success: match &forward.target {
                            // The fractions take some of the numbers that choose the cluster.
                            RouteTarget::Weighted(_) if fractions => {
                                Err("depends on runtime_fraction, which is not modeled here".into())
                            }
                            _ => of_route(&snapshot, route, forward, &failed),
                        },
                    });
                }
            }
        }
    }
    Ok(found)
}

/// Whether a route names the cluster.
fn reaches(target: &RouteTarget, cluster: &str) -> bool {
    let is = |name: &ClusterName| matches!(name, ClusterName::Name(name) if name == cluster);
    match target {
        RouteTarget::One(name) => is(name),
        RouteTarget::Weighted(clusters) => clusters.clusters().iter().any(|one| is(&one.cluster)),
        RouteTarget::Chosen(_) => false,
    }
}

fn of_route(
    snapshot: &Snapshot,
    route: &Route,
    forward: &Forward,
    failed: &BTreeSet<String>,
) -> Result<Success, String> {
    if !forward.hash_policies.is_empty() && snapshot.clusters().any(|(id, _)| hashes(snapshot, id))
    {
        return Err(
            "depends on the request hash; `explain --failed` answers for one request".into(),
        );
    }
    // The conditions of the route do not matter here, and its filters need a request.
    let only = Route {
        matcher: RouteMatch::path(PathMatch::Prefix(String::new())),
        filters: Some(Vec::new()),
        ..route.clone()
    };
    let table = RouteTable {
        virtual_hosts: vec![VirtualHost {
            name: String::new(),
            domains: vec!["*".to_owned()],
            routes: vec![only],
            headers: HeaderMutations::default(),
        }],
        ..RouteTable::default()
    };
    let mut answerer = Answerer::new(snapshot, &table);
    let found = success(&mut answerer, &PickRequest::plain(), &forward.retry, failed);
    found.map_err(fault_text)
}

/// Whether a hash policy chooses the hosts of a cluster.
fn hashes(snapshot: &Snapshot, id: spillgate_core::snapshot::ClusterId) -> bool {
    match snapshot.cluster(id).map(|cluster| &cluster.kind) {
        Some(ClusterSnapshotKind::Plain(plain)) => plain.settings.policy.hashes(),
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
                let attempts = found.attempts.iter();
                let attempts = attempts.map(|one| format!("{:.2}", one.succeeds * 100.0));
                let attempts: Vec<String> = attempts.collect();
                format!(
                    "{:.2} % in total ({} by attempt); {:.2} % if max_retries or retry_budget allows no retry",
                    found.total() * 100.0,
                    attempts.join(", "),
                    found.first() * 100.0
                )
            }
        };
        text.push_str(&format!("  {}: {line}\n", answer.route));
    }
    Some(text)
}

/// The answers as JSON, in percent.
pub(super) fn json(answers: &[RouteSuccess]) -> Value {
    let one = |answer: &RouteSuccess| match &answer.success {
        Err(why) => json!({"route": answer.route, "unknown": why}),
        Ok(found) => {
            let attempts = found.attempts.iter().map(|one| one.succeeds * 100.0);
            json!({
                "route": answer.route,
                "total": found.total() * 100.0,
                "attempts": attempts.collect::<Vec<f64>>(),
                "at_worst": found.first() * 100.0,
            })
        }
    };
    answers.iter().map(one).collect()
}
