//! Clusters whose hosts are not known are not clusters without hosts.

use serde_json::Value;

use crate::run::{spillgate, spillgate_with};

/// An EDS cluster without endpoints, alone, behind and before members of aggregates.
const CONFIG: &str = "unknown-hosts.yaml";
const UNKNOWN: &str = "hosts are not known from the configuration";
/// What `/clusters` of a running Envoy reports.
const HOSTS: &str = "eds::10.0.9.1:80::health_flags::healthy\n";

fn cluster(name: &str) -> Value {
    let ran = spillgate(&["split", CONFIG, "--cluster", name, "--format", "json"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    value["clusters"][0].clone()
}

#[test]
fn shares_are_unknown_only_where_the_hosts_count() {
    let eds = cluster("eds");
    assert_eq!(eds["endpoints"], Value::Null);
    assert_eq!(eds["no_host"], Value::Null);
    // The healthy hosts of the first member take all requests.
    assert_eq!(cluster("behind")["endpoints"][0]["share"], 100.0);
    // Half of the hosts of the first member are unhealthy: some requests reach the second.
    let before = cluster("before");
    assert_eq!(before["unknown_hosts"], "eds");
    assert_eq!(before["endpoints"], Value::Null);
    // This cluster has no hosts.
    assert_eq!(cluster("empty")["no_host"], 100.0);
}

#[test]
fn the_answer_names_what_adds_the_hosts() {
    let ran = spillgate(&["split", CONFIG, "--cluster", "eds"]);
    assert!(
        ran.stdout
            .contains(&format!("eds (ROUND_ROBIN): {UNKNOWN}")),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("--health FILE or --admin URL"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stderr.contains("\"eds\""), "{}", ran.stderr);

    let args = ["split", CONFIG, "--cluster", "eds", "--health", "-"];
    let ran = spillgate_with(&args, HOSTS.as_bytes());
    assert!(ran.stdout.contains("10.0.9.1:80"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("not known"), "{}", ran.stdout);
}

#[test]
fn rows_and_explanations_say_that_the_result_is_unknown() {
    let paths = ["/eds", "/behind", "/before", "/split", "/"];
    let rows: String = paths
        .iter()
        .enumerate()
        .map(|(i, path)| format!("{{\"i\": {i}, \"path\": \"{path}\"}}\n"))
        .collect();
    let rows = rows + "{\"i\": 5, \"path\": \"/behind\", \"attempt\": 1}\n";
    let ran = spillgate_with(&["pick", CONFIG, "-"], rows.as_bytes());
    let rows: Vec<Value> = ran
        .stdout
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let unknown: Vec<bool> = rows.iter().map(|row| row["unknown"] == UNKNOWN).collect();
    assert_eq!(
        unknown,
        [true, false, true, true, false, true],
        "{}",
        ran.stdout
    );
    assert!(
        rows.iter().all(|row| row["status"] != 503),
        "{}",
        ran.stdout
    );

    let ran = spillgate(&["explain", CONFIG, "--path", "/eds"]);
    let first = format!("GET localhost/eds -> unknown (cluster eds: {UNKNOWN})");
    assert_eq!(ran.stdout.lines().next(), Some(first.as_str()));
    let ran = spillgate(&["explain", CONFIG, "--path", "/eds", "--format", "json"]);
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["status"], Value::Null);
    assert_eq!(value["no_host"], Value::Null);
    assert_eq!(value["reason"], "hosts_unknown");
}

#[test]
fn what_if_computes_no_margin_without_hosts() {
    for cluster in ["eds", "behind", "before"] {
        let ran = spillgate(&["what-if", CONFIG, "--cluster", cluster, "--n-minus", "1"]);
        assert_eq!(ran.status, 2, "{cluster}");
        assert!(
            ran.stderr.contains("what-if/hosts-unknown"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn exported_files_state_no_figures_about_them() {
    let export = |to: &str, target: &str| {
        let target: &[&str] = if target.is_empty() {
            &[]
        } else {
            &["--target", target]
        };
        let ran = spillgate(&[&["export", CONFIG, "--to", to], target].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.stdout
    };
    let unknown = "Hosts unknown: the configuration does not list the hosts of eds.";
    let yaml = export("envoy-yaml", "");
    for (cluster, known) in [
        ("eds", false),
        ("before", false),
        ("shop", true),
        ("empty", true),
    ] {
        let prefix = format!("  # {cluster}: ");
        let comment = yaml.lines().find_map(|line| line.strip_prefix(&prefix));
        assert_eq!(comment.unwrap() != unknown, known, "{cluster}: {comment:?}");
    }
    for to in ["markdown", "svg"] {
        assert!(export(to, "before").contains(unknown), "{to}");
        assert!(!export(to, "shop").contains(unknown), "{to}");
    }
    let shared = [
        "export",
        CONFIG,
        "--to",
        "markdown",
        "--target",
        "before",
        "--replace-names",
    ];
    let shared = spillgate(&shared).stdout;
    assert!(
        shared.contains("Hosts unknown") && !shared.contains("eds"),
        "{shared}"
    );
}
