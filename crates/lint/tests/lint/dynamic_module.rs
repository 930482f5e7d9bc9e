//! Clusters of the dynamic module, close to a fault.

use serde_json::{Value, json};

use crate::common::{lint_json, rules, vectors};

const NO_POLICY: &str = "dynamic-module-policy-missing";
const LIST_IGNORED: &str = "dynamic-module-list-ignored";
const STATUS: &str = "dynamic-module-status-unlisted";

/// The rules that report the vector of a rule after a change.
fn found(rule: &str, change: impl FnOnce(&mut Value)) -> Vec<&'static str> {
    let vector = vectors().into_iter().find(|vector| vector.rule == rule);
    let mut bootstrap = vector.unwrap().json().unwrap();
    change(&mut bootstrap);
    rules(&lint_json(&bootstrap))
}

fn manager(bootstrap: &mut Value) -> &mut Value {
    let manager = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config";
    bootstrap.pointer_mut(manager).unwrap()
}

/// The configuration of the filter.
fn filter(bootstrap: &mut Value) -> &mut Value {
    let value = "/http_filters/0/typed_config/filter_config/value";
    manager(bootstrap).pointer_mut(value).unwrap()
}

fn cluster(bootstrap: &mut Value) -> &mut Value {
    &mut bootstrap["static_resources"]["clusters"][0]
}

/// `override_host` around the cluster's policy.
fn with_source(bootstrap: &mut Value, source: &Value) {
    let policy = cluster(bootstrap)["load_balancing_policy"].take();
    cluster(bootstrap)["load_balancing_policy"] = json!({"policies": [{"typed_extension_config": {
        "name": "list",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost",
            "override_host_sources": [source],
            "fallback_policy": policy,
        },
    }}]});
}

#[test]
fn clusters_of_which_the_filter_chooses_hosts_need_the_policy() {
    assert_eq!(found(NO_POLICY, |_| {}), [NO_POLICY]);
    let other = |bootstrap: &mut Value| filter(bootstrap)["clusters"] = json!([{"name": "other"}]);
    assert!(found(NO_POLICY, other).is_empty());
    let disabled = |bootstrap: &mut Value| {
        let config = "type.googleapis.com/envoy.config.route.v3.FilterConfig";
        let route = "/route_config/virtual_hosts/0/routes/0";
        manager(bootstrap).pointer_mut(route).unwrap()["typed_per_filter_config"] =
            json!({"spillgate": {"@type": config, "disabled": true}});
    };
    assert!(found(NO_POLICY, disabled).is_empty());
    // The policy of another module publishes nothing.
    let foreign = |bootstrap: &mut Value| {
        let policy = "/load_balancing_policy/policies/0/typed_extension_config/typed_config";
        let policy = cluster(bootstrap).pointer_mut(policy).unwrap();
        policy["dynamic_module_config"]["name"] = json!("other");
    };
    assert_eq!(found(LIST_IGNORED, foreign), [NO_POLICY]);
}

#[test]
fn a_list_needs_override_host_with_its_metadata() {
    assert_eq!(found(LIST_IGNORED, |_| {}), [LIST_IGNORED]);
    // The default is a list of three.
    let default = |bootstrap: &mut Value| filter(bootstrap)["output"] = json!({});
    assert_eq!(found(LIST_IGNORED, default), [LIST_IGNORED]);
    let single = |bootstrap: &mut Value| filter(bootstrap)["output"] = json!({"candidates": 1});
    assert!(found(LIST_IGNORED, single).is_empty());
    let with = |key: &'static str| {
        found(LIST_IGNORED, move |bootstrap| {
            let source = json!({"metadata": {"key": "spillgate", "path": [{"key": key}]}});
            with_source(bootstrap, &source);
        })
    };
    assert!(with("host").is_empty());
    assert_eq!(with("hosts"), [LIST_IGNORED]);
}

#[test]
fn a_single_host_needs_all_statuses() {
    assert_eq!(found(STATUS, |_| {}), [STATUS]);
    let list = |bootstrap: &mut Value| filter(bootstrap)["output"] = json!({"candidates": 2});
    assert_eq!(found(STATUS, list), [LIST_IGNORED]);
    let stated = |statuses: Value| {
        found(STATUS, move |bootstrap| {
            cluster(bootstrap)["common_lb_config"] =
                json!({"override_host_status": {"statuses": statuses}});
        })
    };
    let mut all = vec![
        "UNKNOWN",
        "HEALTHY",
        "UNHEALTHY",
        "DRAINING",
        "TIMEOUT",
        "DEGRADED",
    ];
    assert!(stated(json!(all)).is_empty());
    all.pop();
    assert_eq!(stated(json!(all)), [STATUS]);
}
