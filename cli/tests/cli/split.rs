//! `spillgate split`.

use serde_json::Value;

use crate::run::{assert_golden, fixture, spillgate, spillgate_with};

fn split(format: &str) -> String {
    let ran = spillgate(&["split", "shop.yaml", "--format", format]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    ran.stdout
}

#[test]
fn every_format_matches_the_golden_file() {
    for (format, golden) in [
        ("table", "split.txt"),
        ("json", "split.json"),
        ("markdown", "split.md"),
        ("csv", "split.csv"),
    ] {
        assert_golden(golden, &split(format));
    }
}

#[test]
fn shares_and_no_host_of_each_cluster_sum_up_to_100() {
    let json: Value = serde_json::from_str(&split("json")).unwrap();
    let clusters = json["clusters"].as_array().unwrap();
    assert_eq!(clusters.len(), 5);
    for cluster in clusters {
        let sum = |list: &str| -> f64 {
            let rows = cluster[list].as_array().unwrap().iter();
            rows.map(|row| row["share"].as_f64().unwrap()).sum()
        };
        let no_host = cluster["no_host"].as_f64().unwrap();
        assert!(
            (sum("endpoints") + no_host - 100.0).abs() < 1e-9,
            "{cluster}"
        );
        if cluster["kind"] == "aggregate" {
            assert_eq!(sum("members"), 100.0);
        }
    }
}

#[test]
fn the_json_has_the_documented_fields_in_their_order() {
    let json: Value = serde_json::from_str(&split("json")).unwrap();
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    let plain = &json["clusters"][0];
    assert_eq!(
        keys(plain),
        [
            "name",
            "kind",
            "policy",
            "no_host",
            "subset",
            "priorities",
            "endpoints"
        ]
    );
    assert_eq!(plain["subset"], Value::Null);
    let priority = [
        "hosts",
        "healthy",
        "degraded",
        "excluded",
        "availability",
        "degraded_availability",
        "healthy_load",
        "degraded_load",
        "panic",
        "localities",
    ];
    assert_eq!(keys(&plain["priorities"][0])[1..], priority);
    assert_eq!(
        keys(&plain["priorities"][0]["localities"][0]),
        ["region", "zone", "sub_zone", "weight", "share"]
    );
    assert_eq!(
        keys(&plain["endpoints"][0]),
        ["address", "cluster", "priority", "share"]
    );

    let aggregate = &json["clusters"][4];
    assert_eq!(
        keys(aggregate),
        [
            "name",
            "kind",
            "policy",
            "no_host",
            "members",
            "priorities",
            "endpoints"
        ]
    );
    let linear = keys(&aggregate["priorities"][0]);
    assert_eq!(linear[..3], ["priority", "cluster", "cluster_priority"]);
    assert_eq!(linear[3..], priority);
}

#[test]
fn selected_clusters_are_in_configuration_order() {
    let args = [
        "split",
        "shop.yaml",
        "--format",
        "csv",
        "--cluster",
        "keyed",
    ];
    let ran = spillgate(&[&args[..], &["--cluster", "secondary"]].concat());
    assert_eq!(ran.status, 0);
    assert_eq!(
        ran.stdout,
        "cluster,owner,priority,endpoint,share\n\
         secondary,secondary,0,10.1.0.1:80,100\n\
         keyed,keyed,0,10.2.0.1:80,50.00076292781177\n\
         keyed,keyed,0,10.2.0.2:80,49.99923707218823\n"
    );
}

#[test]
fn standard_input_can_be_yaml_or_json() {
    let yaml = fixture("shop.yaml");
    let from_file = split("table");
    let ran = spillgate_with(&["split", "-"], yaml.as_bytes());
    assert_eq!((ran.status, ran.stdout), (0, from_file));

    let json = r#"{"name": "c", "load_assignment": {"cluster_name": "c", "endpoints": [
        {"lb_endpoints": [{"endpoint": {"address": {"socket_address":
            {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
    let ran = spillgate_with(&["split", "-", "--format", "csv"], json.as_bytes());
    assert!(ran.stdout.ends_with("\nc,c,0,10.0.0.1:80,100\n"), "{ran:?}");
}

#[test]
fn a_member_that_is_listed_twice_is_counted_once() {
    let yaml = fixture("shop.yaml").replace("[primary, secondary]", "[primary, primary]");
    let args = ["split", "-", "--cluster", "shop", "--format", "json"];
    let ran = spillgate_with(&args, yaml.as_bytes());
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let shop = &json["clusters"][0];
    assert_eq!(shop["priorities"].as_array().unwrap().len(), 4);
    assert_eq!(shop["members"].as_array().unwrap().len(), 1);
    assert_eq!(shop["endpoints"].as_array().unwrap().len(), 6);
    let endpoints = shop["endpoints"].as_array().unwrap().iter();
    let sum: f64 = endpoints.map(|row| row["share"].as_f64().unwrap()).sum();
    assert!((sum - 100.0).abs() < 1e-9, "{shop}");
}

#[test]
fn output_without_a_terminal_has_no_colors() {
    assert!(!split("table").contains('\u{1b}'));
}
