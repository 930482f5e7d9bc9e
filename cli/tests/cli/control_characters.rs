//! Names with control characters are printed in visible form by every command.

use std::fs;

use regex::Regex;
use serde_json::{Value, json};

use crate::run::{Ran, scratch, spillgate};

/// A terminal command, a C1 control, a bidirectional control, and a forged line of output.
const NAME: &str = "\u{1b}[31mshop\u{9b}2J\u{202e}\r\nFORGED";
/// The same for a zone, which spreadsheets would run as a formula.
const ZONE: &str = "=HYPERLINK(\"http://evil\")\u{1b}]0;title\u{7}";

fn config() -> Value {
    let host = |address: &str| json!({"endpoint": {"address": {"socket_address": {"address": address, "port_value": 80}}}});
    let locality = |address: &str, zone: &str| json!({"locality": {"region": "r", "zone": zone}, "lb_endpoints": [host(address)]});
    let cluster = |name: &str| {
        json!({"name": name, "type": "STATIC", "lb_policy": "MAGLEV",
            "circuit_breakers": {"thresholds": [{"max_connections": 0}]},
            "load_assignment": {"cluster_name": name, "endpoints": [
                locality("10.0.0.1", ZONE), locality("10.0.0.2", "b")]}})
    };
    let aggregate = json!({"name": format!("all {NAME}"), "lb_policy": "CLUSTER_PROVIDED", "cluster_type": {
        "name": "envoy.clusters.aggregate", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
            "clusters": [NAME]}}});
    let route = json!({"match": {"prefix": "/"}, "name": format!("route {NAME}"), "route": {"cluster": NAME}});
    let manager = json!({
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "in",
        "route_config": {"name": NAME, "virtual_hosts": [{"name": NAME, "domains": ["*"], "routes": [route]}]},
        "http_filters": [{"name": "router", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}}],
    });
    let listener = json!({"name": NAME, "address": {"socket_address": {"address": "127.0.0.1", "port_value": 80}},
        "filter_chains": [{"filters": [{"name": "hcm", "typed_config": manager}]}]});
    json!({"static_resources": {"clusters": [cluster(NAME), aggregate], "listeners": [listener]}})
}

/// Checks the output of a command; `what` names it.
fn assert_visible(what: &str, ran: &Ran, colors: &Regex) {
    let Ran { stdout, stderr, .. } = ran;
    for text in [stdout, stderr] {
        assert!(!text.contains("\u{1b}[31mshop"), "{what}: {text:?}");
        // The visible form is that of JSON, not of Rust.
        assert!(!text.contains("\\u{"), "{what}: {text}");
        let plain = colors.replace_all(text, "");
        let bidi = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        let hidden = |c: char| (c.is_control() && c != '\n') || bidi(c);
        assert!(!plain.contains(hidden), "{what}: {text:?}");
        assert!(
            !plain.lines().any(|line| line.starts_with("FORGED")),
            "{what}: {text}"
        );
    }
}

#[test]
fn every_command_prints_names_with_control_characters_in_visible_form() {
    let folder = scratch("control");
    let file = folder.join("envoy.json");
    fs::write(&file, config().to_string()).unwrap();
    let file = file.to_str().unwrap();
    let requests = folder.join("requests.jsonl");
    let authority = "{\"authority\": \"a\", \"path\": \"/\", \"headers\": {\"x\": \"\\u001b\"}}\n";
    fs::write(&requests, authority).unwrap();
    let requests = requests.to_str().unwrap();
    let colors = Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
    let option = format!("--{NAME}");
    let commands: &[&[&str]] = &[
        &["split", file],
        &["split", file, "--format", "markdown"],
        &["split", file, "--format", "csv"],
        &["split", file, "--format", "json"],
        &["split", file, "--client", "both"],
        &["split", file, "--client", "both", "--format", "csv"],
        &["split", file, "--client", "grpc", "--format", "markdown"],
        &["split", file, "--cluster", NAME],
        &["split", file, "--cluster", "\u{1b}[31mshop\nFORGED"],
        &["pick", file, requests],
        &["explain", file, "--path", "/"],
        &["explain", file, "--path", "/\u{9b}"],
        &["explain", file, "--path", "/", "--format", "json"],
        &["what-if", file, "--cluster", NAME, "--lose", "zone=b:1"],
        &[
            "what-if",
            file,
            "--cluster",
            NAME,
            "--lose",
            "zone=b:1",
            "--format",
            "json",
        ],
        &[
            "what-if",
            file,
            "--cluster",
            NAME,
            "--lose",
            "zone=\u{1b}[31mshop:1",
        ],
        &["lint", file],
        &["lint", file, "--format", "json"],
        &["lint", file, "--format", "sarif"],
        &["export", file, "--to", "csv"],
        &["export", file, "--to", "markdown"],
        &["export", file, "--to", "svg"],
        &["export", file, "--to", "envoy-yaml"],
        &["export", file, "--to", "envoy-json"],
        &["export", file, "--to", "scenario"],
        &["link", "encode", file, "--cluster", NAME],
        &["split", "gone\u{1b}[31mshop\nFORGED.yaml"],
        &[NAME],
        &["split", "--option", NAME],
        &["split", &option],
        &["split", file, "--format", NAME],
        &["help", NAME],
    ];
    for command in commands {
        for color in ["always", "never"] {
            let ran = spillgate(&[&["--color", color], *command].concat());
            let what = format!("{command:?} --color {color}");
            if color == "never" {
                let escapes = ran.stdout.contains('\u{1b}') || ran.stderr.contains('\u{1b}');
                assert!(!escapes, "{what}: {}{}", ran.stdout, ran.stderr);
            }
            assert_visible(&what, &ran, &colors);
        }
    }
}

#[test]
fn errors_of_arguments_show_control_characters() {
    for argument in ["\u{9b}31mX", "\u{202e}X", "\u{1b}[31mX", "X\nFORGED"] {
        let ran = spillgate(&[argument]);
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        let start = ran.stderr.find("error: unrecognized subcommand");
        assert_eq!(start, Some(0), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("\\u00") || ran.stderr.contains("\\u202e"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn visible_names_in_json_and_yaml_are_the_same_names() {
    let folder = scratch("control-same");
    let file = folder.join("envoy.json");
    fs::write(&file, config().to_string()).unwrap();
    let split = spillgate(&["split", file.to_str().unwrap(), "--format", "json"]);
    assert_eq!(split.status, 0, "{}", split.stderr);
    let parsed: Value = serde_json::from_str(&split.stdout).unwrap();
    assert_eq!(parsed["clusters"][0]["name"], NAME);
    for to in ["envoy-yaml", "envoy-json"] {
        let written = spillgate(&["export", file.to_str().unwrap(), "--to", to]);
        let again = folder.join(to);
        fs::write(&again, &written.stdout).unwrap();
        let ran = spillgate(&["split", again.to_str().unwrap(), "--format", "json"]);
        assert_eq!(ran.status, 0, "{to}: {}{}", ran.stderr, written.stdout);
        let parsed: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(parsed["clusters"][0]["name"], NAME, "{to}");
    }
}

#[test]
fn no_field_of_csv_begins_a_formula() {
    let folder = scratch("formula");
    let file = folder.join("envoy.json");
    for name in ["=1+2", "+1", "-1", "@SUM(A1)", "\t=1", "\n=1"] {
        let text = config()
            .to_string()
            .replace(&json!(NAME).to_string(), &json!(name).to_string());
        fs::write(&file, text).unwrap();
        for command in [
            &["split", "--format", "csv"][..],
            &["export", "--to", "csv"],
        ] {
            let ran = spillgate(&[command, &[file.to_str().unwrap()]].concat());
            assert_eq!(ran.status, 0, "{}", ran.stderr);
            let fields = ran.stdout.lines().flat_map(|line| line.split([',', '"']));
            for field in fields.map(str::trim_start) {
                assert!(
                    !field.starts_with(['=', '+', '-', '@']),
                    "{name:?}: {}",
                    ran.stdout
                );
            }
        }
    }
}
