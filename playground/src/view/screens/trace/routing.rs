//! The request as the routes of an imported configuration see it.

use std::rc::Rc;

use spillgate_codec::import::{RouteAnswer, RouteFieldKind, RouteQuestion};
use spillgate_core::{
    decide::BalancerState,
    draw::{Draw as _, SplitMix64},
    snapshot::Snapshot,
};
use spillgate_scenario::{EditedScenario, ScenarioEdit, apply};

use super::{StepRow, TraceInput, TraceStage, traced::route_row};

/// The client of a request that does not name one, as in `spillgate explain`.
pub const SOURCE: &str = "127.0.0.1:40000";

/// The question to the routes. The random number is the first one after the start of a worker.
#[must_use]
pub fn route_question(snapshot: &Snapshot, input: &TraceInput) -> RouteQuestion {
    let mut draw = SplitMix64::new(input.seed.into());
    let _ = BalancerState::new(snapshot, &mut draw);
    let mut headers: Vec<(String, String)> = Vec::new();
    let mut cookies: Vec<String> = Vec::new();
    for sent in &input.sent {
        match sent.kind {
            RouteFieldKind::Cookie => cookies.push(format!("{}={}", sent.name, sent.value)),
            _ => headers.push((sent.name.clone(), sent.value.clone())),
        }
    }
    if !cookies.is_empty() {
        headers.push(("cookie".into(), cookies.join("; ")));
    }
    let given = |value: &str, default: &str| match value {
        "" => default.to_owned(),
        value => value.to_owned(),
    };
    RouteQuestion {
        listener: input.listener,
        host: input.authority.clone(),
        path: input.path.clone(),
        method: given(&input.method, "GET"),
        headers,
        source: given(&input.source, SOURCE),
        number: draw.draw(),
    }
}

/// The scenario with the cluster of the routes shown; the same one if it has no such cluster.
#[must_use]
pub fn routed_scenario(scenario: &Rc<EditedScenario>, cluster: &str) -> Rc<EditedScenario> {
    let mut clusters = scenario.clusters().iter();
    let at = clusters.position(|one| one.name == cluster);
    let shown = at.filter(|&at| at != scenario.root());
    let shown = shown.and_then(|at| apply(scenario, &ScenarioEdit::Show(at)));
    shown.map_or_else(|| Rc::clone(scenario), Rc::new)
}

/// The steps of the routes, before those of the cluster.
#[must_use]
pub fn route_rows(stage: &TraceStage, answer: &RouteAnswer) -> Vec<StepRow> {
    let steps = answer.steps.iter();
    steps.map(|step| route_row(stage, step)).collect()
}

/// Why the routes send a request to no host of a stage; `None` if they send it to its cluster.
#[must_use]
pub fn unrouted(stage: &TraceStage, answer: &RouteAnswer) -> Option<String> {
    Some(match (answer.status, &answer.cluster) {
        (Some(404), _) => "No route matches the request (404).".into(),
        (Some(status), _) => format!("The route answers the request with {status}."),
        (None, Some(cluster)) if cluster == stage.name() => return None,
        (None, Some(cluster)) => format!("The request goes to {cluster}, which has no hosts here."),
        (None, None) => "The route of the request is unknown.".into(),
    })
}
