//! Answers that depend on an address of the connection that nothing states.

use serde_json::{Value, json};

use crate::run::{scratch, spillgate, spillgate_with};

const TYPES: &str = "type.googleapis.com/envoy.extensions";

/// A listener at an address whose requests go to three hosts of a ring by this hash policy.
fn config(address: &str, route: &Value, manager: &Value) -> String {
    let mut manager = manager.clone();
    let own = json!({
        "@type": format!("{TYPES}.filters.network.http_connection_manager.v3.HttpConnectionManager"),
        "route_config": {"virtual_hosts": [{"name": "v", "domains": ["*"], "routes": [
            {"match": {"prefix": "/"}, "route": route},
        ]}]},
    });
    for (key, value) in own.as_object().unwrap() {
        manager[key] = value.clone();
    }
    let host = |number: u32| {
        let address = format!("10.0.0.{number}");
        json!({"endpoint": {"address": {"socket_address": {"address": address, "port_value": 80}}}})
    };
    let hosts: Vec<Value> = (1..=3).map(host).collect();
    let socket = json!({"socket_address": {"address": address, "port_value": 10000}});
    let listener = json!({
        "name": "l", "address": socket,
        "filter_chains": [{"filters": [{"name": "f", "typed_config": manager}]}],
    });
    let cluster = json!({
        "name": "ring", "lb_policy": "RING_HASH",
        "load_assignment": {"cluster_name": "ring", "endpoints": [{"lb_endpoints": hosts}]},
    });
    json!({"static_resources": {"listeners": [listener], "clusters": [cluster]}}).to_string()
}

/// A route with a hash policy, which retries once.
fn route(policy: Value) -> Value {
    let retry = json!({"retry_on": "connect-failure", "num_retries": 1});
    json!({"cluster": "ring", "hash_policy": [policy], "retry_policy": retry})
}

fn cookie() -> Value {
    route(json!({"cookie": {"name": "sid", "ttl": "0s"}}))
}

/// The row of `pick` for a request, and the addresses that it depends on.
fn picked(config: &str, request: &Value) -> (Value, Vec<String>) {
    let mut row = json!({"i": 0, "path": "/"});
    for (key, value) in request.as_object().unwrap() {
        row[key] = value.clone();
    }
    let rows = format!("{row}\n");
    let file = scratch("unstated").join(format!("{:x}.json", key(config)));
    std::fs::write(&file, config).unwrap();
    let ran = spillgate_with(&["pick", file.to_str().unwrap(), "-"], rows.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let depends = answer["depends_on"].as_array().cloned();
    let text = |one: &Value| {
        let whole = one.as_str().unwrap();
        whole.split([':', ',']).next().unwrap().to_owned()
    };
    let depends = depends.unwrap_or_default().iter().map(text).collect();
    (answer, depends)
}

fn key(text: &str) -> u64 {
    spillgate_core::hash::xxh64(text.as_bytes(), 0)
}

fn hosts(answer: &Value) -> usize {
    match &answer["distribution"] {
        Value::Array(several) => several.len(),
        _ => usize::from(answer["endpoint"].is_string()),
    }
}

#[test]
fn a_generated_cookie_depends_on_the_whole_connection() {
    let any = config("0.0.0.0", &cookie(), &json!({}));
    let bound = config("10.9.9.9", &cookie(), &json!({}));
    let source = json!({"source": "10.1.1.1:4000"});
    let both = json!({"source": "10.1.1.1:4000", "local": "10.9.9.9:10000"});
    let kept = json!({"headers": [["cookie", "sid=1"]]});
    for (config, request, number, depends) in [
        (&any, &json!({}), 3, &["the client's port"][..]),
        (&any, &source, 1, &["the proxy's address"]),
        (&bound, &source, 1, &[]),
        (&any, &both, 1, &[]),
        (&any, &kept, 1, &[]),
    ] {
        let (answer, found) = picked(config, request);
        assert_eq!(hosts(&answer), number, "{request}");
        assert_eq!(found, depends, "{request}");
    }
    let (on_bound, _) = picked(&bound, &source);
    assert_eq!(on_bound["endpoint"], picked(&any, &both).0["endpoint"]);
}

#[test]
fn connections_without_a_stated_port_share_hosts_as_the_ring_does() {
    let any = config("0.0.0.0", &cookie(), &json!({}));
    let shares = |request: &Value| {
        let (answer, _) = picked(&any, request);
        let of = |one: &Value| (one["endpoint"].clone(), one["share"].as_f64().unwrap());
        let all = answer["distribution"].as_array().unwrap().iter();
        all.map(of).collect::<Vec<_>>()
    };
    let exact = shares(&json!({}));
    let mut rows = String::new();
    for port in 10_000..30_000 {
        let source = format!("10.1.1.1:{port}");
        let row = json!({"i": port, "path": "/", "source": source, "local": "10.9.9.9:10000"});
        rows.push_str(&format!("{row}\n"));
    }
    let file = scratch("unstated").join("ports.json");
    std::fs::write(&file, &any).unwrap();
    let ran = spillgate_with(&["pick", file.to_str().unwrap(), "-"], rows.as_bytes());
    for (host, share) in exact {
        let host = format!("\"endpoint\":{host}");
        let count = ran
            .stdout
            .lines()
            .filter(|line| line.contains(&host))
            .count();
        let found = count as f64 / 200.0;
        assert!((found - share).abs() < 1.5, "{host}: {found} of {share}");
    }
}

#[test]
fn a_hashed_source_address_is_assumed() {
    let route = route(json!({"connection_properties": {"source_ip": true}}));
    let plain = config("0.0.0.0", &route, &json!({}));
    let (answer, depends) = picked(&plain, &json!({}));
    assert_eq!(
        (hosts(&answer), depends.as_slice()),
        (1, &["the client's address".to_owned()][..])
    );
    let text = answer["depends_on"][0].as_str().unwrap();
    assert!(text.contains("127.0.0.1:40000 is assumed"), "{text}");
    assert!(
        picked(&plain, &json!({"source": "10.1.1.1:4000"}))
            .1
            .is_empty()
    );
    // The header of a trusted proxy states it.
    let trusting = config(
        "0.0.0.0",
        &route,
        &json!({"use_remote_address": true, "xff_num_trusted_hops": 1}),
    );
    let forwarded = json!({"headers": [["x-forwarded-for", "10.7.7.7, 10.8.8.8"]]});
    assert!(picked(&trusting, &forwarded).1.is_empty());
}

#[test]
fn a_header_that_envoy_makes_from_the_address_is_assumed() {
    let route = route(json!({"header": {"header_name": "x-envoy-external-address"}}));
    let edge = config("0.0.0.0", &route, &json!({"use_remote_address": true}));
    let (_, depends) = picked(&edge, &json!({}));
    assert_eq!(depends, ["the client's address"]);
    assert!(
        picked(&edge, &json!({"source": "203.0.113.5:4000"}))
            .1
            .is_empty()
    );
    let unread = self::route(json!({"header": {"header_name": "x-user"}}));
    let unread = config("0.0.0.0", &unread, &json!({"use_remote_address": true}));
    assert!(picked(&unread, &json!({})).1.is_empty());
}

#[test]
fn a_header_that_only_another_route_reads_does_not_decide() {
    let route = route(json!({"header": {"header_name": "x-envoy-external-address"}}));
    let edge = config("0.0.0.0", &route, &json!({"use_remote_address": true}));
    let mut edge: Value = serde_json::from_str(&edge).unwrap();
    let manager = &mut edge["static_resources"]["listeners"][0]["filter_chains"][0]["filters"][0]["typed_config"];
    let other = json!({"match": {"prefix": "/other"}, "route": {"cluster": "ring"}});
    let routes = &mut manager["route_config"]["virtual_hosts"][0]["routes"];
    routes.as_array_mut().unwrap().insert(0, other);
    let edge = edge.to_string();
    assert_eq!(picked(&edge, &json!({})).1.len(), 1);
    assert!(picked(&edge, &json!({"path": "/other"})).1.is_empty());
}

#[test]
fn a_source_address_that_chooses_the_weighted_cluster_is_assumed() {
    let weighted = |use_hash_policy: bool| {
        let clusters = json!([{"name": "ring", "weight": 1}, {"name": "ring", "weight": 2}]);
        let weighted = json!({"clusters": clusters, "use_hash_policy": use_hash_policy});
        let policies = json!([
            {"connection_properties": {"source_ip": true}},
            {"cookie": {"name": "sid", "ttl": "0s"}},
        ]);
        let route = json!({"weighted_clusters": weighted, "hash_policy": policies});
        config("0.0.0.0", &route, &json!({})).replace("RING_HASH", "ROUND_ROBIN")
    };
    assert_eq!(
        picked(&weighted(true), &json!({})).1,
        ["the client's address"]
    );
    assert!(
        picked(&weighted(true), &json!({"source": "10.1.1.1:4000"}))
            .1
            .is_empty()
    );
    assert!(picked(&weighted(false), &json!({})).1.is_empty());
}

#[test]
fn retries_of_a_request_with_a_generated_cookie_are_unknown() {
    let any = config("0.0.0.0", &cookie(), &json!({}));
    let retry = json!({"attempt": 1, "tried": ["10.0.0.1:80"]});
    let (answer, _) = picked(&any, &retry);
    let why = answer["unknown"].as_str().unwrap();
    assert!(why.contains("source is not stated"), "{why}");
    let file = scratch("unstated").join("explained.json");
    std::fs::write(&file, any).unwrap();
    let file = file.to_str().unwrap();
    let of = |more: &[&str]| spillgate(&[&["explain", file][..], more].concat());
    let ran = of(&["--attempt", "1"]);
    assert!(
        ran.stdout
            .starts_with("GET localhost/ -> unknown (cluster ring: Envoy makes"),
        "{}",
        ran.stdout
    );
    let ran = of(&["--failed", "host=10.0.0.1:80"]);
    assert!(
        ran.status == 2 && ran.stderr.contains("failed/unstated"),
        "{}",
        ran.stderr
    );
    let stated = of(&["--failed", "host=10.0.0.1:80", "--source", "10.1.1.1:4000"]);
    assert!(stated.stdout.contains("in total"), "{}", stated.stdout);
}

#[test]
fn an_explanation_names_the_address_that_decides() {
    let file = scratch("unstated").join("story.json");
    std::fs::write(&file, config("0.0.0.0", &cookie(), &json!({}))).unwrap();
    let file = file.to_str().unwrap();
    let ran = spillgate(&["explain", file]);
    assert!(
        ran.stdout
            .contains("random, with seed 0\ndepends on: the client's port: Envoy makes"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("Possible outcomes:"), "{}", ran.stdout);
    let json = spillgate(&["explain", file, "--format", "json"]);
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["depends_on"].as_array().unwrap().len(), 1);
    assert_eq!(json["distribution"].as_array().unwrap().len(), 3);
}
