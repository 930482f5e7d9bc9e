//! `spillgate what-if`, and the subset criteria of `spillgate split`.

use serde_json::Value;

use crate::run::{FULL, Ran, assert_golden, spillgate, spillgate_in, spillgate_with};

/// The cluster of docs/what-if.md: ten hosts in zone a, then six in zone b and four in zone c.
const ZONES: &str = "../../../../envoy-config/zones/envoy.yaml";
/// The closing line of every command about it.
const HEALTH: &str = "not simulated: health_checks; health is taken from the input";

/// The status of a run that names health checks and warns of nothing.
fn status(ran: &Ran) -> i32 {
    let warnings: Vec<&str> = ran.stderr.lines().collect();
    assert!(
        matches!(warnings.as_slice(), [only] if *only == HEALTH),
        "{}",
        ran.stderr
    );
    ran.status
}

fn what_if(args: &[&str]) -> Ran {
    spillgate(&[&["what-if", ZONES], args].concat())
}

/// The same with errors in their full form.
fn what_if_in_full(args: &[&str]) -> Ran {
    spillgate_in(&FULL, &[&["what-if", ZONES], args].concat(), b"")
}

fn json(args: &[&str]) -> Value {
    let ran = what_if(&[args, &["--format", "json"]].concat());
    assert_eq!(status(&ran), 0);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn answers_match_the_golden_files() {
    let question = [
        &["--lose", "zone=a:40%", "--n-minus", "2"][..],
        &["--expect", "load(P0) >= 60", "--expect", "overload <= 1.2"],
    ]
    .concat();
    let text = what_if(&question);
    assert_eq!(status(&text), 1);
    assert_golden("what_if.txt", &text.stdout);
    let json = what_if(&[&question[..], &["--format", "json"]].concat());
    assert_eq!(status(&json), 1);
    assert_golden("what_if.json", &json.stdout);
}

/// The failed expectations, at the cluster that they are about.
#[test]
fn sarif_has_the_expectations_that_do_not_hold() {
    let question = [
        &["--lose", "zone=a:40%", "--format", "sarif"][..],
        &["--expect", "load(P0) >= 60", "--expect", "load(P0) >= 90"],
    ]
    .concat();
    let ran = what_if(&question);
    assert_eq!(status(&ran), 1);
    let log: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let results = log["runs"][0]["results"].as_array().unwrap();
    let [result] = results.as_slice() else {
        panic!("{results:#?}");
    };
    assert_eq!(
        result["message"]["text"],
        "`load(P0) >= 90` does not hold after losing zone=a:40%. The value is 84."
    );
    let rules = &log["runs"][0]["tool"]["driver"]["rules"];
    assert_eq!(rules[0]["id"], result["ruleId"]);
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], ZONES);
    let line = location["region"]["startLine"].as_u64().unwrap() as usize;
    let text = include_str!("../../../envoy-config/zones/envoy.yaml");
    let at = text.lines().nth(line - 1).unwrap();
    assert!(at.contains("name: shop"), "{at}");
}

#[test]
fn before_and_after_are_splits() {
    let answer = json(&["--lose", "zone=a:40%"]);
    let split = spillgate(&["split", ZONES, "--format", "json"]);
    assert_eq!(
        answer["before"],
        serde_json::from_str::<Value>(&split.stdout).unwrap()
    );
    let priorities = &answer["after"]["clusters"][0]["priorities"];
    assert_eq!(priorities[0]["healthy"], 6);
    assert_eq!(priorities[0]["healthy_load"], 84);
    assert_eq!(priorities[1]["healthy_load"], 16);
    assert_eq!(
        answer["sweep"][4]["healthy_load"],
        serde_json::json!([84, 16])
    );
    assert_eq!(answer["sweep"].as_array().unwrap().len(), 11);
    assert_eq!(
        answer["onsets"],
        serde_json::json!([{"lost": 3, "what": "spill", "priority": 0}])
    );
    assert_eq!(answer["panic_margin"], Value::Null);
    assert_eq!(answer["lost"][0], "10.0.0.7:8080");
}

#[test]
fn a_failed_expectation_has_status_1() {
    let status = |expect| what_if(&["--lose", "zone=a:40%", "--expect", expect]).status;
    assert_eq!(status("load(P0) >= 84"), 0);
    assert_eq!(status("load(P0) > 84"), 1);
    assert_eq!(status("share(zone=b) < 10"), 0);
    assert_eq!(status("survives n-1"), 0);
    assert_eq!(status("survives n-2"), 1);
}

#[test]
fn all_errors_of_a_question_are_reported_at_once() {
    let ran = what_if_in_full(
        &[
            &[
                "--lose",
                "zon=a:3",
                "--lose",
                "zone=a",
                "--sweep",
                "priority=x",
            ][..],
            &["--expect", "laod(P0) >= x", "--cluster", "shopp"],
        ]
        .concat(),
    );
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert_golden("what_if.faults", &ran.stderr);
    let ran = what_if_in_full(&[
        "--lose",
        "zone=q:1",
        "--lose",
        "zone=a:11",
        "--sweep",
        "host=x",
    ]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert_golden("what_if.unknown", &ran.stderr);
    let ran = what_if(&["--lose", "zone=a:1", "--expect", "load(P9) > 1"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("expected one of P0, P1"), "{ran:?}");
    assert_eq!(what_if(&[]).status, 2);
    assert_eq!(what_if(&["--n-minus", "3"]).status, 2);
}

#[test]
fn the_answer_about_one_cluster_has_its_split_and_its_keys() {
    let ask = |args: &[&str]| {
        let ran = spillgate(&[&["what-if", "shop.yaml", "--format", "json"], args].concat());
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        serde_json::from_str::<Value>(&ran.stdout).unwrap()
    };
    let answer = ask(&["--lose", "zone=b:1", "--cluster", "shop"]);
    assert_eq!(answer["cluster"], "shop");
    assert_eq!(answer["after"]["clusters"].as_array().unwrap().len(), 1);
    let answer = ask(&["--lose", "priority=0:1", "--cluster", "keyed"]);
    let moved = &answer["keys_moved"];
    assert_eq!(
        (&moved["keys"], &moved["avoidable"]),
        (&65_536.into(), &0.into())
    );
    let share = answer["before"]["clusters"][0]["endpoints"][1]["share"].as_f64();
    let part = moved["moved"].as_f64().unwrap() * 100.0 / 65_536.0;
    assert!((part - share.unwrap()).abs() < 0.1, "{answer}");
}

/// Two hosts of stage prod, one of which is large, and one of stage dev.
const STAGES: &str = r#"
name: c
lb_subset_config:
  fallback_policy: NO_FALLBACK
  subset_selectors: [{keys: [stage]}, {keys: [stage, xlarge]}]
load_assignment:
  cluster_name: c
  endpoints:
  - locality: {zone: a}
    lb_endpoints:
    - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
      metadata: {filter_metadata: {envoy.lb: {stage: prod}}}
    - endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}
      metadata: {filter_metadata: {envoy.lb: {stage: prod, xlarge: true}}}
    - endpoint: {address: {socket_address: {address: 10.0.0.3, port_value: 80}}}
      metadata: {filter_metadata: {envoy.lb: {stage: dev}}}
"#;

#[test]
fn criteria_select_a_subset() {
    let split = |criteria: &[&str]| -> Value {
        let args = [&["split", "-", "--format", "json"], criteria].concat();
        let ran = spillgate_with(&args, STAGES.as_bytes());
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let mut split: Value = serde_json::from_str(&ran.stdout).unwrap();
        split["clusters"][0].take()
    };
    let shares = |cluster: &Value| -> Vec<f64> {
        let endpoints = cluster["endpoints"].as_array().unwrap().iter();
        endpoints.map(|e| e["share"].as_f64().unwrap()).collect()
    };
    let prod = split(&["--criteria", "stage=prod"]);
    assert_eq!(shares(&prod), [50.0, 50.0, 0.0]);
    assert_eq!(
        prod["subset"],
        serde_json::json!({"reason": "selected", "criteria": {"stage": "prod"}})
    );
    assert_eq!(prod["priorities"][0]["hosts"], 2);
    // Boolean metadata matches boolean criteria.
    let large = split(&["--criteria", "stage=prod,xlarge=true"]);
    assert_eq!(shares(&large), [0.0, 100.0, 0.0]);
    let none = split(&[]);
    assert_eq!(
        (shares(&none), &none["no_host"]),
        (vec![0.0; 3], &100.0.into())
    );
    assert_eq!(none["subset"]["reason"], "none");
    assert_eq!(none["priorities"][0]["healthy_load"], 0);

    let args = ["split", "-", "--criteria", "stage=prod"];
    let text = spillgate_with(&args, STAGES.as_bytes()).stdout;
    assert!(
        text.starts_with("c (ROUND_ROBIN), subset stage=prod (selected)\n"),
        "{text}"
    );
    let ran = spillgate_with(&["split", "-", "--criteria", "stage"], STAGES.as_bytes());
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .starts_with("--criteria \"stage\":1:1: what-if/criteria: "),
        "{ran:?}"
    );

    let lose = [
        "what-if",
        "-",
        "--criteria",
        "stage=prod",
        "--lose",
        "subset.xlarge=true:1",
    ];
    let args = [
        &lose[..],
        &["--expect", "overload = 2", "--expect", "no 503"],
    ]
    .concat();
    assert_eq!(spillgate_with(&args, STAGES.as_bytes()).status, 0);
}
