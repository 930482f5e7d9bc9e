//! `--health`: hosts and health of a running Envoy replace those of the configuration.

use serde_json::Value;

use crate::run::{spillgate, spillgate_with};

fn share_of(split: &str, endpoint: &str) -> f64 {
    let split: Value = serde_json::from_str(split).unwrap();
    let endpoints = split["clusters"][0]["endpoints"].as_array().unwrap();
    let found = endpoints.iter().find(|row| row["address"] == endpoint);
    found.unwrap()["share"].as_f64().unwrap()
}

const SPLIT: [&str; 6] = [
    "split",
    "shop.yaml",
    "--cluster",
    "secondary",
    "--format",
    "json",
];

#[test]
fn health_replaces_hosts_and_health() {
    let before = spillgate(&SPLIT);
    assert_eq!(share_of(&before.stdout, "10.1.0.1:80"), 100.0);
    let clusters = b"secondary::10.1.0.1:80::health_flags::/failed_active_hc\n\
        secondary::10.1.0.7:80::health_flags::healthy\n";
    let args = [SPLIT.as_slice(), &["--health", "-"]].concat();
    let after = spillgate_with(&args, clusters);
    assert_eq!(after.status, 0, "{}", after.stderr);
    assert_eq!(share_of(&after.stdout, "10.1.0.1:80"), 0.0);
    assert_eq!(share_of(&after.stdout, "10.1.0.7:80"), 100.0);
    assert!(
        after.stderr.contains("warning: -:1:1: clusters/membership"),
        "{}",
        after.stderr
    );

    let row = b"secondary::10.1.0.8:80::health_flags::healthy\n";
    let requests = ["pick", "shop.yaml", "requests.jsonl", "--listener", "edge"];
    let picked = spillgate_with(&[requests.as_slice(), &["--health", "-"]].concat(), row);
    assert_eq!(picked.status, 0, "{}", picked.stderr);
    assert!(picked.stdout.contains("10.1.0.8:80"), "{}", picked.stdout);
    assert!(!picked.stdout.contains("10.1.0.1:80"), "{}", picked.stdout);
}

#[test]
fn errors_of_both_files_are_shown_at_once() {
    let args = ["split", "requests.jsonl", "--health", "-"];
    let ran = spillgate_with(&args, b"nonsense\nc::10.0.0.1:80::weight::0\n");
    assert_eq!(ran.status, 2);
    for expected in [
        "requests.jsonl:",
        "-:1:1: clusters/line",
        "-:2:25: clusters/value",
    ] {
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

#[test]
fn standard_input_is_not_read_twice() {
    for args in [
        ["split", "-", "--health", "-"].as_slice(),
        &["pick", "shop.yaml", "-", "--health", "-"],
    ] {
        let ran = spillgate(args);
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains("input/twice"), "{}", ran.stderr);
    }
}
