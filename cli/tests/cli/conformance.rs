//! `spillgate conformance`: output and status.

use std::fs;

use serde_json::{Value, json};

use crate::run::{scratch, spillgate, vectors};

#[test]
fn the_command_prints_differences_totals_and_status() {
    let folder = scratch("command");
    let path = folder.join("hash.json");
    let vector = |id: &str, hash: &str| json!({"id": id, "kind": "hash", "input": {"text": "a"}, "expect": {"xxh64": hash}});
    let file = |vectors: &[Value]| {
        json!({"format": "envoy-lb-vectors/1", "kind": "hash", "vectors": vectors}).to_string()
    };
    let right = vector("right", "15154266338359012955");
    let wrong = vector("wrong", "1");
    let path_text = path.to_str().unwrap();

    fs::write(&path, file(std::slice::from_ref(&right))).unwrap();
    let ran = spillgate(&["conformance", path_text]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (0, "1 passed, 0 failed\n")
    );

    fs::write(&path, file(&[right, wrong])).unwrap();
    let ran = spillgate(&["conformance", path_text]);
    assert_eq!(ran.status, 1);
    assert_eq!(
        ran.stdout,
        format!(
            "failed: wrong (hash, {path_text})\n  \
             xxh64: expected \"1\", found \"15154266338359012955\"\n1 passed, 1 failed\n"
        )
    );
}

#[test]
fn families_select_units() {
    let vectors = vectors();
    let oracle = vectors.to_str().unwrap();
    let ran = spillgate(&["conformance", oracle, "--family", "ring,hash"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (0, "13 passed, 0 failed\n")
    );
    let ran = spillgate(&["conformance", oracle, "--family", "rings"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("conformance/nothing"), "{}", ran.stderr);
}

#[test]
fn an_unreadable_envoy_has_status_2() {
    let scenario = vectors().join("oracle/ring-01-defaults");
    let scenario = scenario.to_str().unwrap();
    let ran = spillgate(&["conformance", scenario, "--envoy", "gone"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.starts_with("gone: conformance/envoy: "));
}

#[test]
fn an_envoy_that_does_not_start_is_a_difference() {
    let scenario = vectors().join("oracle/ring-01-defaults");
    let scenario = scenario.to_str().unwrap();
    let ran = spillgate(&["conformance", scenario, "--envoy", "/bin/false"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("Envoy ended (exit status: 1)"));
    assert!(ran.stdout.ends_with("0 passed, 1 failed\n"));
}

#[test]
fn paths_that_cannot_be_read_end_with_status_2() {
    let ran = spillgate(&["conformance", "gone", "away"]);
    assert_eq!(
        (ran.status, ran.stderr.lines().count()),
        (2, 2),
        "{}",
        ran.stderr
    );
}
