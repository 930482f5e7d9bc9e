//! `spillgate fleet` with callers of pods and of Prometheus.

use std::fs;

use serde_json::{Value, json};
use spillgate_testkit::{CannedServer, canned_response};

use crate::run::{Ran, scratch, spillgate, spillgate_with};

const CONFIG: &str = "../examples/fleet.yaml";
const PODS: &str = "../examples/pods.yaml";

/// The callers by zone.
fn callers(ran: &Ran) -> Vec<(String, u64)> {
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["local_cluster"], "callers");
    let callers = answer["callers"].as_array().unwrap().iter();
    let of = |of: &Value| {
        let zone = of["zone"].as_str().unwrap().to_owned();
        (zone, of["callers"].as_u64().unwrap())
    };
    callers.map(of).collect()
}

fn json_of(args: &[&str]) -> Ran {
    let all = [&["fleet", CONFIG, "--rps", "10", "--format", "json"], args];
    spillgate(&all.concat())
}

/// An answer of Prometheus with these series.
fn vector(series: &Value) -> String {
    json!({"status": "success", "data": {"resultType": "vector", "result": series}}).to_string()
}

/// A server with one answer to all queries.
fn prometheus(status: &'static str, body: String) -> CannedServer {
    CannedServer::tcp(move |_| canned_response(status, "", &body)).unwrap()
}

#[test]
fn running_pods_are_the_callers() {
    let ran = json_of(&["--callers-from", PODS]);
    assert_eq!(callers(&ran), [("a".into(), 3), ("b".into(), 1)]);
    let warning = ran
        .stderr
        .lines()
        .find(|line| line.contains("fleet/pods-without-zone"));
    assert!(
        warning.is_some_and(|line| line.contains("1 such as edge-6")),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);

    // Pods and nodes of two files, one of them on standard input, as JSON.
    let folder = scratch("fleet_pods");
    let node = |name: &str, zone: &str| json!({"kind": "Node", "metadata": {"name": name, "labels": {"topology.kubernetes.io/zone": zone}}});
    let pod = |name: &str, node: &str| json!({"metadata": {"name": name}, "spec": {"nodeName": node}, "status": {"phase": "Running"}});
    let nodes = json!({"kind": "List", "items": [node("n1", "a"), node("n2", "north")]});
    let path = folder.join("nodes.json");
    fs::write(&path, nodes.to_string()).unwrap();
    let pods =
        json!({"kind": "PodList", "items": [pod("p1", "n1"), pod("p2", "n2"), pod("p3", "n1")]})
            .to_string();
    let path = path.to_str().unwrap();
    let args = [
        "fleet",
        CONFIG,
        "--rps",
        "1",
        "--format",
        "json",
        "--callers-from",
        "-",
    ];
    let ran = spillgate_with(
        &[&args[..], &["--callers-from", path]].concat(),
        pods.as_bytes(),
    );
    assert_eq!(callers(&ran), [("a".into(), 2), ("north".into(), 1)]);
    assert!(
        ran.stderr.contains("fleet/pods-elsewhere"),
        "{}",
        ran.stderr
    );

    let ran = spillgate_with(&args, pods.as_bytes());
    assert_eq!(ran.status, 2);
    ran.assert_error_has("fleet/pods");
    ran.assert_error_has("3 pods, 3 of them running, 0 nodes");
}

#[test]
fn series_of_prometheus_are_the_callers() {
    let series = json!([
        {"metric": {"zone": "b"}, "value": [1.0, "10"]},
        {"metric": {"zone": "a", "job": "x"}, "value": [1.0, "30"]},
        {"metric": {"zone": "a", "job": "y"}, "value": [1.0, "10"]},
    ]);
    let server = prometheus("200 OK", vector(&series));
    let query = "count by (zone, job) (up)";
    let args = ["--prometheus", &server.url, "--query", query];
    assert_eq!(
        callers(&json_of(&args)),
        [("a".into(), 40), ("b".into(), 10)]
    );
    assert!(server.requests()[0].starts_with("GET /api/v1/query?query=count"));

    let named = json!([{"metric": {"az": "b", "zone": "1"}, "value": [1.0, "2"]}]);
    let server = prometheus("200 OK", vector(&named));
    let args = [
        "--prometheus",
        &server.url,
        "--query",
        "q",
        "--zone-label",
        "az",
    ];
    assert_eq!(callers(&json_of(&args)), [("b".into(), 2)]);

    let partial = vector(&series).replace("\"status\"", "\"warnings\":[\"no store\"],\"status\"");
    let server = prometheus("200 OK", partial);
    let ran = json_of(&["--prometheus", &server.url, "--query", "q"]);
    assert_eq!(callers(&ran).len(), 2);
    ran.assert_error_has("prometheus/warning: no store");
}

#[test]
fn faults_of_prometheus_name_the_server_and_its_error() {
    let error = json!({"status": "error", "errorType": "bad_data", "error": "1:4: parse error"});
    let scalar =
        json!({"status": "success", "data": {"resultType": "scalar", "result": [1.0, "2"]}});
    let one =
        |labels: Value, value: &str| vector(&json!([{"metric": labels, "value": [1.0, value]}]));
    for (status, body, has) in [
        (
            "400 Bad Request",
            error.to_string(),
            "status 400, \"bad_data: 1:4: parse error\"",
        ),
        ("502 Bad Gateway", "<html>".into(), "prometheus/status"),
        ("200 OK", "<html>".into(), "prometheus/response"),
        ("200 OK", scalar.to_string(), "scalar"),
        (
            "200 OK",
            one(json!({"zone": "a"}), "NaN"),
            "NaN of {zone=\"a\"}",
        ),
        (
            "200 OK",
            one(json!({"zone": "a"}), "-1"),
            "-1 of {zone=\"a\"}",
        ),
        ("200 OK", one(json!({"job": "a"}), "1"), "--zone-label"),
        (
            "200 OK",
            one(json!({"zone": "x"}), "1"),
            "fleet/unknown-zone",
        ),
        ("200 OK", vector(&json!([])), "selects no series"),
    ] {
        let server = prometheus(status, body);
        let ran = json_of(&["--prometheus", &server.url, "--query", "up"]);
        assert_eq!(ran.status, 2, "{has}: {}", ran.stdout);
        let place = format!("{}/api/v1/query: ", server.url);
        let line = ran.stderr.lines().find(|line| line.contains(has));
        assert!(
            line.is_some_and(|line| line.starts_with(&place)),
            "{has}: {}",
            ran.stderr
        );
    }
    let ran = json_of(&["--prometheus", "http://me:secret@p:9090", "--query", "up"]);
    assert_eq!(ran.status, 2);
    ran.assert_error_has("prometheus/url");
    assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
}

#[test]
fn one_source_of_callers_is_used() {
    for args in [
        &["--callers", "a=1", "--callers-from", PODS][..],
        &[
            "--callers",
            "a=1",
            "--prometheus",
            "http://p:1",
            "--query",
            "q",
        ],
        &[
            "--callers-from",
            PODS,
            "--prometheus",
            "http://p:1",
            "--query",
            "q",
        ],
        &["--prometheus", "http://p:1"],
        &["--query", "q"],
        &["--callers-from", PODS, "--zone-label", "az"],
    ] {
        assert_eq!(json_of(args).status, 2, "{args:?}");
    }
    // An option replaces the callers of the file.
    let file = [
        "--fleet",
        "../examples/callers.yaml",
        "--callers-from",
        PODS,
        "--expect",
        "no 503",
    ];
    let all = [&["fleet", CONFIG, "--format", "json"], &file[..]].concat();
    let ran = spillgate(&all);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["callers"][0]["callers"], 3, "{}", ran.stderr);
}
