//! `docs/filter-config.schema.json` agrees with the reader.

use std::fs;

use crate::common::builders::{
    aggregate, assert_fits, cluster, document, good, schema, sessions, with,
};
use crate::common::shipped::{configurations, plain, shipped_files};
use serde_json::{Value, json};
use spillgate_config::{
    filter::{VariableKeys, json_schema, read, read_poller, read_with},
    node::{self, Scalars},
};
use spillgate_testkit::repository;

/// `SPILLGATE_GOLDEN=write` rewrites the file.
#[test]
fn the_file_is_up_to_date() {
    let path = repository().join("docs/filter-config.schema.json");
    let text = json_schema();
    if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, &text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept == text, "{} differs; now:\n{text}", path.display());
}

#[test]
fn the_document_is_a_schema() {
    assert!(jsonschema::meta::is_valid(&document()));
}

/// The field lists in the source: message name, fields.
fn lists_of_fields() -> Vec<(String, Vec<String>)> {
    let mut lists = Vec::new();
    let folder = repository().join("crates/config/src/filter");
    let folders = [folder.join("affinity"), folder];
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let output = repository().join("crates/config/src/output.rs");
    for path in paths.chain([output]) {
        // Lists of keys in files and variables are not a part of the filter's configuration.
        let is_other = path.ends_with("key_file.rs") || path.ends_with("key_list.rs");
        if is_other || path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        for rest in source.split("Schema::new(").skip(1) {
            // The name and the fields are one string each.
            let mut texts = rest.split('"').skip(1).step_by(2);
            let (name, fields) = (texts.next().unwrap(), texts.next().unwrap());
            let fields = fields
                .replace('\\', " ")
                .split_whitespace()
                .map(str::to_owned)
                .collect();
            lists.push((name.to_owned(), fields));
        }
    }
    lists.sort();
    lists
}

#[test]
fn messages_and_fields_are_those_of_the_reader() {
    let document = document();
    let mut described: Vec<(String, Vec<String>)> = document["$defs"]
        .as_object()
        .unwrap()
        .values()
        .filter_map(|message| {
            let title = message.get("title")?.as_str()?;
            let fields = message["properties"].as_object()?.keys();
            Some((title.to_owned(), fields.cloned().collect()))
        })
        .collect();
    described.sort();
    let lists = lists_of_fields();
    assert_eq!(lists.len(), 19);
    assert_eq!(described, lists);
}

#[test]
fn every_field_has_a_kind_and_a_sentence() {
    let document = document();
    let definitions = document["$defs"].as_object().unwrap();
    for (name, message) in definitions {
        assert!(is_sentence(&message["description"]), "{name}");
        if message.get("title").is_none() {
            continue;
        }
        for (field, schema) in message["properties"].as_object().unwrap() {
            assert!(is_sentence(&schema["description"]), "{name}.{field}");
            let kinds = ["type", "enum", "const", "$ref"];
            let has_kind = kinds.iter().any(|kind| schema.get(kind).is_some());
            assert!(has_kind, "{name}.{field}");
        }
    }
}

fn is_sentence(text: &Value) -> bool {
    text.as_str().is_some_and(|text| text.ends_with('.'))
}

/// A configuration in which every field of this message that has a default has it explicitly.
fn defaults(message: &str, mut with: Value) -> Value {
    let document = document();
    let fields = document["$defs"][message]["properties"]
        .as_object()
        .unwrap();
    for (name, field) in fields {
        if let Some(default) = field.get("default") {
            with[name] = default.clone();
        }
    }
    with
}

#[test]
fn defaults_are_those_of_the_reader() {
    let admin = json!({"source": "admin", "cluster": "admin"});
    let step = json!({"any": true});
    let trace = json!({"when": {"header": "x-a", "value": "0123456789abcdef"}});
    let log = json!({"percent": 1});
    let short = json!({
        "clusters": [cluster("c", "10.0.0.1")], "target": "c", "health": admin,
        "subset_chain": [step], "trace": trace, "access_log": log, "affinity": sessions(json!({})),
    });
    let mut long = defaults("filter", short.clone());
    long["health"] = defaults("health", admin);
    long["health"]["source"] = json!("admin");
    long["subset_chain"] = json!([defaults("chain_step", step)]);
    long["trace"] = defaults("trace", trace);
    long["access_log"] = defaults("access_log", log);
    long["output"] = defaults("output", json!({}));
    long["least_request"] = defaults("least_request", json!({}));
    long["affinity"] = defaults("affinity", sessions(json!({})));
    long["affinity"]["cookie"] = defaults("affinity_cookie", json!({}));
    assert_fits(&schema("filter"), &long);
    let read = |config: &Value| format!("{:?}", read(&config.to_string()).unwrap());
    assert!(long.to_string().len() > short.to_string().len() + 600);
    assert_eq!(read(&long), read(&short));

    let short = json!({"poll": [{"cluster": "admin", "targets": ["c"]}]});
    let long = json!({"poll": [defaults("poll", short["poll"][0].clone())]});
    assert_ne!(long, short);
    let read = |config: &Value| read_poller(&config.to_string()).unwrap();
    assert_eq!(read(&long), read(&short));
}

/// Configurations at the limits of what is legal.
fn edges() -> Vec<(Value, bool)> {
    let step = |step: Value| with("subset_chain", json!([step]));
    // Criteria need a step that uses them, and steps need criteria.
    let selecting = |field: &str, value: Value| {
        let mut config = with(field, value);
        config["subset_chain"] = json!([{"keys": ["a"]}]);
        config
    };
    let mut keys = step(
        json!({"keys": ["a"], "min_healthy_hosts": 0, "min_healthy_percent": 100, "panic_threshold": 100, "last_resort": true}),
    );
    keys["criteria"] = json!([{"key": "a", "header": "x-a"}]);
    let admin = |field: &str, value: Value| {
        let mut health = json!({"source": "admin", "cluster": "a"});
        health[field] = value;
        with("health", health)
    };
    let mut targets = with("target", Value::Null);
    targets["targets"] = json!([{"match": {"prefix": "/"}, "cluster": "shop"}]);
    let mut no_match = targets.clone();
    no_match["targets"][0]
        .as_object_mut()
        .unwrap()
        .remove("match");
    let mut weighted = with("target", Value::Null);
    weighted["weighted"] = json!([{"cluster": "shop", "weight": 1}]);
    let mut no_weight = weighted.clone();
    no_weight["weighted"][0]
        .as_object_mut()
        .unwrap()
        .remove("weight");
    let mut both = weighted.clone();
    both["target"] = json!("shop");
    let mut admin_counts = admin("interval", json!("1s"));
    admin_counts["least_request"] = json!({"source": "admin"});
    let mut by_subset = with("criteria", json!([{"key": "stage", "value": "prod"}]));
    by_subset["output"] = json!({"mode": "subset_headers", "subset_headers": {"stage": "x-stage"}});
    vec![
        (good(), true),
        (targets, true),
        (no_match, false),
        (weighted, true),
        (no_weight, false),
        (both, false),
        (with("target", Value::Null), false),
        (with("target", json!(7)), false),
        (with("clusters", Value::Null), false),
        (with("clusters", json!([{"lb_policy": "RANDOM"}])), false),
        (with("tagret", json!("shop")), false),
        (with("tick", json!("1ms")), true),
        (with("tick", json!("0.001s")), true),
        (with("tick", json!(5)), false),
        (with("tick", json!("5")), false),
        (with("tick", json!("1.0000000001s")), false),
        (with("cluster_choice", json!("hash")), true),
        (with("cluster_choice", json!("sticky")), false),
        (with("route_settings", json!(true)), true),
        (with("route_settings", json!("yes")), false),
        (
            selecting(
                "metadata_match",
                json!({"filter_metadata": {"envoy.lb": {"a": 1}}}),
            ),
            true,
        ),
        (with("metadata_match", json!("a")), false),
        (
            selecting(
                "criteria",
                json!([{"key": "a", "value": [1]}, {"key": "a", "header": "x-a"}, {"route_metadata": true}]),
            ),
            true,
        ),
        (with("criteria", json!([{"key": "a"}])), false),
        (with("criteria", json!([{"value": 1}])), false),
        (
            with("criteria", json!([{"key": "a", "value": 1, "header": "x"}])),
            false,
        ),
        (
            with("criteria", json!([{"key": "a", "route_metadata": true}])),
            false,
        ),
        (
            with("criteria", json!([{"key": "a", "value": null}])),
            false,
        ),
        (keys, true),
        (step(json!({"match": {"a": "b"}})), true),
        (step(json!({"keys": []})), false),
        (step(json!({"match": {}})), false),
        (step(json!({"any": false})), false),
        (step(json!({"any": true, "keys": ["a"]})), false),
        (step(json!({"min_healthy_hosts": 1})), false),
        (step(json!({"any": true, "min_healthy_hosts": -1})), false),
        (
            step(json!({"any": true, "min_healthy_percent": 101})),
            false,
        ),
        (
            step(json!({"any": true, "min_healthy_percent": 0.5})),
            false,
        ),
        (step(json!({"any": true, "panic_threshold": 101})), false),
        (step(json!({"any": true, "retry": "same_step"})), true),
        (step(json!({"any": true, "retry": "next"})), false),
        (admin("poller", json!("worker")), true),
        (admin("poller", json!("unknown")), false),
        (admin("on_stale", json!("pass_through")), true),
        (admin("on_stale", json!("refuse")), true),
        (admin("on_stale", json!("drop")), false),
        (admin("on_unknown", json!("refuse")), true),
        (admin("on_unknown", json!("pass_through")), true),
        (admin("on_unknown", json!("keep")), false),
        (with("health", json!({"on_unknown": "refuse"})), false),
        (admin("stale_after", json!("1h")), false),
        (admin("cluster", json!("")), false),
        (with("health", json!({"source": "admin"})), false),
        (with("health", json!({"source": "static"})), true),
        (with("health", json!({"interval": "1s"})), false),
        (
            with("health", json!({"source": "static", "cluster": "a"})),
            false,
        ),
        (admin_counts, true),
        (with("least_request", json!({"source": "worker"})), true),
        (with("least_request", json!({"source": "admin"})), false),
        (with("output", json!({"candidates": 32})), true),
        (with("output", json!({"candidates": 33})), false),
        (
            with("output", json!({"route_strips_response_headers": true})),
            true,
        ),
        (
            with("output", json!({"route_strips_response_headers": 1})),
            false,
        ),
        (with("output", json!({"candidates": 0})), false),
        (with("output", json!({"attempts_per_cluster": 3})), true),
        (with("output", json!({"attempts_per_cluster": 0})), false),
        (with("output", json!({"attempts_per_cluster": 33})), false),
        (with("output", json!({"mode": "stateful_session"})), true),
        (with("output", json!({"host_header": "x y"})), false),
        (with("output", json!({"cluster_header": ""})), false),
        (by_subset, true),
        (with("output", json!({"mode": "subset_headers"})), false),
        (
            with("output", json!({"subset_headers": {"a": "x-a"}})),
            false,
        ),
        (with("reserved_headers", json!([":path"])), false),
        (with("trace", json!({})), false),
        (with("trace", json!({"when": {"header": "x-a"}})), false),
        (
            with("trace", json!({"when": {"header": "x-a", "value": ""}})),
            false,
        ),
        (
            with(
                "trace",
                json!({"when": {"header": "x-a", "value": "\u{e9}23456789abcde"}}),
            ),
            false,
        ),
        (
            with(
                "trace",
                json!({"when": {"header": "x-a", "value": "\u{e9}123456789abcdef"}}),
            ),
            true,
        ),
        (
            with("access_log", json!({"percent": 0.5, "steps": true})),
            true,
        ),
        (with("access_log", json!({"percent": 100.5})), false),
        (with("access_log", json!({"steps": true})), false),
    ]
}

#[test]
fn schema_and_reader_agree_at_the_edges() {
    let schema = schema("filter");
    let of_sessions = crate::common::session_edges::edges()
        .into_iter()
        .map(|(affinity, legal)| (with("affinity", affinity), legal));
    let keys = sessions(json!({}))["keys"].to_string().into_bytes();
    let keys = |_: &str| VariableKeys::Text(keys.clone());
    for (config, legal) in edges().into_iter().chain(of_sessions) {
        let read = read_with(&config.to_string(), &keys);
        assert_eq!(read.is_ok(), legal, "reader: {config}");
        assert_eq!(schema.is_valid(&config), legal, "schema: {config}");
    }
    let poll = |poll: Value| json!({"poll": [poll]});
    let schema = self::schema("poller");
    for (config, legal) in [
        (json!({}), false),
        (json!({"poll": []}), false),
        (
            poll(
                json!({"cluster": "a", "targets": ["b", "c"], "interval": "50ms", "metadata_interval": "10s"}),
            ),
            true,
        ),
        (poll(json!({"cluster": "a"})), false),
        (poll(json!({"targets": ["b"]})), false),
        (poll(json!({"cluster": "a", "targets": ["b", "b"]})), false),
        (poll(json!({"cluster": "a", "targets": [""]})), false),
        (poll(json!({"cluster": "a", "targets": []})), false),
        (
            poll(json!({"cluster": "a", "targets": ["b"], "interval": 1})),
            false,
        ),
        (
            poll(json!({"cluster": "a", "targets": ["b"], "tick": "1s"})),
            false,
        ),
    ] {
        assert_eq!(
            read_poller(&config.to_string()).is_ok(),
            legal,
            "reader: {config}"
        );
        assert_eq!(schema.is_valid(&config), legal, "schema: {config}");
    }
}

#[test]
fn aggregates_fit_as_clusters() {
    assert_fits(&schema("cluster"), &aggregate("a", &["b"]));
}

/// The YAML blocks of a document.
fn yaml_blocks(document: &str) -> Vec<&str> {
    let blocks = document.split("```yaml\n").skip(1);
    blocks
        .map(|rest| rest.split_once("```").unwrap().0)
        .collect()
}

#[test]
fn the_examples_of_the_manual_are_legal() {
    let manual = fs::read_to_string(repository().join("docs/filter-config.md")).unwrap();
    let mut seen = [0, 0];
    for block in yaml_blocks(&manual) {
        let document = node::read_yaml(block, Scalars::Json).unwrap();
        let value = plain(&document.roots[0]);
        if value.get("clusters").is_some() {
            let read = read(&value.to_string()).unwrap();
            assert_eq!(read.warnings, []);
            assert_fits(&schema("filter"), &value);
            seen[0] += 1;
        } else if value.get("poll").is_some() {
            read_poller(&value.to_string()).unwrap();
            assert_fits(&schema("poller"), &value);
            seen[1] += 1;
        }
    }
    assert_eq!(seen, [1, 1]);
}

/// Their keys are missing, and nothing else.
#[test]
fn the_examples_of_sessions_are_legal_but_for_their_keys() {
    let manual = fs::read_to_string(repository().join("docs/sessions.md")).unwrap();
    let mut seen = 0;
    for block in yaml_blocks(&manual) {
        let document = node::read_yaml(block, Scalars::Json).unwrap();
        let value = plain(&document.roots[0]);
        let Some(affinity) = value.get("affinity") else {
            assert!(value.get("vm_config").is_some(), "{block}");
            continue;
        };
        let config = with("affinity", affinity.clone());
        assert_fits(&schema("filter"), &config);
        let faults = read(&config.to_string()).unwrap_err();
        let faults: Vec<&str> = faults.iter().map(|fault| &*fault.message).collect();
        assert_eq!(faults, ["environment variable SPILLGATE_KEYS is not set"]);
        seen += 1;
    }
    assert_eq!(seen, 2);
}

#[test]
fn shipped_configurations_fit() {
    let schemas = [schema("filter"), schema("poller")];
    let mut all = [0, 0];
    for file in shipped_files() {
        let mut found = [Vec::new(), Vec::new()];
        for root in &file.roots {
            configurations(root, &mut found);
        }
        for ((schema, found), count) in schemas.iter().zip(&found).zip(&mut all) {
            for configuration in found {
                println!("{}", file.path.display());
                assert_fits(schema, configuration);
                *count += 1;
            }
        }
    }
    assert!(all[0] >= 10 && all[1] >= 5, "only {all:?} were found");
}
