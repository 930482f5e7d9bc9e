//! `spillgate simulate`.

use std::fs;

use serde_json::{Map, Value, json};
use spillgate_codec::import::{ReasonCount, TimelineAnswer, TimelineQuestion, TimelineRecording};
use spillgate_testkit::repository;

use crate::run::{FULL, Ran, assert_golden, spillgate, spillgate_in, spillgate_with};

const SCENARIOS: &str = "../../../../docs/scenarios";

fn simulate(name: &str, args: &[&str]) -> Ran {
    let scenario = format!("{SCENARIOS}/{name}.yaml");
    spillgate(&[&["simulate", &scenario], args].concat())
}

fn json(name: &str, args: &[&str]) -> Value {
    let ran = simulate(name, &[args, &["--format", "json"]].concat());
    assert_eq!(ran.stderr, "");
    serde_json::from_str(&ran.stdout).unwrap()
}

fn sum(counts: &Value) -> u64 {
    let counts = counts.as_object().unwrap().values();
    counts.map(|count| count.as_u64().unwrap()).sum()
}

#[test]
fn only_sessions_of_failed_hosts_move() {
    let answer = json("failover", &["--runs", "3"]);
    let phases = answer["phases"].as_array().unwrap();
    let moved: Vec<u64> = phases.iter().map(|phase| sum(&phase["moved"])).collect();
    // Nearly all of 3 x 1,000 clients had a session and sent further requests.
    assert_eq!(moved[0], 0);
    assert!((2_900..=3_000).contains(&moved[1]), "{moved:?}");
    assert!(moved[2] <= 20, "late comers alone: {moved:?}");
    assert!(
        (1_000..=2_000).contains(&moved[3]),
        "one of two hosts: {moved:?}"
    );
    assert!(phases.iter().all(|phase| sum(&phase["failed"]) == 0));
}

#[test]
fn a_rolling_drain_fails_no_request() {
    let answer = json("rolling-drain", &["--runs", "10"]);
    for phase in answer["phases"].as_array().unwrap() {
        assert_eq!(sum(&phase["failed"]), 0);
        assert_eq!(sum(&phase["refused"]), 0);
        let moved = phase["moved"].as_object().unwrap();
        assert!(moved.keys().all(|why| why == "gone"), "{moved:?}");
    }
    assert_eq!(answer["violation"], Value::Null);
}

#[test]
fn a_broken_rule_has_a_replay_command() {
    let ran = simulate("rotation", &["--runs", "50"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    let (_, replay) = ran.stdout.split_once("replay: spillgate ").unwrap();
    let words: Vec<&str> = replay.split_whitespace().collect();
    let seen = spillgate(&words);
    assert_eq!(seen.status, 1);
    let broken = |text: &str| text.split_once("Rule broken: ").unwrap().1.to_owned();
    assert_eq!(broken(&seen.stdout), broken(&ran.stdout));
    assert!(broken(&ran.stdout).starts_with("rotation: "));
    let visit = |line: &str| line.contains(" through ") && line.contains(" -> ");
    let last = seen.stdout.lines().rfind(|line| visit(line));
    assert!(last.unwrap().ends_with("(new)"), "{last:?}");
}

#[test]
fn rules_that_settings_rule_out_are_named() {
    let unchecked = |name| {
        let answer = json(name, &[]);
        let rules = answer["rules"].as_array().unwrap();
        let named = answer["not_checked"].as_array().unwrap();
        let named: Vec<Value> = named.iter().map(|rule| rule["check"].clone()).collect();
        assert_eq!(rules.len() + named.len(), 9);
        assert!(named.iter().all(|rule| !rules.contains(rule)));
        named
    };
    assert_eq!(unchecked("failover"), ["guard"]);
    assert_eq!(unchecked("hot-host"), ["agreement"]);
    let text = simulate("hot-host", &[]).stdout;
    let named = "\n8 of 9 rules were checked, and held after every request.\n\
                 Not checked: agreement, because with `max_share` each gateway counts on its own.\n";
    assert!(text.ends_with(named), "{text}");
}

#[test]
fn the_same_seed_gives_the_same_output() {
    let once = simulate("everything", &["--seed", "5", "--log"]);
    assert_eq!(once.status, 0);
    assert!(once.stdout.lines().count() > 150);
    let again = simulate("everything", &["--seed", "5", "--log"]);
    assert_eq!(once.stdout, again.stdout);
    let many = || simulate("everything", &["--runs", "300"]).stdout;
    assert_eq!(many(), many());
}

const FAULTY: &str = r#"
clusters:
- name: shop
  load_assignment:
    cluster_name: shop
    endpoints:
    - lb_endpoints:
      - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
target: shopp
clients: 0
gateways: two
view_delay: 7200s
rates: {request: 0, flapp: 1}
absent: ["zone"]
sessions: {ttl: 0.5s, max_life: 0s, override_host_status: [HEALTY], on_lost: move}
events:
- {hosts: cluster=shop, status: UNHEALTHY}
- {at: 1s, status: UNHEALTHY}
- {at: 1s, hosts: cluster=shop}
- {at: 1s, hosts: cluster=shop, drain: 1s, vanish: true}
- {at: 1s, keys: {}}
- {at: 1s, keys: {add: 256}}
- {at: 1s, restart: 3}
- {at: 1s, clock: {ahead: 1s, behind: 1s}}
- {at: 1s, hosts: cluster=shop, reload: 1}
"#;

#[test]
fn all_errors_of_a_scenario_are_reported_at_once() {
    let ran = spillgate_in(&FULL, &["simulate", "-"], FAULTY.as_bytes());
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert_golden("simulate.faults", &ran.stderr);
    // With valid clusters and target, selectors are checked.
    let found = FAULTY
        .replace("target: shopp", "target: shop")
        .replace("cluster=shop", "cluster=shap");
    let ran = spillgate_with(&["simulate", "-"], found.as_bytes());
    assert!(ran.stderr.contains("what-if/no-host"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean shop?"), "{}", ran.stderr);
}

#[test]
fn errors_of_the_named_configuration_are_reported() {
    let text = "config: nowhere.yaml\ntarget: shop\nclients: 0\n";
    let ran = spillgate_with(&["simulate", "-"], text.as_bytes());
    assert_eq!(ran.status, 2);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("clients"), "{lines:?}");
    assert!(
        lines[1].starts_with("nowhere.yaml: input/unreadable"),
        "{lines:?}"
    );
}

#[test]
fn scenarios_that_cannot_be_checked_are_rejected() {
    let world = |rest: &str| {
        let text = format!("target: c\nclusters: [{{name: c, {rest}}}]\n");
        let ran = spillgate_with(&["simulate", "-"], text.as_bytes());
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        ran.stderr
    };
    let host = "load_assignment: {cluster_name: c, endpoints: [{lb_endpoints: [{endpoint: \
                {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}";
    let keys = "lb_subset_config: {list_as_any: true, subset_selectors: [{keys: [a]}]}";
    let faults = world(&format!("{keys}, {host}"));
    assert!(faults.contains("simulate/layout: clusters"), "{faults}");
    assert!(faults.contains("list_as_any is not supported"), "{faults}");
    let faults = world("type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED");
    assert!(faults.contains("no request can reach a host"), "{faults}");
    let ran = spillgate_with(&["simulate", "-"], b"drawn: true\ngateways: 2\n");
    assert!(
        ran.stderr.contains("config/one-of: gateways"),
        "{}",
        ran.stderr
    );
}

/// The recording of the page's module.
fn recorded(text: &str, seed: u64) -> TimelineRecording {
    let question = TimelineQuestion {
        seed: Some(seed),
        ..TimelineQuestion::default()
    };
    let answer = spillgate_reader::simulation_answer(text.as_bytes(), &question.to_bytes());
    let answer = TimelineAnswer::from_bytes(&answer).unwrap();
    assert_eq!(answer.faults, []);
    answer.recording.unwrap()
}

fn counts(counts: &[ReasonCount]) -> Value {
    let counts = counts
        .iter()
        .map(|why| (why.reason.clone(), why.count.into()));
    counts.collect::<Map<String, Value>>().into()
}

#[test]
fn the_page_has_the_figures_of_every_documented_scenario() {
    let folder = repository().join("docs/scenarios");
    let mut compared = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        for seed in [1, 2, 77] {
            let answer = json(name, &["--seed", &seed.to_string()]);
            let run = recorded(&text, seed);
            let phases = run.phases.iter().map(|phase| {
                json!({
                    "name": phase.name,
                    "from_ms": phase.from,
                    "requests": phase.requests,
                    "kept": phase.kept,
                    "moved": counts(&phase.moved),
                    "new": phase.new,
                    "failed": counts(&phase.failed),
                    "refused": counts(&phase.refused),
                    "hostile": counts(&phase.hostile),
                })
            });
            let phases: Value = phases.collect::<Vec<_>>().into();
            assert_eq!(phases, answer["phases"], "{name}, seed {seed}");
            assert_eq!(
                json!([run.seed, run.events, run.took]),
                json!([answer["seed"], answer["events"], answer["took_ms"]]),
                "{name}, seed {seed}"
            );
            let broken = run
                .broken
                .map(|broken| json!([broken.check, broken.at, broken.found, broken.expected]));
            let expected = &answer["violation"];
            let expected = (!expected.is_null()).then(|| {
                json!([
                    expected["check"],
                    expected["at_ms"],
                    expected["found"],
                    expected["expected"]
                ])
            });
            assert_eq!(broken, expected, "{name}, seed {seed}");
            compared += 1;
        }
    }
    assert_eq!(compared, 21, "seven scenarios");
}

#[test]
fn an_empty_scenario_is_an_error() {
    let ran = spillgate_with(&["simulate", "-"], b"# Nothing.\n");
    assert_ne!(ran.status, 0);
    assert!(ran.stderr.contains("config/missing"), "{}", ran.stderr);
}
