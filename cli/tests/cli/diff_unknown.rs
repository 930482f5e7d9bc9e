//! What `spillgate diff` expects of changes whose effect is not known, or not there.

use serde_json::{Value, json};

use crate::diff::{diff_of, web};
use crate::run::Ran;

const EXPECTED: [&str; 4] = [
    "no new 503",
    "no new panic",
    "no route change",
    "moved <= 0%",
];

/// Compares two sides; the lines about each expectation.
fn expected(name: &str, sides: [&Value; 2], expectations: &[&str]) -> (Ran, Vec<String>) {
    let args = expectations.iter().flat_map(|text| ["--expect", text]);
    let args: Vec<&str> = args.collect();
    let ran = diff_of(&format!("diff_unknown_{name}"), sides, &args);
    let lines = ran.stdout.lines();
    let lines = lines.filter(|line| line.starts_with("holds ") || line.starts_with("FAILS "));
    let lines = lines.map(str::to_owned).collect();
    (ran, lines)
}

/// Whether each expectation holds.
fn holds(name: &str, sides: [&Value; 2], expectations: &[&str]) -> Vec<bool> {
    let (ran, lines) = expected(name, sides, expectations);
    assert_eq!(
        lines.len(),
        expectations.len(),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    lines
        .iter()
        .map(|line| line.starts_with("holds "))
        .collect()
}

fn host(address: &str) -> Value {
    json!({"endpoint": {"address": {"socket_address": {"address": address, "port_value": 80}}}})
}

fn cluster(name: &str, hosts: &[Value]) -> Value {
    json!({
        "name": name,
        "load_assignment": {"cluster_name": name, "endpoints": [{"lb_endpoints": hosts}]},
    })
}

fn config(listener: &Value, clusters: &[Value]) -> Value {
    json!({"static_resources": {"listeners": [listener], "clusters": clusters}})
}

/// A listener that sends each request to the cluster `shop`, with these fields of its virtual host.
fn to_shop(fields: &Value) -> Value {
    let mut host = json!({
        "name": "shop", "domains": ["*"],
        "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "shop"}}],
    });
    let fields = fields.as_object().unwrap().clone();
    host.as_object_mut().unwrap().extend(fields);
    web(&json!({"virtual_hosts": [host]}))
}

fn plain() -> Value {
    config(
        &to_shop(&json!({})),
        &[cluster("shop", &[host("10.0.0.1"), host("10.0.0.2")])],
    )
}

/// The old side is as little known with such a setting as the new one.
#[test]
fn a_setting_that_is_gone_leaves_the_old_side_unknown() {
    let shop = cluster("shop", &[host("10.0.0.1"), host("10.0.0.2")]);
    let limited = config(&to_shop(&json!({"require_tls": "ALL"})), &[shop]);
    let new = plain();
    let found = holds("gone", [&limited, &new], &EXPECTED[1..]);
    assert_eq!(found, [true, false, false]);
    let shares = ["share_change(host=10.0.0.1:80) <= 5"];
    assert_eq!(holds("gone_share", [&limited, &new], &shares), [false]);
    let runtime =
        json!({"layers": [{"name": "r", "rtds_layer": {"name": "x", "rtds_config": {"ads": {}}}}]});
    let mut limited = plain();
    limited["layered_runtime"] = runtime;
    let found = holds("gone_runtime", [&limited, &new], &EXPECTED);
    assert_eq!(found, [true, true, false, false]);
    let found = holds("new_runtime", [&new, &limited], &EXPECTED);
    assert_eq!(found, [false; 4]);
}

/// Requests name the hosts of an ORIGINAL_DST cluster.
#[test]
fn the_hosts_of_an_original_dst_cluster_are_not_known() {
    let original = json!({
        "name": "shop", "type": "ORIGINAL_DST", "lb_policy": "CLUSTER_PROVIDED",
        "original_dst_lb_config": {"use_http_header": true},
    });
    let original = config(&to_shop(&json!({})), &[original]);
    for (name, sides) in [
        ("from", [&original, &plain()]),
        ("to", [&plain(), &original]),
        (
            "to_none",
            [
                &original,
                &config(&to_shop(&json!({})), &[cluster("shop", &[])]),
            ],
        ),
    ] {
        let (ran, lines) = expected(&format!("original_{name}"), sides, &EXPECTED);
        assert!(!ran.stdout.contains("100 %"), "{}", ran.stdout);
        assert!(
            ran.stdout.contains("cluster shop: unknown"),
            "{}",
            ran.stdout
        );
        for line in [&lines[0], &lines[1], &lines[3]] {
            assert!(line.starts_with("FAILS "), "{line}");
            assert!(line.contains("not known"), "{line}");
        }
    }
    assert_eq!(
        holds("original_same", [&original, &original], &EXPECTED),
        [true; 4]
    );
}

/// Addresses can be those of the names.
#[test]
fn names_and_addresses_cannot_be_compared() {
    let mut named = cluster("shop", &[host("one.example")]);
    named["type"] = json!("STRICT_DNS");
    let named = config(&to_shop(&json!({})), &[named]);
    for (name, sides) in [("from", [&named, &plain()]), ("to", [&plain(), &named])] {
        let (ran, _) = expected(&format!("names_{name}"), sides, &EXPECTED);
        assert!(
            ran.stdout.contains("cluster shop: unknown"),
            "{}",
            ran.stdout
        );
        assert_eq!(ran.status, 1);
    }
}

/// The listener `tcp` with this cluster.
fn tcp(cluster: &str) -> Value {
    json!({
        "name": "tcp",
        "address": {"socket_address": {"address": "127.0.0.1", "port_value": 9000}},
        "filter_chains": [{"filters": [{"name": "tcp", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy",
            "stat_prefix": "tcp",
            "cluster": cluster,
        }}]}],
    })
}

/// Envoy closes such connections.
#[test]
fn connections_without_a_cluster_or_a_host_are_failures() {
    let clusters = [cluster("one", &[host("10.0.0.1")]), cluster("empty", &[])];
    let good = config(&tcp("one"), &clusters);
    let missing = config(&tcp("missing"), &clusters);
    let empty = config(&tcp("empty"), &clusters);
    for (name, sides, ok) in [
        ("missing", [&good, &missing], false),
        ("empty", [&good, &empty], false),
        ("found", [&missing, &good], true),
        ("still", [&missing, &empty], true),
    ] {
        let found = holds(&format!("tcp_{name}"), sides, &EXPECTED[..1]);
        assert_eq!(found, [ok], "{name}");
    }
    // The cluster that the routes name is there now, without hosts.
    let before = config(&tcp("empty"), &clusters[..1]);
    assert_eq!(
        holds("tcp_added", [&before, &empty], &EXPECTED[..1]),
        [false]
    );
}

/// Nothing here reads more than whether a host is usable.
#[test]
fn healthy_hosts_are_as_those_of_unknown_health() {
    let mut healthy = plain();
    let hosts = "/static_resources/clusters/0/load_assignment/endpoints/0/lb_endpoints";
    for host in healthy.pointer_mut(hosts).unwrap().as_array_mut().unwrap() {
        host["health_status"] = json!("HEALTHY");
    }
    let (ran, _) = expected("healthy", [&plain(), &healthy], &EXPECTED);
    assert!(
        ran.stdout.starts_with("No request differs (proved"),
        "{}",
        ran.stdout
    );
    // Sessions stay at hosts of one of the statuses only.
    let statuses = json!({"override_host_status": {"statuses": ["HEALTHY"]}});
    let sides = [plain(), healthy].map(|mut side| {
        side["static_resources"]["clusters"][0]["common_lb_config"] = statuses.clone();
        side
    });
    let (ran, _) = expected("healthy_sessions", [&sides[0], &sides[1]], &EXPECTED);
    assert!(
        !ran.stdout.contains("proved for 1 cluster"),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_locality_of_a_proxy_counts_only_with_a_local_cluster() {
    let located = |cluster: Option<&str>, zone: &str| {
        let mut side = plain();
        side["node"] = json!({"id": "a", "cluster": "b", "locality": {"zone": zone}});
        if let Some(cluster) = cluster {
            side["cluster_manager"] = json!({"local_cluster_name": cluster});
        }
        side
    };
    for (name, sides, is_equal) in [
        ("added", [plain(), located(None, "a")], true),
        ("other", [located(None, "a"), located(None, "b")], true),
        (
            "with_cluster",
            [located(Some("shop"), "a"), located(Some("shop"), "b")],
            false,
        ),
    ] {
        let (ran, _) = expected(&format!("locality_{name}"), [&sides[0], &sides[1]], &[]);
        let proved = ran.stdout.starts_with("No request differs (proved");
        assert_eq!(proved, is_equal, "{name}: {}", ran.stdout);
    }
}

#[test]
fn a_selector_of_no_host_is_an_error_without_a_difference_too() {
    let none = ["share_change(zone=zz) <= 5"];
    let (same, _) = expected("selector_same", [&plain(), &plain()], &none);
    assert_eq!(same.status, 2, "{}", same.stdout);
    assert!(same.stderr.contains("what-if/no-host"), "{}", same.stderr);
    let mut limited = plain();
    limited["layered_runtime"] =
        json!({"layers": [{"name": "r", "rtds_layer": {"name": "x", "rtds_config": {"ads": {}}}}]});
    let (new, _) = expected("selector_limit", [&plain(), &limited], &none);
    assert_eq!(new.status, 2, "{}", new.stdout);
}

/// Its cluster and hash policies are compared as routes.
#[test]
fn settings_of_a_udp_proxy_are_no_listener_filters() {
    let side = |fields: &Value| {
        let mut proxy = json!({
            "@type": "type.googleapis.com/envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig",
            "stat_prefix": "udp",
            "cluster": "shop",
        });
        let fields = fields.as_object().unwrap().clone();
        proxy.as_object_mut().unwrap().extend(fields);
        let address = json!({"address": "127.0.0.1", "port_value": 9000, "protocol": "UDP"});
        let listener = json!({
            "name": "udp",
            "address": {"socket_address": address},
            "listener_filters": [{"name": "udp", "typed_config": proxy}],
        });
        config(&listener, &[cluster("shop", &[host("10.0.0.1")])])
    };
    for (number, (fields, named)) in [
        (
            json!({"idle_timeout": "3s"}),
            "idle_timeout of UdpProxyConfig",
        ),
        (
            json!({"hash_policies": [{"source_ip": true}]}),
            "other hash policies",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let sides = [&side(&json!({})), &side(&fields)];
        let (ran, _) = expected(&format!("udp_{number}"), sides, &EXPECTED);
        assert!(ran.stdout.contains(named), "{}", ran.stdout);
        assert!(!ran.stdout.contains("listener_filters"), "{}", ran.stdout);
    }
}
