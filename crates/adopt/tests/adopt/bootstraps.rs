//! The three kinds of bootstraps, in both forms.

use serde_json::json;
use spillgate_adopt::{EditText, adopt};
use spillgate_config::isolation::ListFallback;

use crate::common::{AGGREGATE, TENANTS, WEIGHTED, adopted, module, refused, wasm};

#[test]
fn a_weighted_split_becomes_the_target_with_the_same_weights() {
    for options in [wasm(), module()] {
        let (text, config) = adopted(WEIGHTED, &options);
        let weights = json!([{"cluster": "shop-blue", "weight": 90}, {"cluster": "shop-green", "weight": 10}]);
        assert_eq!(config["weighted"], weights);
        // Only the split of the route goes away.
        let gone = WEIGHTED
            .lines()
            .filter(|line| !text.lines().any(|new| new == *line));
        let gone: Vec<&str> = gone.map(str::trim).collect();
        let mut expected = vec![
            "weighted_clusters:",
            "clusters:",
            "- name: shop-blue",
            "weight: 90",
            "- name: shop-green",
            "weight: 10",
        ];
        if options.form == module().form {
            expected.push("common_lb_config: {healthy_panic_threshold: {value: 10}}");
        }
        let kept = ["clusters:", "- name: shop-blue", "- name: shop-green"];
        let gone: Vec<&&str> = gone.iter().filter(|line| !kept.contains(line)).collect();
        let expected: Vec<&&str> = expected
            .iter()
            .filter(|line| !kept.contains(line))
            .collect();
        assert_eq!(gone, expected);
    }
}

#[test]
fn an_aggregate_becomes_the_target() {
    for options in [wasm(), module()] {
        let (text, config) = adopted(AGGREGATE, &options);
        assert_eq!(config["target"], "shop");
        assert_eq!(
            config["clusters"][2]["cluster_type"]["typed_config"]["clusters"],
            json!(["shop-near", "shop-far"])
        );
        assert!(!text.contains("route: {cluster: shop,"), "{text}");
    }
    // The admin interface allows one more path, and no other.
    let (text, _) = adopted(AGGREGATE, &wasm());
    assert!(
        text.contains(
            r"allow_paths: [{exact: /ready}, {safe_regex: {regex: '/clusters(\?[^#]*)?'}}]"
        ),
        "{text}"
    );
}

#[test]
fn rules_of_header_to_metadata_become_criteria() {
    for options in [wasm(), module()] {
        let text = EditText::new(TENANTS.into()).unwrap();
        assert_eq!(
            adopt(&[text], &options).unwrap().fallback,
            Some(ListFallback::Isolation)
        );
        let (text, config) = adopted(TENANTS, &options);
        let criteria =
            json!([{"key": "tenant", "value": "none"}, {"key": "tenant", "header": "x-tenant"}]);
        assert_eq!(config["criteria"], criteria);
        // The filter reads the header before it is removed.
        assert!(
            text.find("name: spillgate\n").unwrap()
                < text
                    .find("name: envoy.filters.http.header_to_metadata")
                    .unwrap()
        );
    }
}

#[test]
fn sessions_of_envoy_are_carried_over_and_accepted() {
    let session = "http_filters:\n          - name: envoy.filters.http.stateful_session\n            typed_config:\n              \
        \"@type\": type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession\n              \
        session_state: {name: c, typed_config: {cookie: {name: sid, ttl: 120s}}}\n";
    let before = WEIGHTED.replace("http_filters:\n", session);
    for options in [wasm(), module()] {
        let (text, config) = adopted(&before, &options);
        assert_eq!(config["affinity"]["cookie"]["name"], "sid");
        assert_eq!(config["affinity"]["accept"], json!(["envoy_cookie"]));
        assert!(
            !text.contains("stateful_session") && !text.contains("secret"),
            "{text}"
        );
    }
}

#[test]
fn a_session_cookie_without_a_lifetime_is_carried_over() {
    let session = "http_filters:\n          - name: envoy.filters.http.stateful_session\n            typed_config:\n              \
        \"@type\": type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession\n              \
        session_state: {name: c, typed_config: {cookie: {name: sid}}}\n";
    let before = WEIGHTED.replace("http_filters:\n", session);
    let (_, config) = adopted(&before, &module());
    assert_eq!(config["affinity"]["cookie"]["ttl"], "0s");
    let off = before.replace("            typed_config:\n              \"@type\": type.googleapis.com/envoy.extensions.filters.http.stateful", "            disabled: true\n            typed_config:\n              \"@type\": type.googleapis.com/envoy.extensions.filters.http.stateful");
    let fault = refused(&off, &wasm());
    assert!(
        fault.contains("sessions of a filter that is off"),
        "{fault}"
    );
}

#[test]
fn what_cannot_be_carried_over_is_an_error_with_its_place() {
    let rds = WEIGHTED.replace("route_config:", "rds:");
    assert!(
        refused(&rds, &wasm()).starts_with("f.yaml:19:13: adopt/not-carried-over: "),
        "{}",
        refused(&rds, &wasm())
    );
    let shared = TENANTS.replace(
        "  clusters:\n",
        "  clusters:\n  - {name: log, type: STATIC, edf: {cluster: shop}}\n",
    );
    assert!(refused(&shared, &wasm()).contains("only serve requests that the filter steers"));
    let dns = TENANTS.replace("type: STATIC", "type: STRICT_DNS");
    assert!(refused(&dns, &wasm()).contains("use --form module"));
    let header = WEIGHTED.replace(
        "weight: 10\n",
        "weight: 10\n                      request_headers_to_remove: [a]\n",
    );
    assert!(refused(&header, &wasm()).contains("request_headers_to_remove of a weighted cluster"));
}
