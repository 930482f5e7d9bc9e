//! Widgets of the presets: figures, links, escaped names, unreadable requests.

use serde_json::Value;
use spillgate_core::{
    model::{AggregateCluster, Cluster, ClusterKind, Metadata, PanicThreshold},
    snapshot::HostRef,
};
use spillgate_scenario::{
    EditedScenario, PRESETS, PriorityAt, ScenarioEdit, ScenarioOutcome, apply, link, preset,
    priority_at,
};
use spillgate_sim::Scene;

use super::*;

fn link_of(scenario: &EditedScenario) -> String {
    link::write(scenario)
}

fn ask(scenario: &EditedScenario, lines: &str) -> Value {
    let text = answer(&format!("state {}\n{lines}", link_of(scenario)));
    serde_json::from_str(&text).unwrap()
}

fn loads(answer: &Value) -> Vec<u64> {
    let shares = answer["shares"].as_array().unwrap().iter();
    shares.map(|row| row["load"].as_u64().unwrap()).collect()
}

/// The loads and shares of the engine.
fn expected(scenario: &EditedScenario) -> Vec<(u64, f64)> {
    let outcome = ScenarioOutcome::of(scenario);
    let rows = outcome.priorities().iter();
    rows.map(|row| (row.row.load().into(), row.share()))
        .collect()
}

fn priorities(scenario: &EditedScenario) -> Vec<PriorityAt> {
    let outcome = ScenarioOutcome::of(scenario);
    let rows = outcome.priorities().iter();
    rows.map(|row| priority_at(row.row.at)).collect()
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let answer: Value = serde_json::from_str(&answer::answer_bytes(b"state \xff")).unwrap();
    assert!(answer["error"].as_str().unwrap().contains("utf-8"));
    assert_eq!(answer["shares"], Value::Null);
}

#[test]
fn the_figures_of_every_preset_are_those_of_the_engine() {
    for entry in PRESETS {
        let scenario = preset(entry.id).unwrap();
        for view in ["bars", "table", "sweep"] {
            let answer = ask(&scenario, &format!("view {view}"));
            let expected = expected(&scenario);
            let shown = answer["shares"].as_array().unwrap();
            assert_eq!(shown.len(), expected.len(), "{}", entry.id);
            for (row, (load, share)) in shown.iter().zip(&expected) {
                assert_eq!(row["load"], *load, "{}", entry.id);
                let difference = row["share"].as_f64().unwrap() - share;
                assert!(difference.abs() <= 0.05, "{}: {row}", entry.id);
            }
            let none = ScenarioOutcome::of(&scenario).no_host();
            assert!((answer["noHost"].as_f64().unwrap() - none).abs() <= 0.05);
            if view == "table" {
                assert_eq!(answer["figure"], "");
            }
            if view != "sweep" {
                let table = answer["table"].as_str().unwrap();
                for (load, _) in &expected {
                    assert!(
                        table.contains(&format!("<td>{load}\u{a0}%</td>")),
                        "{table}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_slider_of_healthy_hosts_is_the_edit_of_the_page() {
    for entry in PRESETS {
        let scenario = preset(entry.id).unwrap();
        for at in priorities(&scenario) {
            let hosts = scenario.priority(at).unwrap().endpoints.len();
            for count in [0, 1, hosts / 2, hosts, hosts + 7] {
                let id = format!("healthy-{}-{}", at.cluster, at.priority);
                let answer = ask(&scenario, &format!("edit {id} {count}"));
                let edit = ScenarioEdit::HealthyCount(at, count);
                let edited = apply(&scenario, &edit).unwrap_or_else(|| scenario.clone());
                let expected: Vec<u64> = expected(&edited).iter().map(|(load, _)| *load).collect();
                assert_eq!(loads(&answer), expected, "{} {id} {count}", entry.id);
                let state = answer["state"].as_str().unwrap();
                assert_eq!(link::read(state), Ok(edited), "{}", entry.id);
                let mut controls = answer["controls"].as_array().unwrap().iter();
                let control = controls.find(|control| control["id"] == id).unwrap();
                assert_eq!(control["value"], count.min(hosts));
            }
        }
    }
}

/// The loads for each loss in the first priority with hosts.
fn sweep_of_first(scenario: &EditedScenario) -> Vec<Vec<u64>> {
    let name = scenario.name(scenario.root());
    let scene = Scene::new(scenario.model(), name, Metadata::EMPTY).unwrap();
    let at = scene.load_state(scene.snapshot()).priorities[0].at;
    let own = |host: &HostRef| (host.cluster, host.priority) == (at.cluster, at.priority);
    let own: Vec<HostRef> = scene.hosts().iter().copied().filter(own).collect();
    let states = scene.sweep(&[], &own);
    states
        .map(|state| state.loads().map(u64::from).collect())
        .collect()
}

#[test]
fn a_sweep_shows_the_loads_of_every_loss() {
    for entry in PRESETS {
        let scenario = preset(entry.id).unwrap();
        let first = ask(&scenario, "view sweep");
        let control = &first["controls"][0];
        let most = control["most"].as_u64().unwrap();
        assert_eq!(first["controls"].as_array().unwrap().len(), 1);
        let sweep = sweep_of_first(&scenario);
        for lost in [0, 1, most / 2, most, most + 1] {
            let edit = format!(
                "view sweep\nedit {} {lost}",
                control["id"].as_str().unwrap()
            );
            let answer = ask(&scenario, &edit);
            // The chart is the sweep of the what-if analysis; the shares are of the edited scenario.
            let lost = lost.min(most);
            assert_eq!(loads(&answer), sweep[lost as usize], "{}", entry.id);
            assert_eq!(answer["controls"][0]["value"], lost);
            let cursor = 100.0 * (lost as f64 + 0.5) / (most as f64 + 1.0);
            let cursor = format!("x1=\"{}%\"", spillgate_scenario::fixed(cursor));
            assert!(
                answer["figure"].as_str().unwrap().contains(&cursor),
                "{cursor}"
            );
        }
    }
}

#[test]
fn names_are_escaped() {
    let hostile = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
    ];
    let base = preset("shop").unwrap();
    let mut clusters: Vec<Cluster> = base.clusters().iter().map(|c| (**c).clone()).collect();
    clusters.truncate(3);
    for (cluster, name) in clusters.iter_mut().skip(1).zip(hostile) {
        cluster.name = name.into();
    }
    clusters[0].kind = ClusterKind::Aggregate(AggregateCluster {
        members: hostile.map(Into::into).into(),
        panic_threshold: PanicThreshold::DEFAULT,
        flatten: false,
    });
    let scenario = EditedScenario::new(clusters, 0).unwrap();
    for view in ["bars", "table", "sweep"] {
        for size in ["wide", "narrow"] {
            let answer = ask(&scenario, &format!("view {view}\nsize {size}"));
            assert!(answer["error"].is_null(), "{answer}");
            for part in ["figure", "table"] {
                let markup = answer[part].as_str().unwrap();
                let tags = markup.replace("&lt;script", "").replace("&lt;img", "");
                assert!(
                    !tags.contains("<script") && !tags.contains("<img"),
                    "{markup}"
                );
                assert_eq!(markup.matches('"').count() % 2, 0, "{markup}");
            }
            assert!(answer["table"].as_str().unwrap().contains("&lt;script&gt;"));
        }
    }
}

#[test]
fn an_address_of_the_page_is_a_state_and_the_view_of_the_page_stays() {
    let scenario = preset("documented").unwrap();
    let view = [("screen".to_owned(), "what-if".to_owned())];
    let link = link::with_view(link_of(&scenario), &view);
    for state in [
        link.clone(),
        format!("#{link}"),
        format!("https://a/b?c#{link}"),
    ] {
        let answer: Value = serde_json::from_str(&answer(&format!("state {state}"))).unwrap();
        assert_eq!(answer["state"], link);
    }
}

#[test]
fn unreadable_requests_have_a_reason() {
    let link = link_of(&preset("documented").unwrap());
    let cut = link.get(..link.len() - 3).unwrap();
    let newer = link.replacen('1', "9", 1);
    for (request, reason) in [
        (String::new(), "not a Spillgate link"),
        ("state".into(), "not a Spillgate link"),
        (format!("state {cut}"), "checksum"),
        (format!("state {newer}"), "unknown version"),
    ] {
        let answer: Value = serde_json::from_str(&answer(&request)).unwrap();
        let found = answer["error"].as_str().unwrap();
        assert!(found.contains(reason), "{request}: {found}");
    }
}

#[test]
fn unknown_values_have_their_default() {
    let request = WidgetRequest::from_text(
        "state x\nview pie\nsize huge\nprefix a\"b\nedit healthy-0-x 3\nedit lost-0-1 -1\nedit\nx y",
    );
    assert_eq!(request, WidgetRequest::from_text("state x"));
    let scenario = preset("documented").unwrap();
    // An edit of a priority that does not exist changes nothing.
    let answer = ask(&scenario, "edit healthy-9-0 1\nedit lost-0-99 1");
    assert_eq!(loads(&answer), [70, 30, 0]);
}

#[test]
fn every_pattern_of_a_widget_has_its_prefix() {
    let scenario = preset("documented").unwrap();
    for view in ["bars", "table", "sweep"] {
        let answer = ask(&scenario, &format!("view {view}\nprefix sg7-"));
        for part in ["figure", "table"] {
            let markup = answer[part].as_str().unwrap();
            assert_eq!(
                markup.matches("url(#").count(),
                markup.matches("url(#sg7-").count(),
                "{markup}"
            );
        }
    }
}
