//! The request as the routes of an imported configuration see it.

use std::rc::Rc;

use spillgate_codec::import::{
    RouteAnswer, RouteFieldKind, RouteQuestion, RouteReply, RouteReplyReason,
};
use spillgate_core::{
    decide::BalancerState,
    draw::{Draw as _, SplitMix64},
    route::field_value,
    snapshot::Snapshot,
};
use spillgate_scenario::{EditedScenario, ScenarioEdit, apply, unknown_clusters};

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
            _ => headers.push((sent.name.clone(), field_value(&sent.value).to_owned())),
        }
    }
    if !cookies.is_empty() {
        let cookies = cookies.join("; ");
        headers.push(("cookie".into(), field_value(&cookies).to_owned()));
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
        source: input.source.clone(),
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
pub fn unrouted(
    scenario: &EditedScenario,
    stage: &TraceStage,
    answer: &RouteAnswer,
) -> Option<String> {
    Some(match (answer.reply, &answer.cluster) {
        (Some(reply), _) => reply_sentence(reply),
        (None, Some(cluster)) if cluster == stage.name() => return None,
        (None, Some(cluster)) if unknown_clusters(scenario).contains(cluster) => format!(
            "The request goes to {cluster}, whose hosts are unknown: add the output of /clusters or a config dump."
        ),
        (None, Some(cluster)) => format!("The request goes to {cluster}, which has no hosts here."),
        (None, None) => "The route of the request is unknown.".into(),
    })
}

/// A response of Envoy itself, in the words of `spillgate explain`.
fn reply_sentence(RouteReply { status, reason }: RouteReply) -> String {
    match reason {
        RouteReplyReason::NoRoute => format!("No route matches the request ({status})."),
        RouteReplyReason::Responded => {
            format!("The matched route answers the request itself with {status} (responded).")
        }
        RouteReplyReason::Refused => format!("Envoy answers with {status} (refused)."),
        RouteReplyReason::Fragment => {
            format!("Envoy answers with {status} (refused): the path has a fragment (#).")
        }
        RouteReplyReason::UnknownCluster => {
            format!("The route selects a cluster that does not exist: {status} (unknown cluster).")
        }
    }
}

#[cfg(test)]
mod tests {
    use spillgate_scenario::select;

    use super::*;
    use crate::{
        state::import_text::import_of,
        view::screens::trace::{SentValue, TraceRequest, TracedRequest},
    };

    const CONFIG: &str = include_str!("../../../../../tests/e2e/tests/browser/trace_routes.yaml");

    fn scenario() -> Rc<EditedScenario> {
        let imported = import_of(CONFIG, "").imported.unwrap();
        Rc::new(select(&imported, 0).unwrap())
    }

    fn asked(scenario: &EditedScenario, input: &TraceInput) -> RouteAnswer {
        let snapshot = Snapshot::build(scenario.model());
        let question = route_question(&snapshot, input).to_bytes();
        let answer = spillgate_reader::route_answer(CONFIG.as_bytes(), &question);
        RouteAnswer::from_bytes(&answer).unwrap()
    }

    fn input(path: &str, kind: RouteFieldKind, name: &str, value: &str) -> TraceInput {
        TraceInput {
            path: path.into(),
            sent: vec![SentValue {
                kind,
                name: name.into(),
                value: value.into(),
            }],
            ..TraceInput::default()
        }
    }

    #[test]
    fn a_routed_request_has_the_cluster_and_the_hash_of_its_route() {
        let scenario = scenario();
        for (path, kind, name, cluster) in [
            ("/cart", RouteFieldKind::Header, "x-user", "cart"),
            ("/stock", RouteFieldKind::Cookie, "session", "stock"),
        ] {
            for value in ["ann", "bob", "u3"] {
                let input = input(path, kind, name, value);
                let answer = asked(&scenario, &input);
                let hash = spillgate_core::hash::xxh64(value.as_bytes(), 0);
                assert_eq!(answer.hash, Some(hash), "{path} {value}");
                let routed = routed_scenario(&scenario, answer.cluster.as_deref().unwrap());
                let stage = TraceStage::new(&routed).unwrap();
                assert_eq!(
                    (stage.name(), unrouted(&scenario, &stage, &answer)),
                    (cluster, None)
                );
                let request = TraceRequest::new(&stage, &input).routed(&answer);
                let traced = TracedRequest::new(&stage, &request);
                assert_eq!(traced.decision.hash, hash);
                let rows = route_rows(&stage, &answer);
                assert!(rows[0].sentence.contains(&format!("route {cluster}")));
                let priority = traced.steps.iter().find(|row| row.name == "priority");
                let arithmetic = priority.unwrap().arithmetic.as_deref().unwrap();
                let number = format!("hash modulo 100 = {}, ", hash % 100);
                assert!(
                    cluster == "stock" || arithmetic.starts_with(&number),
                    "{arithmetic}"
                );
            }
        }
    }

    #[test]
    fn a_header_value_has_no_outer_spaces() {
        let scenario = scenario();
        for (path, kind, name) in [
            ("/cart", RouteFieldKind::Header, "x-user"),
            ("/stock", RouteFieldKind::Cookie, "session"),
        ] {
            let hash = |value: &str| asked(&scenario, &input(path, kind, name, value)).hash;
            assert_eq!(hash("ann b \t"), hash("ann b"), "{name}");
            assert_ne!(hash("ann b"), hash("annb"));
        }
        let stage = TraceStage::new(&scenario).unwrap();
        let with_key = |key: &str| {
            let input = TraceInput {
                key: key.into(),
                ..TraceInput::default()
            };
            let traced = TracedRequest::new(&stage, &TraceRequest::new(&stage, &input));
            traced.decision.hash
        };
        assert_eq!(with_key(" ann "), with_key("ann"));
    }

    #[test]
    fn a_response_of_envoy_has_its_reason() {
        let scenario = scenario();
        let stage = TraceStage::new(&scenario).unwrap();
        let headline = |path: &str| {
            let config = CONFIG.replace(
                "route: {cluster: stock,",
                "direct_response: {status: 404} #",
            );
            let input = TraceInput {
                path: path.into(),
                ..TraceInput::default()
            };
            let snapshot = Snapshot::build(scenario.model());
            let question = route_question(&snapshot, &input).to_bytes();
            let answer = spillgate_reader::route_answer(config.as_bytes(), &question);
            unrouted(
                &scenario,
                &stage,
                &RouteAnswer::from_bytes(&answer).unwrap(),
            )
            .unwrap()
        };
        assert_eq!(
            headline("/stock"),
            "The matched route answers the request itself with 404 (responded)."
        );
        assert_eq!(
            headline("/cart#top"),
            "Envoy answers with 400 (refused): the path has a fragment (#)."
        );
        assert_eq!(headline("/other"), "No route matches the request (404).");
    }

    #[test]
    fn a_request_without_a_route_has_no_host() {
        let scenario = scenario();
        let stage = TraceStage::new(&scenario).unwrap();
        let input = TraceInput {
            authority: "other.example".into(),
            ..TraceInput::default()
        };
        let answer = asked(&scenario, &input);
        let reason = unrouted(&scenario, &stage, &answer).unwrap();
        assert_eq!(reason, "No route matches the request (404).");
        assert_eq!(route_rows(&stage, &answer).len(), 1);
    }

    #[test]
    fn a_routed_cluster_of_unknown_hosts_is_not_one_without_hosts() {
        let text = "- {name: a, load_assignment: {cluster_name: a, endpoints: [{lb_endpoints: \
             [{endpoint: {address: {pipe: {path: /a}}}}]}]}}\n\
             - {name: eds, type: EDS}\n\
             - {name: empty}\n";
        let imported = import_of(text, "").imported.unwrap();
        let scenario: EditedScenario = select(&imported, 0).unwrap();
        let stage = TraceStage::new(&scenario).unwrap();
        let reason = |cluster: &str| {
            let cluster = Some(cluster.to_owned());
            let answer = RouteAnswer {
                cluster,
                ..RouteAnswer::default()
            };
            unrouted(&scenario, &stage, &answer).unwrap()
        };
        assert_eq!(
            reason("eds"),
            "The request goes to eds, whose hosts are unknown: add the output of /clusters or a config dump."
        );
        assert_eq!(
            reason("empty"),
            "The request goes to empty, which has no hosts here."
        );
    }
}
