//! `spillgate lint` of Spillgate filters whose settings cannot act.

use serde_json::{Value, json};

use crate::run::spillgate_with;

/// A listener with the filter in one of its forms.
fn listener(filter: &Value) -> Value {
    let router = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router";
    let manager = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
    json!({"name": "l", "filter_chains": [{"filters": [{"name": "m", "typed_config": {
        "@type": manager,
        "route_config": {"virtual_hosts": [{"name": "v", "domains": ["*"],
            "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "c"}}]}]},
        "http_filters": [
            {"name": "spillgate", "typed_config": filter},
            {"name": "router", "typed_config": {"@type": router}}],
    }}]}]})
}

fn wasm(config: &Value) -> Value {
    json!({
        "@type": "type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm",
        "config": {"configuration":
            {"@type": "type.googleapis.com/google.protobuf.Struct", "value": config}},
    })
}

fn native(config: &Value) -> Value {
    json!({
        "@type": "type.googleapis.com/envoy.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilter",
        "dynamic_module_config": {"name": "spillgate"},
        "filter_name": "spillgate",
        "filter_config": {"@type": "type.googleapis.com/google.protobuf.Struct", "value": config},
    })
}

/// A configuration of the filter with these criteria and clusters.
fn config(criteria: &Value, clusters: &Value) -> Value {
    json!({"clusters": clusters, "target": "c", "route_settings": true, "criteria": criteria,
        "health": {"source": "admin", "cluster": "admin"}})
}

/// The findings about the filter: severity and message.
fn found(filter: &Value) -> (i32, Vec<(String, String)>) {
    let text = listener(filter).to_string();
    let ran = spillgate_with(&["lint", "-", "--format", "json"], text.as_bytes());
    let findings: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
    let ours = findings
        .iter()
        .filter(|found| found["rule"] == "filter-rejected");
    let text = |found: &Value, name: &str| found[name].as_str().unwrap().to_owned();
    let rows = ours.map(|found| (text(found, "severity"), text(found, "message")));
    (ran.status, rows.collect())
}

#[test]
fn a_restriction_that_can_never_act_is_an_error() {
    let idle = config(
        &json!([{"key": "tenant", "header": "x-tenant"}]),
        &json!([{"name": "c"}]),
    );
    for form in [wasm, native] {
        let (status, rows) = found(&form(&idle));
        let [(severity, message)] = rows.as_slice() else {
            panic!("{rows:?}");
        };
        assert_eq!((status, severity.as_str()), (1, "error"));
        let reason = "config/no-effect: criteria: criterion restricts nothing; found \"tenant\", \
            expected subset_chain, or lb_subset_config for it in cluster c";
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn a_restriction_for_some_clusters_is_a_warning() {
    let subsets = json!({"subset_selectors": [{"keys": ["tenant"]}]});
    let clusters = json!([{"name": "c", "lb_subset_config": subsets}, {"name": "other"}]);
    let (status, rows) = found(&wasm(&config(
        &json!([{"route_metadata": true}]),
        &clusters,
    )));
    let [(severity, message)] = rows.as_slice() else {
        panic!("{rows:?}");
    };
    assert_eq!((status, severity.as_str()), (0, "warning"));
    assert!(
        message.starts_with("criterion restricts nothing"),
        "{message}"
    );
    let acting = config(&json!([{"route_metadata": true}]), &json!([clusters[0]]));
    assert_eq!(found(&wasm(&acting)), (0, Vec::new()));
}

/// The name of the plugin shows what it is, if a misspelled field hides what its configuration is about.
#[test]
fn a_filter_with_a_misspelled_target_is_rejected() {
    let misspelled = json!({"targt": "c", "health": {"source": "admin", "cluster": "admin"}});
    for (name, is_ours) in [("spillgate", true), ("other", false)] {
        let mut filter = wasm(&misspelled);
        filter["config"]["name"] = json!(name);
        let (_, findings) = found(&filter);
        assert_eq!(!findings.is_empty(), is_ours, "{findings:?}");
    }
}

#[test]
fn a_poller_with_a_misspelled_field_is_rejected() {
    for (field, is_right) in [("interval", true), ("intervall", false)] {
        let poll = json!({"poll": [{"cluster": "admin", "targets": ["c"], (field): "1s"}]});
        let extension = json!({
            "@type": "type.googleapis.com/envoy.extensions.wasm.v3.WasmService",
            "singleton": true,
            "config": {"name": "spillgate-poller", "configuration":
                {"@type": "type.googleapis.com/google.protobuf.Struct", "value": poll}},
        });
        let bootstrap = json!({
            "bootstrap_extensions": [{"name": "poller", "typed_config": extension}],
            "static_resources": {"clusters": [{"name": "c"}]},
        });
        let ran = spillgate_with(&["lint", "-"], bootstrap.to_string().as_bytes());
        assert_eq!(
            ran.stdout.contains("intervall"),
            !is_right,
            "{}",
            ran.stdout
        );
        assert_eq!(
            ran.stdout.contains("filter-rejected"),
            !is_right,
            "{}",
            ran.stdout
        );
    }
}
