//! What load balancers know of requests of each proxy filter, as measured on Envoy 1.40.0.

use serde_json::{Value, json};

use crate::run::{scratch, spillgate_with};

const EXTENSIONS: &str = "type.googleapis.com/envoy.extensions";

/// A bootstrap with one listener that sends everything to a cluster: `ring` with a hash policy of its own,
/// `aggregate` and `composite` with that member.
fn bootstrap(proxy: &str, to: &str, hash_policy: &Value) -> String {
    let filter = match proxy {
        "http" => json!({
            "@type": format!("{EXTENSIONS}.filters.network.http_connection_manager.v3.HttpConnectionManager"),
            "stat_prefix": "p",
            "route_config": {"virtual_hosts": [{
                "name": "v", "domains": ["*"],
                "routes": [{"match": {"prefix": "/"}, "route": {"cluster": to}}],
            }]},
        }),
        "tcp" => json!({
            "@type": format!("{EXTENSIONS}.filters.network.tcp_proxy.v3.TcpProxy"),
            "stat_prefix": "p", "cluster": to,
        }),
        _ => json!({
            "@type": format!("{EXTENSIONS}.filters.network.redis_proxy.v3.RedisProxy"),
            "stat_prefix": "p", "settings": {"op_timeout": "1s"},
            "prefix_routes": {"catch_all_route": {"cluster": to}},
        }),
    };
    let host = |last: u8| {
        json!({"endpoint": {"address": {"socket_address": {
            "address": format!("10.0.0.{last}"), "port_value": 80,
        }}}})
    };
    let ring = json!({
        "name": "ring",
        "load_assignment": {"cluster_name": "ring", "endpoints": [
            {"lb_endpoints": (1..=6).map(host).collect::<Vec<_>>()},
        ]},
        "load_balancing_policy": {"policies": [{"typed_extension_config": {"name": "p", "typed_config": {
            "@type": format!("{EXTENSIONS}.load_balancing_policies.ring_hash.v3.RingHash"),
            "consistent_hashing_lb_config": {"hash_policy": [hash_policy]},
        }}}]},
    });
    let group = |kind: &str, member: Value| {
        json!({
            "name": kind, "lb_policy": "CLUSTER_PROVIDED",
            "cluster_type": {"name": kind, "typed_config": {
                "@type": format!("{EXTENSIONS}.clusters.{kind}.v3.ClusterConfig"), "clusters": [member],
            }},
        })
    };
    let clusters = [
        ring,
        group("aggregate", json!("ring")),
        group("composite", json!({"name": "ring"})),
    ];
    let listener = json!({
        "name": "l",
        "address": {"socket_address": {"address": "127.0.0.1", "port_value": 10000}},
        "filter_chains": [{"filters": [{"name": "f", "typed_config": filter}]}],
    });
    json!({"static_resources": {"listeners": [listener], "clusters": clusters}}).to_string()
}

/// The number of hosts that the request can get.
fn hosts(proxy: &str, to: &str, hash_policy: &Value) -> usize {
    let answer = pick(proxy, to, &bootstrap(proxy, to, hash_policy));
    match &answer["distribution"] {
        Value::Array(several) => several.len(),
        _ => usize::from(answer["endpoint"].is_string()),
    }
}

/// The answer to one request.
fn pick(proxy: &str, name: &str, bootstrap: &str) -> Value {
    let folder = scratch(&format!("proxy-filters-{proxy}-{name}"));
    let config = folder.join("envoy.json");
    std::fs::write(&config, bootstrap).unwrap();
    let row = match proxy {
        "http" => json!({
            "i": 1, "path": "/", "source": "10.1.1.1:4000",
            "headers": [["x-user", "ann"], ["cookie", "u=1"]],
        }),
        "tcp" => json!({"i": 1, "source": "10.1.1.1:4000"}),
        _ => json!({"i": 1, "key": "ann"}),
    };
    let rows = row.to_string() + "\n";
    let ran = spillgate_with(&["pick", config.to_str().unwrap(), "-"], rows.as_bytes());
    serde_json::from_str(ran.stdout.trim()).unwrap()
}

#[test]
fn a_policys_own_hash_reads_what_the_proxy_passes_on() {
    let header = json!({"header": {"header_name": "x-user"}});
    let source = json!({"connection_properties": {"source_ip": true}});
    let sent = json!({"cookie": {"name": "u", "ttl": "5s"}});
    let generated = json!({"cookie": {"name": "other", "ttl": "5s"}});
    let policies = [&header, &source, &sent, &generated];
    for (proxy, to, expected) in [
        ("http", "ring", [1, 1, 1, 1]),
        ("http", "composite", [1, 1, 1, 1]),
        // The members of an aggregate cluster see the headers, not the connection.
        ("http", "aggregate", [1, 6, 1, 6]),
        ("tcp", "ring", [6, 1, 6, 6]),
        ("tcp", "aggregate", [6, 6, 6, 6]),
        ("redis", "ring", [6, 6, 6, 6]),
        ("redis", "aggregate", [6, 6, 6, 6]),
    ] {
        let found = policies.map(|policy| hosts(proxy, to, policy));
        assert_eq!(found, expected, "{proxy} {to}");
    }
}

#[test]
fn a_composite_cluster_has_no_host_for_connections_and_keys() {
    let policy = json!({"header": {"header_name": "x-user"}});
    let of = |proxy| hosts(proxy, "composite", &policy);
    assert_eq!(["tcp", "redis"].map(of), [0, 0]);
}

#[test]
fn only_http_requests_are_dropped() {
    let policy = json!({"header": {"header_name": "x-user"}});
    let dropped =
        json!({"drop_overloads": [{"category": "c", "drop_percentage": {"numerator": 60}}]});
    let share = |proxy: &str| {
        let config = bootstrap(proxy, "ring", &policy);
        let text = format!("\"cluster_name\":\"ring\",\"policy\":{dropped}");
        let config = config.replace("\"cluster_name\":\"ring\"", &text);
        pick(proxy, "drops", &config)["no_host"].as_f64()
    };
    assert_eq!(
        ["http", "tcp", "redis"].map(share),
        [Some(60.0), Some(0.0), Some(0.0)]
    );
}
