//! `spillgate fleet`.

use std::fs;

use serde_json::Value;

use crate::run::{Ran, assert_golden, scratch, spillgate};

const CONFIG: &str = "../examples/fleet.yaml";
const CALLERS: &str = "../examples/callers.yaml";

fn fleet(args: &[&str]) -> Ran {
    spillgate(&[&["fleet"], args].concat())
}

fn json(args: &[&str]) -> Value {
    let ran = fleet(&[args, &["--format", "json"]].concat());
    assert!(ran.status < 2, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The load of a zone in a case.
fn rps(answer: &Value, case: usize, zone: &str) -> f64 {
    let zones = answer["cases"][case]["zones"].as_array().unwrap();
    let found = zones.iter().find(|of| of["zone"] == zone).unwrap();
    found["rps"].as_f64().unwrap()
}

#[test]
fn answers_match_the_golden_files() {
    for (format, golden) in [
        ("text", "fleet.txt"),
        ("json", "fleet.json"),
        ("csv", "fleet.csv"),
        ("markdown", "fleet.md"),
        ("svg", "fleet.svg"),
    ] {
        let ran = fleet(&[CONFIG, "--fleet", CALLERS, "--format", format]);
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        assert_golden(golden, &ran.stdout);
    }
}

#[test]
fn names_of_zones_are_no_markup() {
    let config = include_str!("examples/fleet.yaml");
    let config = config.replace("zone: c}", "zone: \"c|<img src=x>\"}");
    let path = scratch("fleet_markdown").join("fleet.yaml");
    fs::write(&path, config).unwrap();
    let path = path.to_str().unwrap();
    let ran = fleet(&[path, "--fleet", CALLERS, "--format", "markdown"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("zone c\\|&lt;img src=x&gt; gets"),
        "{}",
        ran.stdout
    );
    assert!(
        !ran.stdout.contains("<img") && !ran.stdout.contains("c|"),
        "{}",
        ran.stdout
    );
}

/// The documents name the zone, so that it has no endpoint is no mistake of the user.
#[test]
fn zones_without_endpoints_have_no_warning() {
    let ran = fleet(&["../examples/ingress.yaml", "--rps", "1"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(!ran.stderr.contains("mesh/unknown-zone"), "{}", ran.stderr);
}

/// Half of the callers in a zone with more than half of the hosts keep their requests there.
#[test]
fn callers_of_each_zone_decide_zone_aware_routing() {
    let even = json(&[CONFIG, "--callers", "a=10,b=10", "--rps", "1"]);
    assert!(
        (rps(&even, 0, "a") - 10.0 * 8.0 / 7.0).abs() < 0.01,
        "{even}"
    );
    let configured = json(&[CONFIG, "--rps", "1"]);
    assert_eq!(configured["local_cluster"], "configured");
    assert_eq!(configured["callers"][0]["callers"], 2);
    let sum: f64 = ["a", "b", "c"]
        .iter()
        .map(|zone| rps(&configured, 0, zone))
        .sum();
    assert!((sum - 3.0).abs() < 1e-9);
}

#[test]
fn options_replace_the_values_of_the_file() {
    let of_file = json(&[CONFIG, "--fleet", CALLERS]);
    assert_eq!(of_file["cases"][0]["requests"], 450.0);
    let replaced = json(&[CONFIG, "--fleet", CALLERS, "--rps", "1", "--n-minus", "0"]);
    assert_eq!(replaced["cases"][0]["requests"], 50.0);
    // The expectations of the file need the loss of each zone.
    assert_eq!(replaced["cases"].as_array().unwrap().len(), 4);
}

#[test]
fn expectations_set_the_exit_status() {
    let callers = [
        CONFIG,
        "--callers",
        "a=40,b=10",
        "--rps",
        "10",
        "--capacity",
        "100rps",
    ];
    for (expectation, status) in [
        ("no 503 n-1", 0),
        ("utilization <= 100%", 0),
        ("utilization n-1 <= 100%", 1),
        ("load(zone=b) n-1 <= 500", 0),
        ("survives n-1", 1),
        ("no overload", 0),
    ] {
        let ran = fleet(&[&callers[..], &["--expect", expectation]].concat());
        assert_eq!(ran.status, status, "{expectation}: {}", ran.stderr);
    }
}

#[test]
fn zones_of_a_mesh_are_summed() {
    let answer = json(&[
        "../examples/mesh.yaml",
        "--cluster",
        "backend",
        "--callers",
        "zone-1=10,zone-2=5",
        "--rps",
        "2",
        "--capacity",
        "10rps",
    ]);
    assert_eq!(answer["cases"][0]["requests"], 30.0);
    let sum: f64 = answer["cases"][0]["zones"]
        .as_array()
        .unwrap()
        .iter()
        .map(|zone| zone["rps"].as_f64().unwrap())
        .sum();
    assert!((sum - 30.0).abs() < 1e-9, "{answer}");
    let counted = json(&[
        "../examples/mesh.yaml",
        "--cluster",
        "backend",
        "--rps",
        "1",
    ]);
    // The Dataplanes of zone-1: web-1 and three of backend.
    assert_eq!(counted["callers"][0]["callers"], 4);
}

#[test]
fn all_faults_are_reported_at_once() {
    let ran = fleet(&[
        CONFIG,
        "--callers",
        "x=1,a=-1,b",
        "--rps",
        "z=1",
        "--bytes",
        "-5",
        "--capacity",
        "0rps",
        "--cost",
        "cross=1",
        "--expect",
        "utilisation <= 1",
    ]);
    assert_eq!(ran.status, 2);
    for (place, message) in [
        ("--callers \"x=1,a=-1,b\":1:1:", "unknown zone; found \"x\""),
        (
            "--callers \"x=1,a=-1,b\":1:7:",
            "not a number of callers; found \"-1\"",
        ),
        (
            "--callers \"x=1,a=-1,b\":1:10:",
            "not a number of callers; found \"b\"",
        ),
        ("--bytes \"-5\":1:1:", "not an amount"),
        ("--capacity \"0rps\":1:1:", "a capacity of 0"),
        ("--cost \"cross=1\":1:1:", "unknown traffic"),
        ("--expect \"utilisation <= 1\":1:1:", "unknown figure"),
    ] {
        let line = ran
            .stderr
            .lines()
            .find(|line| line.starts_with(place) && line.contains(message));
        assert!(line.is_some(), "{place} {message}: {}", ran.stderr);
    }
}

#[test]
fn values_of_a_file_have_its_place() {
    let folder = scratch("fleet_file");
    let path = folder.join("callers.yaml");
    fs::write(
        &path,
        "callers: {a: 1, q: 2}\nrps: 1\ncapacity: [x]\nrate: 3\n",
    )
    .unwrap();
    let ran = fleet(&[CONFIG, "--fleet", path.to_str().unwrap()]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("callers.yaml:4:1"), "{}", ran.stderr);
    fs::write(&path, "callers: {a: 1, q: 2}\nrps: 1\ncapacity: [x]\n").unwrap();
    let ran = fleet(&[CONFIG, "--fleet", path.to_str().unwrap()]);
    for place in ["callers.yaml:1:10", "callers.yaml:3:12"] {
        assert!(ran.stderr.contains(place), "{place}: {}", ran.stderr);
    }
}

#[test]
fn what_is_missing_is_an_error() {
    let callers = ["--callers", "a=1", "--rps", "1"];
    for (args, code) in [
        (
            &["../examples/envoy.yaml", "--rps", "1"][..],
            "fleet/which-cluster",
        ),
        (
            &["../examples/envoy.yaml", "--cluster", "shop", "--rps", "1"],
            "fleet/no-callers",
        ),
        (&[CONFIG, "--callers", "a=1"], "fleet/no-rate"),
        (
            &[CONFIG, "--callers", "a=1,b=2", "--rps", "a=1"],
            "fleet/no-rate",
        ),
        (
            &[CONFIG, "--cluster", "shap", "--rps", "1"],
            "fleet/unknown-cluster",
        ),
        (
            &[CONFIG, "--rps", "1", "--capacity", "a=100rps"],
            "fleet/no-capacity",
        ),
        (
            &[CONFIG, "--rps", "1", "--expect", "utilization < 1"],
            "fleet/no-capacity",
        ),
        (
            &[CONFIG, "--rps", "1", "--expect", "cost < 1"],
            "fleet/no-price",
        ),
        (
            &[CONFIG, "--rps", "1", "--expect", "cross_zone < 1"],
            "fleet/no-size",
        ),
        (
            &[
                "../examples/clusters.yaml",
                "--cluster",
                "shop",
                "--callers",
                "//=1",
                "--rps",
                "1",
                "--n-minus",
                "2",
            ],
            "fleet/no-zones",
        ),
        (
            &[
                "../examples/mesh.yaml",
                "--cluster",
                "backend",
                "--as",
                "zone-1",
                "--rps",
                "1",
            ],
            "fleet/point-of-view",
        ),
    ] {
        let ran = fleet(args);
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.stdout);
        assert!(ran.stderr.contains(code), "{args:?}: {}", ran.stderr);
    }
    assert_eq!(fleet(&[&[CONFIG], &callers[..]].concat()).status, 0);
}
