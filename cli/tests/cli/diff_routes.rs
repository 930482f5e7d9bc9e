//! What `spillgate diff` says about requests whose route leads elsewhere.

use std::fs;

use serde_json::{Value, json};

use crate::diff::diff;
use crate::run::{Ran, scratch};

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
        "listeners": [{
            "name": "web",
            "address": {"socket_address": {"address": "127.0.0.1", "port_value": 8080}},
            "filter_chains": [{"filters": [{"name": "http", "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
                "stat_prefix": "web",
                "http_filters": [{
                    "name": "router",
                    "typed_config": {"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"},
                }],
                "route_config": {"validate_clusters": false, "virtual_hosts": [{
                    "name": "shop", "domains": ["*"], "routes": [route],
                }]},
            }}]}],
        }],
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
    let folder = scratch(&format!("diff_routes_{name}"));
    let old = to(&json!({"cluster": "shop"}));
    for (file, route) in [("old.json", &old), ("new.json", new)] {
        fs::write(folder.join(file), config(route).to_string()).unwrap();
    }
    let files = ["old.json", "new.json"].map(|file| folder.join(file).display().to_string());
    diff(&[files[0].as_str(), &files[1], "--expect", expect])
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

/// A status below 500 is an answer that the route intends.
#[test]
fn a_redirect_is_no_503() {
    let route = json!({"match": {"prefix": "/"}, "direct_response": {"status": 404}});
    let ran = change("404", &route, "no new 503");
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}
