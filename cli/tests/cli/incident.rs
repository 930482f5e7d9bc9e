//! `spillgate incident`.

use std::fs;

use serde_json::Value;

use crate::run::{Ran, assert_golden, scratch, spillgate};

const CONFIG: &str = "../examples/incident.yaml";
const SCRIPT: &str = "../examples/outage.yaml";

fn incident(args: &[&str]) -> Ran {
    spillgate(&[&["incident"], args].concat())
}

fn json(args: &[&str]) -> Value {
    let ran = incident(&[args, &["--format", "json"]].concat());
    assert!(ran.status < 2, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn answers_match_the_golden_files() {
    for (format, golden) in [
        ("text", "incident.txt"),
        ("json", "incident.json"),
        ("csv", "incident.csv"),
        ("markdown", "incident.md"),
        ("svg", "incident.svg"),
    ] {
        let ran = incident(&[CONFIG, SCRIPT, "--format", format]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert_golden(golden, &ran.stdout);
    }
}

/// Five failed requests in a row are faster than three failed checks: a third of 200 requests per second.
#[test]
fn requests_notice_a_failure_before_health_checks_do() {
    let answer = json(&[CONFIG, "--fail", "zone=a@10s..70s", "--rps", "200"]);
    let shop = &answer["clusters"][0];
    assert_eq!(shop["failing"], 3);
    assert_eq!(shop["not_noticed"], 0);
    assert_eq!(shop["causes"][0]["cause"], "CONSECUTIVE_5XX");
    assert!(number(&shop["last_detected"]["most"]) < 1.0, "{shop}");
    // Each host needs five failed attempts; workers get the last ejections up to a second later.
    assert!(number(&shop["failed"]["mean"]) < number(&shop["failed_without_retries"]["mean"]));
}

/// The interval and the threshold bound the time: a check passed right before the failure, then three fail.
#[test]
fn health_checks_take_up_to_interval_times_threshold() {
    let answer = json(&[
        CONFIG,
        "--timeout",
        "host=10.0.0.1:80@10s..70s",
        "--rps",
        "0.1",
    ]);
    let shop = &answer["clusters"][0];
    assert_eq!(shop["causes"][0]["cause"], "ACTIVE_HEALTH_CHECK");
    let (least, most) = (
        number(&shop["last_detected"]["least"]),
        number(&shop["last_detected"]["most"]),
    );
    // Two intervals and three timeouts, and up to one interval before them.
    assert!(least >= 13.0 && most <= 18.0, "{least} {most}");
    assert!(least < most);
    assert!(
        shop["settings"][0]["text"]
            .as_str()
            .unwrap()
            .contains("timeout")
    );
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let args = [CONFIG, "--errors", "zone=b:60%@5s..40s", "--rps", "50"];
    assert_eq!(json(&args), json(&args));
    let other = json(&[&args[..], &["--seed", "100"]].concat());
    assert_ne!(json(&args), other);
}

#[test]
fn expectations_set_the_exit_status() {
    for (expectation, status) in [
        ("detect <= 5s", 0),
        ("detect <= 1ms", 1),
        ("failed <= 50%", 0),
        ("failed <= 0", 1),
        ("no 503", 0),
        ("recovered <= 1h", 0),
        ("highest_load <= 1", 1),
    ] {
        let args = [CONFIG, "--fail", "zone=a@10s..70s", "--rps", "200"];
        let ran = incident(&[&args[..], &["--expect", expectation]].concat());
        assert_eq!(
            ran.status, status,
            "{expectation}: {}{}",
            ran.stdout, ran.stderr
        );
    }
}

#[test]
fn a_longer_interval_takes_longer() {
    let answer = json(&[
        CONFIG,
        "--timeout",
        "zone=a@10s..70s",
        "--rps",
        "0.1",
        "--sweep",
        "interval=1s..10s",
    ]);
    let cases = answer["comparison"]["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 10);
    let times: Vec<f64> = cases
        .iter()
        .map(|of| number(&of["last_detected"]["mean"]))
        .collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
}

#[test]
fn two_configurations_are_compared() {
    let folder = scratch("incident-compared");
    let text = fs::read_to_string(crate::run::fixtures().join(CONFIG)).unwrap();
    let slow = folder.join("slow.yaml");
    fs::write(
        &slow,
        text.replace("consecutive_5xx: 5", "consecutive_5xx: 500"),
    )
    .unwrap();
    let answer = json(&[
        CONFIG,
        "--fail",
        "zone=a@10s..70s",
        "--compare",
        slow.to_str().unwrap(),
    ]);
    let cases = answer["comparison"]["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 2);
    let failed = |case: &Value| number(&case["failed"]["mean"]);
    assert!(failed(&cases[0]) < failed(&cases[1]), "{cases:?}");
}

/// The other side notices nothing, and its doubts are named with it.
#[test]
fn what_is_not_known_about_the_compared_configuration_is_named() {
    const OTHER: &str = "../examples/fleet.yaml";
    let args = [CONFIG, "--fail", "zone=a@10s..70s", "--compare", OTHER];
    let answer = json(&args);
    let doubts = answer["comparison"]["doubts"].as_array().unwrap();
    assert!(!doubts.is_empty(), "{answer}");
    let ran = incident(&args);
    for doubt in doubts {
        let doubt = doubt.as_str().unwrap();
        assert!(ran.stdout.contains(doubt), "{doubt}: {}", ran.stdout);
    }
    let csv = incident(&[&args[..], &["--format", "csv"]].concat());
    assert!(
        csv.stderr.contains("the comparison is not in this format"),
        "{}",
        csv.stderr
    );
}

/// Nothing notices failures without health checks and outlier detection, and the answer says so.
#[test]
fn what_is_not_known_is_named() {
    let args = [
        "../examples/fleet.yaml",
        "--cluster",
        "shop",
        "--fail",
        "zone=a@10s..70s",
    ];
    let answer = json(&args);
    let shop = &answer["clusters"][0];
    assert_eq!(shop["not_noticed"], shop["failing"]);
    assert_eq!(shop["last_detected"]["most"], Value::Null);
    let doubts = shop["doubts"].to_string();
    assert!(
        doubts.contains("neither health_checks nor outlier_detection"),
        "{doubts}"
    );
    assert!(
        doubts.contains("no route in the input leads to shop"),
        "{doubts}"
    );
    assert!(doubts.contains("--rps is not stated"), "{doubts}");
}

#[test]
fn several_clusters_are_one_line_each() {
    let ran = incident(&["../examples/envoy.yaml", "--fail", "zone=a@10s..70s"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.starts_with("hosts fail in 1 of 2 clusters"),
        "{}",
        ran.stdout
    );
}

#[test]
fn tables_fit_eighty_columns() {
    let ran = incident(&[CONFIG, SCRIPT]);
    let timeline = ran.stdout.split("timeline of").nth(1).unwrap();
    let table = timeline.lines().skip(1).take_while(|line| !line.is_empty());
    for line in table {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn all_faults_are_reported_at_once() {
    let ran = incident(&[
        CONFIG,
        "--fail",
        "zone=a@70s..10s",
        "--errors",
        "zone=a:0%@1s..",
        "--slow",
        "zone=a@1s..",
        "--expect",
        "detects <= 1s",
        "--sweep",
        "intervall=1s..2s",
        "--until",
        "soon",
    ]);
    assert_eq!(ran.status, 2);
    for code in [
        "incident/span",
        "incident/rate",
        "incident/event",
        "incident/expectation",
        "incident/sweep",
        "incident/time",
    ] {
        assert!(ran.stderr.contains(code), "{code}: {}", ran.stderr);
    }
}

#[test]
fn events_after_the_simulated_time_are_errors() {
    let ran = incident(&[
        CONFIG,
        "--fail",
        "zone=a@10s..",
        "--slow",
        "zone=a:1s@200s..210s",
        "--until",
        "1m30s",
    ]);
    assert_eq!(ran.status, 2);
    let fault = "--slow \"zone=a:1s@200s..210s\":1:11: incident/span: the event is after the simulated time; found \
                 \"200s..210s\", expected a start before 90s, see --until";
    assert!(ran.stderr.contains(fault), "{}", ran.stderr);
    assert!(!ran.stderr.contains("--fail"), "{}", ran.stderr);
}

#[test]
fn faults_of_a_script_have_lines() {
    let folder = scratch("incident-script");
    let script = folder.join("script.yaml");
    fs::write(
        &script,
        "events:\n- {fail: zone=a, from: 10s, to: 5s}\n- {slow: zone=a, from: 1s}\nexpect: [nothing]\n",
    )
    .unwrap();
    let ran = incident(&[CONFIG, script.to_str().unwrap()]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("script.yaml:2:"), "{}", ran.stderr);
    assert!(ran.stderr.contains("script.yaml:3:"), "{}", ran.stderr);
    fs::write(&script, "events:\n- {fail: zone=x, from: 10s}\n").unwrap();
    let ran = incident(&[CONFIG, script.to_str().unwrap()]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("what-if/no-host"), "{}", ran.stderr);
}
