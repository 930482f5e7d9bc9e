//! Sessions in `spillgate incident`: which routes keep them, and what an answer says about those that it does not model.

use std::fs;

use serde_json::{Value, json};

use crate::run::{Ran, scratch, spillgate};

const CONFIG: &str = include_str!("examples/sessions.yaml");
const EVENT: &str = "--fail=zone=a@10s..70s";

/// The path of a file with a configuration.
fn file(name: &str, config: &str) -> String {
    let file = scratch(name).join("envoy.yaml");
    fs::write(&file, config).unwrap();
    file.display().to_string()
}

/// The JSON of an incident of a configuration.
fn answer(name: &str, config: &str, options: &[&str]) -> Value {
    let path = file(name, config);
    let words = ["incident", &path, EVENT, "--rps=200", "--format=json"];
    let words: Vec<&str> = words.iter().chain(options).copied().collect();
    let Ran { stdout, .. } = spillgate(&words);
    serde_json::from_str::<Value>(&stdout).unwrap()["clusters"][0].take()
}

fn has_doubt(answer: &Value, part: &str) -> bool {
    let mut doubts = answer["doubts"].as_array().unwrap().iter();
    doubts.any(|doubt| doubt.as_str().unwrap().contains(part))
}

/// The configuration with another text at a place.
fn with(from: &str, to: &str) -> String {
    assert!(CONFIG.contains(from), "{from}");
    CONFIG.replace(from, to)
}

#[test]
fn sessions_move_once_and_stay() {
    let found = answer("moved", CONFIG, &["--sessions=1000"]);
    let sessions = &found["sessions"];
    assert_eq!(sessions["clients"], 1000);
    let moved = sessions["moved"]["mean"].as_f64().unwrap();
    assert!((490.0..510.0).contains(&moved), "{moved}");
    assert_eq!(sessions["percent_before"], 50.0);
    assert!(sessions["percent_after"]["most"].as_f64().unwrap() < 0.1);
    assert!(!has_doubt(&found, "session"), "{}", found["doubts"]);
}

#[test]
fn their_number_is_asked_for() {
    let found = answer("unknown", CONFIG, &[]);
    assert_eq!(found["sessions"], json!(null));
    assert!(has_doubt(&found, "I don't know how many clients"));
    let filter = "envoy.filters.http.stateful_session\n";
    let without = with(
        filter,
        "envoy.filters.http.stateful_session\n            disabled: true\n",
    );
    let found = answer("none", &without, &["--sessions=10"]);
    assert!(has_doubt(&found, "no route to shop keeps sessions"));
    assert!(!has_doubt(&answer("off", &without, &[]), "session"));
}

#[test]
fn what_is_not_modeled_of_them_is_named() {
    let cookie = "cookie: {name: s, path: /}";
    for (config, text) in [
        (
            with(cookie, "cookie: {name: s, path: /app}"),
            "are not modeled",
        ),
        (
            with(cookie, "cookie: {name: s, path: /, ttl: 60s}"),
            "end 60 s after",
        ),
        (
            with(
                "num_retries: 1}",
                "num_retries: 1}, hash_policy: [{header: {header_name: x}}]",
            ),
            "go by the hash",
        ),
        (
            with(
                "cluster: shop,",
                "weighted_clusters: {clusters: [{name: shop, weight: 1}, {name: b, weight: 1}]},",
            )
            .replace(
                "  - name: shop\n",
                "  - name: b\n    load_assignment: {cluster_name: b}\n  - name: shop\n",
            ),
            "are not modeled",
        ),
    ] {
        let found = answer("limits", &config, &["--cluster=shop", "--sessions=10"]);
        assert!(has_doubt(&found, text), "{text}: {}", found["doubts"]);
    }
}

#[test]
fn sessions_move_with_the_response_to_a_retry() {
    let slow = with(
        "retry_on: connect-failure,",
        "retry_on: reset, per_try_timeout: 1s,",
    );
    let path = file("slow", &slow);
    let words = [
        "incident",
        &path,
        "--timeout=zone=a@10s..70s",
        "--sessions=10",
    ];
    let Ran { stdout, .. } = spillgate(&words);
    assert!(
        stdout.contains("move with the response to a retry"),
        "{stdout}"
    );
}
