//! `spillgate lint`.

use serde_json::Value;

use crate::run::{assert_golden, fixture, spillgate, spillgate_with};

const FAULTY: &str = "lint.yaml";

fn lint(args: &[&str]) -> String {
    let ran = spillgate(&[&["lint", FAULTY], args].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    ran.stdout
}

fn json(args: &[&str]) -> Vec<Value> {
    let text = lint(&[&["--format", "json"], args].concat());
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_format_matches_the_golden_file() {
    assert_golden("lint.txt", &lint(&[]));
    assert_golden("lint-plan.txt", &lint(&["--fix-plan"]));
    assert_golden("lint.json", &lint(&["--format", "json", "--fix-plan"]));
}

/// A limit of the whole input has no path: its cause names it.
#[test]
fn a_limit_without_a_path_is_named_by_its_cause() {
    let text = "virtual_hosts: [{name: a, domains: [\"*\"], routes: [\
                {match: {prefix: /, headers: [{name: x-forwarded-proto}]}, route: {cluster: c}}]}]";
    let ran = spillgate_with(&["lint", "-"], text.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert_golden("lint-no-path.txt", &ran.stdout);
}

#[test]
fn findings_have_the_documented_fields_in_their_order() {
    let rows = json(&[]);
    assert_eq!(rows.len(), 5);
    for row in &rows {
        let keys: Vec<&String> = row.as_object().unwrap().keys().collect();
        let documented = [
            "rule", "severity", "path", "line", "column", "message", "fix",
        ];
        assert_eq!(keys, documented);
    }
    let places: Vec<u64> = rows
        .iter()
        .map(|row| row["line"].as_u64().unwrap())
        .collect();
    assert!(places.is_sorted(), "{places:?}");
    for row in json(&["--fix-plan"]) {
        for change in row["plan"].as_array().unwrap() {
            let set = change["change"] == "set";
            assert_eq!(set, change.get("value").is_some(), "{change}");
            assert!(change["path"].is_string());
        }
    }
}

#[test]
fn lines_and_columns_are_those_of_the_file() {
    let text = fixture(FAULTY);
    let lines: Vec<&str> = text.lines().collect();
    for row in json(&[]) {
        let line = row["line"].as_u64().unwrap() as usize;
        let column = row["column"].as_u64().unwrap() as usize;
        let rest: String = lines[line - 1].chars().skip(column - 1).collect();
        assert!(rest.starts_with(|c: char| !c.is_whitespace()), "{row}");
    }
}

/// The requirements of <https://docs.oasis-open.org/sarif/sarif/v2.1.0/> on the output.
#[test]
fn sarif_is_valid() {
    let log: Value = serde_json::from_str(&lint(&["--format", "sarif"])).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert!(
        log["$schema"]
            .as_str()
            .unwrap()
            .contains("sarif-schema-2.1.0")
    );
    let runs = log["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let driver = &runs[0]["tool"]["driver"];
    assert_eq!(driver["name"], "spillgate lint");
    let rules = driver["rules"].as_array().unwrap();
    let levels = ["none", "note", "warning", "error"];
    let is_level = |level: &Value| levels.iter().any(|known| level == known);
    for rule in rules {
        assert!(rule["id"].is_string() && rule["shortDescription"]["text"].is_string());
        assert!(is_level(&rule["defaultConfiguration"]["level"]));
    }
    let rows = json(&[]);
    let results = runs[0]["results"].as_array().unwrap();
    assert_eq!(results.len(), rows.len());
    for (result, row) in results.iter().zip(&rows) {
        assert_eq!(result["ruleId"], row["rule"]);
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(is_level(&result["level"]));
        assert!(result["message"]["text"].as_str().unwrap().ends_with('.'));
        let location = &result["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], FAULTY);
        assert_eq!(location["region"]["startLine"], row["line"]);
        assert_eq!(location["region"]["startColumn"], row["column"]);
        let logical = &result["locations"][0]["logicalLocations"][0];
        assert_eq!(logical["fullyQualifiedName"], row["path"]);
    }
}

#[test]
fn only_errors_have_status_1() {
    let text = fixture(FAULTY);
    let fixed = text.replace("keys: [stge]", "keys: [stage]");
    let ran = spillgate_with(&["lint", "-", "--format", "json"], fixed.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    let rows: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|row| row["severity"] != "error"));
}

#[test]
fn no_findings_have_a_message() {
    let text = "name: c\ntype: STATIC\nload_assignment: {cluster_name: c, endpoints: [{lb_endpoints: \
                [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}\n";
    let ran = spillgate_with(&["lint", "-"], text.as_bytes());
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (0, "-: no problems found\n")
    );
    let ran = spillgate_with(&["lint", "-", "--format", "json"], text.as_bytes());
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "[]\n"));
}

#[test]
fn an_unreadable_text_is_an_error() {
    let ran = spillgate_with(&["lint", "-"], b"name: c\nlb_polici: MAGLEV\n");
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr.contains("config/unknown-field"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_long_line_is_cut_around_the_place() {
    let value = serde_json::json!({"static_resources": {"clusters": (0..200).map(|number| {
        serde_json::json!({"name": format!("c{number}"), "lb_policy": "CLUSTER_PROVIDED", "cluster_type": {
            "name": "envoy.clusters.aggregate",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
                "clusters": ["gone"],
            },
        }})
    }).collect::<Value>()}});
    let ran = spillgate_with(&["lint", "-"], value.to_string().as_bytes());
    assert_eq!(ran.status, 1);
    let longest = ran.stdout.lines().map(str::len).max().unwrap();
    assert!(longest < 300, "{longest}");
    assert!(ran.stdout.ends_with("-: 200 errors\n"));
}
