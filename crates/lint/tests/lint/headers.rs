//! Filters and settings that remove a client header, and those that do not.

use serde_json::{Value, json};

use crate::common::{lint_json, rules, vectors};

const OVERRIDE: &str = "override-host-untrusted-header";
const HEADER: &str = "x-gateway-destination-endpoint";
const FILTERS: &str =
    "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/http_filters";
const ROUTES: &str =
    "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/route_config";
const HTTP: &str = "type.googleapis.com/envoy.extensions.filters.http.";

/// The vector of the rule, changed.
fn flagged(change: impl FnOnce(&mut Value)) -> bool {
    let vector = vectors()
        .into_iter()
        .find(|vector| vector.rule == OVERRIDE)
        .unwrap();
    let mut config = vector.json().unwrap();
    change(&mut config);
    rules(&lint_json(&config)).contains(&OVERRIDE)
}

fn with_filter(filter: Value) -> bool {
    flagged(|config| {
        let filters = config.pointer_mut(FILTERS).unwrap();
        filters.as_array_mut().unwrap().insert(0, filter);
    })
}

fn filter(type_name: &str, mut config: Value) -> Value {
    config["@type"] = json!(format!("{HTTP}{type_name}"));
    json!({"name": type_name.split('.').next().unwrap(), "typed_config": config})
}

fn mutation(mutation: Value) -> Value {
    filter(
        "header_mutation.v3.HeaderMutation",
        json!({"mutations": {"request_mutations": [mutation]}}),
    )
}

fn wasm(configuration: &str) -> Value {
    filter(
        "wasm.v3.Wasm",
        json!({"config": {"configuration": {
            "@type": "type.googleapis.com/google.protobuf.StringValue",
            "value": configuration,
        }}}),
    )
}

#[test]
fn removing_or_overwriting_protects() {
    assert!(flagged(|_| {}));
    assert!(!with_filter(mutation(
        json!({"remove": "X-Gateway-Destination-Endpoint"})
    )));
    let append = |action: &str| {
        mutation(json!({"append": {
            "header": {"key": HEADER, "value": "10.0.0.1:80"},
            "append_action": action,
        }}))
    };
    assert!(!with_filter(append("OVERWRITE_IF_EXISTS_OR_ADD")));
    assert!(with_filter(append("ADD_IF_ABSENT")));
    assert!(with_filter(mutation(json!({"remove": "x-other"}))));
}

#[test]
fn our_filter_protects_its_own_and_reserved_headers() {
    let reserving =
        r#"{"clusters":[],"target":"c","reserved_headers":["x-gateway-destination-endpoint"]}"#;
    assert!(!with_filter(wasm(reserving)));
    let sending = r#"{"target":"c","output":{"host_header":"x-gateway-destination-endpoint"}}"#;
    assert!(!with_filter(wasm(sending)));
    assert!(with_filter(wasm(r#"{"clusters":[],"target":"c"}"#)));
    assert!(with_filter(wasm(r#"{"some":"other filter"}"#)));
    let structured = filter(
        "wasm.v3.Wasm",
        json!({"config": {"configuration": {
            "@type": "type.googleapis.com/google.protobuf.Struct",
            "value": {"target": "c", "output": {"host_header": HEADER}},
        }}}),
    );
    assert!(!with_filter(structured));
}

#[test]
fn a_filter_with_unknown_effect_is_trusted() {
    assert!(!with_filter(filter(
        "ext_proc.v3.ExternalProcessor",
        json!({})
    )));
    assert!(with_filter(filter("cors.v3.Cors", json!({}))));
    let mut disabled = filter("ext_proc.v3.ExternalProcessor", json!({}));
    disabled["disabled"] = json!(true);
    assert!(with_filter(disabled));
}

#[test]
fn routes_remove_headers() {
    assert!(!flagged(|config| {
        config.pointer_mut(ROUTES).unwrap()["virtual_hosts"][0]["request_headers_to_remove"] =
            json!([HEADER]);
    }));
    assert!(!flagged(|config| {
        config.pointer_mut(ROUTES).unwrap()["internal_only_headers"] = json!([HEADER]);
    }));
}

/// A second listener in front of the first one.
fn behind(removes: bool) -> bool {
    flagged(|config| {
        let mut outer = config
            .pointer("/static_resources/listeners/0")
            .unwrap()
            .clone();
        outer["name"] = json!("outer");
        outer["address"]["socket_address"]["port_value"] = json!(28021);
        let routes = outer.pointer_mut(
            "/filter_chains/0/filters/0/typed_config/route_config/virtual_hosts/0/routes",
        );
        let route = &mut routes.unwrap()[0];
        route["route"]["cluster"] = json!("inner");
        if removes {
            route["request_headers_to_remove"] = json!([HEADER]);
        }
        let inner = json!({
            "name": "inner", "type": "STATIC", "connect_timeout": "1s",
            "load_assignment": {"cluster_name": "inner", "endpoints": [{"lb_endpoints": [{
                "endpoint": {"address": {"socket_address": {"address": "127.0.0.1", "port_value": 28020}}},
            }]}]},
        });
        let resources = &mut config["static_resources"];
        resources["listeners"].as_array_mut().unwrap().push(outer);
        resources["clusters"].as_array_mut().unwrap().push(inner);
    })
}

#[test]
fn a_listener_in_front_protects_when_it_removes_the_header() {
    assert!(!behind(true));
    assert!(behind(false));
}

#[test]
fn metadata_that_comes_from_a_header_is_as_bad_as_the_header() {
    let through = |protect: bool| {
        flagged(|config| {
            let source = "/static_resources/clusters/0/load_balancing_policy/policies/0/typed_extension_config/typed_config/override_host_sources/0";
            *config.pointer_mut(source).unwrap() =
                json!({"metadata": {"key": "spillgate", "path": [{"key": "host"}]}});
            let filters = config.pointer_mut(FILTERS).unwrap().as_array_mut().unwrap();
            filters.insert(
                0,
                filter(
                    "header_to_metadata.v3.Config",
                    json!({"request_rules": [{
                        "header": HEADER,
                        "on_header_present": {"metadata_namespace": "spillgate", "key": "host"},
                        "remove": true,
                    }]}),
                ),
            );
            if protect {
                filters.insert(0, mutation(json!({"remove": HEADER})));
            }
        })
    };
    assert!(through(false));
    assert!(!through(true));
}
