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

/// The route is the same text, and its cluster exists on one side only.
#[test]
fn a_route_to_a_cluster_that_only_one_side_has_differs() {
    let with = config(&to(&json!({"cluster": "shop"})));
    let mut without = with.clone();
    let clusters = without["static_resources"]["clusters"].as_array_mut();
    clusters.unwrap().retain(|of| of["name"] != "shop");
    let served = "cluster shop";
    let missing = "missing cluster shop (503)";
    for (name, sides, row, status) in [
        ("gone", [&with, &without], [served, missing], 1),
        ("new", [&without, &with], [missing, served], 0),
    ] {
        let ran = diff_of(
            &format!("diff_routes_cluster_{name}"),
            sides,
            &["--expect", "no new 503"],
        );
        assert_eq!(ran.status, status, "{}", ran.stdout);
        ran.assert_output_has(&format!("route * /*: {} -> {}", row[0], row[1]));
        ran.assert_output_has("0 listeners");
    }
}

/// The commands of an example have a connection that the filter chain serves.
#[test]
fn the_commands_of_a_route_reach_its_filter_chain() {
    let chain = |condition: &Value, cluster: &str| {
        let mut chain = web(&json!({"virtual_hosts": [{
            "name": "shop", "domains": ["*"], "routes": [to(&json!({"cluster": cluster}))],
        }]}))["filter_chains"][0]
            .clone();
        chain["filter_chain_match"] = condition.clone();
        chain
    };
    let inspector = json!([{
        "name": "tls",
        "typed_config": {"@type": "type.googleapis.com/envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector"},
    }]);
    let first = json!({"server_names": ["a.example"]});
    for (number, (condition, inspects, options)) in [
        (
            json!({"server_names": ["*.b.example"]}),
            true,
            "--sni www.b.example",
        ),
        (
            json!({"server_names": ["b.example"], "application_protocols": ["h2"]}),
            true,
            "--sni b.example --alpn h2",
        ),
        (json!({"transport_protocol": "raw_buffer"}), true, "--sni -"),
        (
            json!({"source_prefix_ranges": [{"address_prefix": "10.1.2.3", "prefix_len": 8}]}),
            true,
            "--sni - --source 10.0.0.1:40000",
        ),
        (
            json!({"destination_port": 8443}),
            true,
            "--local 127.0.0.1:8443",
        ),
        (json!({}), false, ""),
    ]
    .into_iter()
    .enumerate()
    {
        let mut old = config(&to(&json!({"cluster": "shop"})));
        let listener = &mut old["static_resources"]["listeners"][0];
        listener["filter_chains"] = json!([chain(&first, "shop"), chain(&condition, "shop")]);
        if inspects {
            listener["listener_filters"] = inspector.clone();
        }
        let mut new = old.clone();
        new["static_resources"]["listeners"][0]["filter_chains"][1] = chain(&condition, "strict");
        let ran = diff_of(&format!("diff_routes_chain_{number}"), [&old, &new], &[]);
        ran.assert_output_has("(listener web, filter chain with");
        let command = ran
            .stdout
            .lines()
            .rfind(|line| line.contains("spillgate explain"));
        let command = command.expect("an example").trim();
        assert!(
            command.ends_with(format!("--listener web {options}").trim()),
            "{}",
            ran.stdout
        );
        let arguments: Vec<&str> = command.split(' ').skip(1).collect();
        let explained = crate::run::spillgate(&arguments);
        explained.assert_output_has("strict");
        assert!(
            !explained.stdout.contains("do not decide"),
            "{}",
            explained.stdout
        );
    }
}
