//! `--health` for mesh documents: `/clusters` of a proxy replaces the health of endpoints.

use crate::{
    convert::{DATAPLANES, MESH, POLICY, convert, converted, parsed},
    run::{scratch, spillgate, spillgate_with},
};

/// Health as a proxy reports it: one of the three hosts of the local zone fails.
const CLUSTERS: &str = "backend::10.1.0.1:8080::health_flags::/failed_active_hc\n\
    backend::10.1.0.2:8080::health_flags::healthy\n";

#[test]
fn live_health_replaces_configured_health() {
    let folder = scratch("convert_health");
    let file = folder.join("clusters.txt");
    std::fs::write(&file, CLUSTERS).unwrap();
    let json = folder.join("clusters.json");
    let host = |flag: bool| serde_json::json!({"failed_active_health_check": flag});
    let address =
        |ip: &str| serde_json::json!({"socket_address": {"address": ip, "port_value": 8080}});
    let statuses = serde_json::json!({"cluster_statuses": [{"name": "another-name", "host_statuses": [
        {"address": address("10.1.0.1"), "health_status": host(true)},
        {"address": address("10.1.0.2"), "health_status": host(false)},
    ]}]});
    std::fs::write(&json, statuses.to_string()).unwrap();
    let share = |args: &[&str]| {
        let view = ["--proxy", "web-1", "--to", "json"];
        let json = parsed(&converted(&[&view, args].concat()));
        let given = &json["views"][0]["clusters"][0]["scenarios"][0];
        assert_eq!(given["name"], "as given");
        given["endpoint_percent"]["10.1.0.1:8080"].clone()
    };
    assert!(share(&[]).as_f64().is_some_and(|share| share > 89.0));
    for file in [&file, &json] {
        assert!(share(&["--health", file.to_str().unwrap()]).is_null());
    }
    let file = file.to_str().unwrap();
    let written = convert(&["--proxy", "web-1", "--to", "envoy", "--health", file]);
    assert!(
        written.stdout.contains("health_status: UNHEALTHY"),
        "{}",
        written.stdout
    );
    let matrix =
        |args: &[&str]| converted(&[&["--to", "matrix", "--format", "csv"], args].concat());
    assert_ne!(matrix(&["--health", file]), matrix(&[]));
    // what-if of all zones starts from the same health.
    let survives = |args: &[&str]| {
        let lose = [
            "what-if",
            MESH,
            "--lose",
            "zone=zone-2:1",
            "--format",
            "json",
        ];
        let ran = spillgate(&[&lose[..], args].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        parsed(&ran.stdout)["before"].clone()
    };
    assert_ne!(survives(&["--health", file]), survives(&[]));
}

#[test]
fn health_of_other_hosts_is_a_warning() {
    let args = ["--proxy", "web-1", "--to", "json", "--health", "-"];
    let args = [&["convert", POLICY, "--endpoints", DATAPLANES][..], &args].concat();
    let other = b"other::10.9.0.1:80::health_flags::healthy\n";
    let ran = spillgate_with(&args, other);
    assert_eq!(ran.status, 0);
    assert!(
        ran.stderr.contains("warning: -: clusters/no-endpoint: "),
        "{}",
        ran.stderr
    );
    // The errors of all files are shown at once.
    let ran = spillgate_with(&["convert", "-", "--health", "-"], b"nonsense\n");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("input/twice"), "{}", ran.stderr);
    let ran = spillgate_with(&["convert", "missing.yaml", "--health", "-"], b"nonsense\n");
    assert_eq!(ran.status, 2);
    for expected in ["missing.yaml: input/unreadable", "-:1:1: clusters/line"] {
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}
