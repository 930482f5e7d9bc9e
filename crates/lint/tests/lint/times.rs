//! Times that a configuration determines: the near misses of each rule.

use serde_json::{Value, json};

use crate::common::changed::{cluster, entries, findings, flagged};

/// Sets fields of the first health check of the first cluster.
fn check(fields: Value) -> impl FnOnce(&mut Value) {
    move |config| set(&mut cluster(config)["health_checks"][0], fields)
}

fn set(message: &mut Value, fields: Value) {
    for (name, value) in fields.as_object().unwrap() {
        message[name] = value.clone();
    }
}

/// The effect in the only finding.
fn effect(rule: &str, change: impl FnOnce(&mut Value)) -> String {
    let found = findings(rule, change);
    assert_eq!(found.len(), 1, "{found:#?}");
    found[0].effect.clone()
}

#[test]
fn a_threshold_of_zero_is_never_reached() {
    let rule = "health-check-threshold-zero";
    let of = |unhealthy: u32, healthy: u32| {
        check(json!({"unhealthy_threshold": unhealthy, "healthy_threshold": healthy}))
    };
    assert_eq!(findings(rule, of(0, 0)).len(), 2);
    assert!(effect(rule, of(1, 0)).contains("never becomes healthy again"));
    assert!(!flagged(rule, of(1, 1)));
    // Envoy rejects a check without a threshold.
    assert!(!flagged(rule, |config| {
        let check = cluster(config)["health_checks"][0].as_object_mut();
        check.unwrap().remove("healthy_threshold");
    }));
}

#[test]
fn a_single_result_decides_with_both_thresholds_of_one() {
    let rule = "health-check-single-result";
    assert!(!flagged(rule, check(json!({"unhealthy_threshold": 2}))));
    assert!(!flagged(rule, check(json!({"healthy_threshold": 2}))));
    // A single host has no other one that could take its requests.
    let truncate = |config: &mut Value, hosts: usize| {
        let endpoints = entries(config)[0]["lb_endpoints"].as_array_mut();
        endpoints.unwrap().truncate(hosts);
    };
    assert!(!flagged(rule, |config| truncate(config, 1)));
    assert!(flagged(rule, |config| truncate(config, 2)));
    // The addresses of a name are not known.
    let named = |config: &mut Value| {
        truncate(config, 1);
        cluster(config)["type"] = json!("STRICT_DNS");
        let host = &mut entries(config)[0]["lb_endpoints"][0]["endpoint"];
        host["address"]["socket_address"]["address"] = json!("shop.example");
    };
    assert!(flagged(rule, named));
    assert!(!flagged(rule, |config| {
        named(config);
        cluster(config)["type"] = json!("LOGICAL_DNS");
    }));
}
