//! What `spillgate diff` says about requests whose route leads elsewhere.

use serde_json::{Value, json};

use crate::diff::{diff_of, web};
use crate::run::Ran;

/// A cluster with the subsets of `version`, all of whose hosts are `v1`.
fn cluster(name: &str, fallback: &str, hosts: &[(&str, &str)]) -> Value {
    let endpoints = hosts.iter().map(|(address, health)| {
        let address = json!({"socket_address": {"address": address, "port_value": 80}});
        json!({
            "health_status": health,
            "endpoint": {"address": address},
            "metadata": {"filter_metadata": {"envoy.lb": {"version": "v1"}}},
        })
    });
    json!({
        "name": name,
        "lb_subset_config": {"fallback_policy": fallback, "subset_selectors": [{"keys": ["version"]}]},
        "common_lb_config": {"healthy_panic_threshold": {"value": 0}},
        "load_assignment": {
            "cluster_name": name,
            "endpoints": [{"lb_endpoints": endpoints.collect::<Value>()}],
        },
    })
}

/// A listener with one route and the clusters `shop`, `strict`, `empty`, `dead` and `panicking`.
fn config(route: &Value) -> Value {
    let mut panicking = cluster(
        "panicking",
        "ANY_ENDPOINT",
        &[("10.0.2.1", "HEALTHY"), ("10.0.2.2", "UNHEALTHY")],
    );
    panicking["common_lb_config"] = json!({"healthy_panic_threshold": {"value": 90}});
    json!({"static_resources": {
        "listeners": [web(&json!({"validate_clusters": false, "virtual_hosts": [{
            "name": "shop", "domains": ["*"], "routes": [route],
        }]}))],
        "clusters": [
            cluster("shop", "ANY_ENDPOINT", &[("10.0.0.1", "HEALTHY"), ("10.0.0.2", "HEALTHY")]),
            cluster("strict", "NO_FALLBACK", &[("10.0.0.1", "HEALTHY"), ("10.0.0.2", "HEALTHY")]),
            cluster("empty", "ANY_ENDPOINT", &[]),
            cluster("dead", "ANY_ENDPOINT", &[("10.0.1.1", "UNHEALTHY")]),
            panicking,
        ],
    }})
}

fn to(target: &Value) -> Value {
    json!({"match": {"prefix": "/"}, "route": target})
}

fn change(name: &str, new: &Value, expect: &str) -> Ran {
    between(name, [&to(&json!({"cluster": "shop"})), new], expect)
}

fn between(name: &str, routes: [&Value; 2], expect: &str) -> Ran {
    let [old, new] = routes.map(config);
    let folder = format!("diff_routes_{name}");
    diff_of(&folder, [&old, &new], &["--expect", expect])
}

#[test]
fn requests_that_now_find_no_host_are_new_503() {
    let weighted = json!({"weighted_clusters": {"clusters": [
        {"name": "shop", "weight": 3}, {"name": "empty", "weight": 1},
    ]}});
    let subset = json!({"cluster": "strict", "metadata_match": {
        "filter_metadata": {"envoy.lb": {"version": "v2"}},
    }});
    for (name, route, value) in [
        ("empty", to(&json!({"cluster": "empty"})), "100"),
        ("dead", to(&json!({"cluster": "dead"})), "100"),
        ("unknown", to(&json!({"cluster": "other"})), "100"),
        ("weighted", to(&weighted), "25"),
        ("subset", to(&subset), "100"),
        (
            "response",
            json!({"match": {"prefix": "/"}, "direct_response": {"status": 503}}),
            "100",
        ),
    ] {
        let ran = change(name, &route, "no new 503");
        assert_eq!(ran.status, 1, "{name}: {}", ran.stdout);
        let line = format!("FAILS no new 503: {value} (route * /*)");
        assert!(ran.stdout.contains(&line), "{name}: {}", ran.stdout);
        let row = format!("0 % -> {value} %");
        assert!(ran.stdout.contains(&row), "{name}: {}", ran.stdout);
    }
}

#[test]
fn requests_that_now_reach_panic_mode_are_new_panic() {
    let route = to(&json!({"cluster": "panicking"}));
    let ran = change("panic", &route, "no new panic");
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("panic mode begins  panicking P0"),
        "{}",
        ran.stdout
    );
}

#[test]
fn requests_of_another_route_move() {
    let half = json!({"weighted_clusters": {"clusters": [
        {"name": "shop", "weight": 1}, {"name": "panicking", "weight": 1},
    ]}});
    let ran = change("moved", &to(&half), "moved <= 10%");
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("FAILS moved <= 10%: 50"),
        "{}",
        ran.stdout
    );
}

/// Answers below 500 of Envoy are a place where requests move to and from.
#[test]
fn a_route_instead_of_an_answer_moves_all_requests() {
    let answered = json!({"match": {"prefix": "/"}, "direct_response": {"status": 404}});
    let served = to(&json!({"cluster": "shop"}));
    for (name, routes) in [
        ("served", [&answered, &served]),
        ("answered", [&served, &answered]),
    ] {
        let ran = between(name, routes, "moved <= 60%");
        assert_eq!(ran.status, 1, "{}", ran.stdout);
        assert!(
            ran.stdout.contains("FAILS moved <= 60%: 100"),
            "{}",
            ran.stdout
        );
    }
}

/// A status below 500 is an answer that the route intends.
#[test]
fn a_redirect_is_no_503() {
    let route = json!({"match": {"prefix": "/"}, "direct_response": {"status": 404}});
    let ran = change("404", &route, "no new 503");
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}
