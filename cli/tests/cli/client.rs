//! `spillgate split --client grpc|both`.

use serde_json::{Value, json};

use crate::run::{assert_golden, scratch, spillgate, spillgate_with};

#[test]
fn every_format_of_both_clients_matches_the_golden_file() {
    for (client, format, golden) in [
        ("grpc", "table", "client-grpc.txt"),
        ("grpc", "json", "client-grpc.json"),
        ("grpc", "csv", "client-grpc.csv"),
        ("both", "table", "client-both.txt"),
        ("both", "json", "client-both.json"),
        ("both", "csv", "client-both.csv"),
        ("both", "markdown", "client-both.md"),
    ] {
        let ran = spillgate(&["split", "grpc.yaml", "--client", client, "--format", format]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        assert_golden(golden, &ran.stdout);
    }
}

/// The clusters of an input, as a gRPC client sees them.
fn seen(input: &str, more: &[&str]) -> Vec<Value> {
    let args = ["split", "-", "--client", "grpc", "--format", "json"];
    let ran = spillgate_with(&[&args[..], more].concat(), input.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let mut json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["client"], "grpc");
    match json["clusters"].take() {
        Value::Array(clusters) => clusters,
        other => panic!("{other}"),
    }
}

/// An EDS cluster with these fields and endpoints, as YAML.
fn eds(fields: &str, endpoints: &str) -> String {
    format!(
        "- {{'@type': type.googleapis.com/envoy.config.cluster.v3.Cluster, name: shop, type: EDS,\n   \
         eds_cluster_config: {{eds_config: {{ads: {{}}}}}}{fields}}}\n\
         - {{'@type': type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment,\n   \
         cluster_name: shop, endpoints: [{endpoints}]}}\n"
    )
}

/// A locality of hosts with their last byte and health status.
fn zone(zone: &str, settings: &str, hosts: &[(u8, &str)]) -> String {
    let host = |(byte, status): &(u8, &str)| {
        format!(
            "{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{byte}, port_value: 80}}}}}}, \
             health_status: {status}}}"
        )
    };
    let hosts: Vec<String> = hosts.iter().map(host).collect();
    let hosts = hosts.join(", ");
    format!("{{locality: {{zone: {zone}}}, {settings}, lb_endpoints: [{hosts}]}}")
}

fn shares(cluster: &Value) -> Vec<(String, f64)> {
    let endpoints = cluster["endpoints"].as_array().unwrap().iter();
    endpoints
        .map(|of| {
            let address = of["address"].as_str().unwrap().to_owned();
            (address, of["share"].as_f64().unwrap())
        })
        .collect()
}

fn values(cluster: &Value) -> Vec<f64> {
    shares(cluster)
        .into_iter()
        .map(|(_, share)| share)
        .collect()
}

/// Why gRPC rejects the only cluster; nothing else is known then.
fn rejected(input: &str) -> String {
    let clusters = seen(input, &[]);
    let cluster = &clusters[0];
    assert_eq!(cluster["no_host"], Value::Null);
    assert_eq!(cluster["endpoints"], Value::Null);
    assert_eq!(cluster["priorities"], json!([]));
    cluster["rejected"].as_str().unwrap().into()
}

const WEIGHT: &str = "load_balancing_weight: 1";
const P1: &str = "load_balancing_weight: 1, priority: 1";
const OK: &[(u8, &str)] = &[(1, "HEALTHY")];
const OTHER: &[(u8, &str)] = &[(2, "HEALTHY")];

#[test]
fn endpoints_that_grpc_rejects_have_no_shares() {
    let of = |zones: &[String]| rejected(&eds("", &zones.join(",\n   ")));
    let prefix = "errors parsing EDS resource: ";
    let gap = "load_balancing_weight: 1, priority: 2";
    let two = [zone("a", WEIGHT, OK), zone("b", gap, OTHER)];
    assert_eq!(
        of(&two),
        format!(
            "{prefix}[field:endpoints[1].priority error:priority 2 >= number of localities (2)]"
        )
    );
    assert_eq!(
        of(&[&two[..], &[zone("c", WEIGHT, &[])]].concat()),
        format!("{prefix}[field:endpoints error:priority 1 empty]")
    );
    // Without a weight, P0 does not exist.
    assert_eq!(
        of(&[zone("a", "priority: 0", OK), zone("b", P1, OTHER)]),
        format!("{prefix}[field:endpoints error:priority 0 empty]")
    );
    assert_eq!(
        of(&[zone("a", WEIGHT, OK), zone("a", WEIGHT, OTHER)]),
        format!(
            "{prefix}[field:endpoints[1] error:duplicate locality \
             {{region=\"\", zone=\"a\", sub_zone=\"\"}} found in priority 0]"
        )
    );
    assert_eq!(
        of(&[zone("a", WEIGHT, OK), zone("a", P1, OK)]),
        format!(
            "{prefix}[field:endpoints[1].lb_endpoints[0] error:duplicate endpoint address \
             \"ipv4:10.0.0.1:80\"]"
        )
    );
    let unnamed = zone("a", WEIGHT, OK).replace("locality: {zone: a}, ", "");
    assert_eq!(
        of(&[unnamed]),
        format!("{prefix}[field:endpoints[0].locality error:field not present]")
    );
}

/// Envoy keeps the first endpoint and merges the localities, gRPC reads the other ones.
#[test]
fn what_envoy_merges_and_grpc_ignores_in_part_is_not_known() {
    let down: &[(u8, &str)] = &[(1, "UNHEALTHY"), (3, "HEALTHY")];
    for zones in [
        [zone("a", WEIGHT, OK), zone("b", WEIGHT, down)],
        [zone("a", "priority: 0", OK), zone("a", WEIGHT, OTHER)],
    ] {
        let clusters = seen(&eds("", &zones.join(",")), &[]);
        assert_eq!(clusters[0].get("rejected"), None, "{}", clusters[0]);
        let why = clusters[0]["unknown"].as_str().unwrap();
        assert!(why.contains("appears twice"), "{why}");
    }
}

#[test]
fn policies_that_grpc_does_not_support_are_rejected() {
    let prefix = "errors validating Cluster resource: ";
    let endpoints = zone("a", WEIGHT, OK);
    for policy in ["RANDOM", "MAGLEV", "LEAST_REQUEST"] {
        assert_eq!(
            rejected(&eds(&format!(", lb_policy: {policy}"), &endpoints)),
            format!("{prefix}[field:lb_policy error:LB policy is not supported]")
        );
    }
    let murmur = ", lb_policy: RING_HASH, ring_hash_lb_config: {hash_function: MURMUR_HASH_2}";
    assert_eq!(
        rejected(&eds(murmur, &endpoints)),
        format!("{prefix}[field:ring_hash_lb_config.hash_function error:invalid hash function]")
    );
    assert_eq!(
        rejected(&eds(&typed(&["random.v3.Random"]), &endpoints)),
        format!(
            "{prefix}[field:load_balancing_policy error:no supported load balancing policy config found]"
        )
    );
}

/// A `load_balancing_policy` with these policies.
fn typed(names: &[&str]) -> String {
    let policy = |name: &&str| {
        let kind = format!("type.googleapis.com/envoy.extensions.load_balancing_policies.{name}");
        format!("{{typed_extension_config: {{name: p, typed_config: {{'@type': {kind}}}}}}}")
    };
    let policies: Vec<String> = names.iter().map(policy).collect();
    format!(
        ", load_balancing_policy: {{policies: [{}]}}",
        policies.join(", ")
    )
}

#[test]
fn grpc_takes_the_first_typed_policy_that_it_supports() {
    let three = "load_balancing_weight: 3";
    let zones = [zone("a", three, OK), zone("b", WEIGHT, OTHER)].join(",");
    let plain = seen(&eds("", &zones), &[]);
    assert_eq!(plain[0]["policy"], "wrr_locality: round_robin");
    assert_eq!(values(&plain[0]), [75.0, 25.0]);
    // Outside of wrr_locality, locality weights don't count.
    let names = ["least_request.v3.LeastRequest", "round_robin.v3.RoundRobin"];
    let typed = seen(&eds(&typed(&names), &zones), &[]);
    assert_eq!(typed[0]["policy"], "round_robin");
    assert_eq!(values(&typed[0]), [50.0, 50.0]);
}

#[test]
fn localities_without_a_weight_get_nothing() {
    let zones = [zone("a", "priority: 0", OK), zone("b", WEIGHT, OTHER)].join(",");
    let clusters = seen(&eds("", &zones), &[]);
    assert_eq!(values(&clusters[0]), [0.0, 100.0]);
    let note = clusters[0]["notes"][0].as_str().unwrap();
    assert!(note.contains("skips localities without"), "{note}");
    let unweighted = seen(&eds("", &zone("a", "priority: 0", OK)), &[]);
    assert_eq!(unweighted[0]["no_host"], 100.0);
}

#[test]
fn degraded_and_draining_hosts_serve_no_requests() {
    let hosts: &[(u8, &str)] = &[
        (1, "DEGRADED"),
        (2, "DRAINING"),
        (3, "UNKNOWN"),
        (4, "TIMEOUT"),
    ];
    let clusters = seen(&eds("", &zone("a", WEIGHT, hosts)), &[]);
    assert_eq!(values(&clusters[0]), [0.0, 0.0, 100.0, 0.0]);
}

#[test]
fn a_bootstrap_is_read_as_if_sent_and_a_resource_of_type_static_is_rejected() {
    let cluster = format!(
        "--- {{name: shop, type: STATIC, load_assignment: {{cluster_name: shop, endpoints: [{}]}}}}",
        zone("a", WEIGHT, OK)
    );
    let inside = cluster.trim_start_matches("--- ");
    let bootstrap = format!("static_resources: {{clusters: [{inside}]}}");
    let clusters = seen(&bootstrap, &[]);
    assert_eq!(values(&clusters[0]), [100.0]);
    let note = clusters[0]["notes"][0].as_str().unwrap();
    assert!(note.starts_with("assumed: a control plane sends"), "{note}");
    assert_eq!(
        rejected(&cluster),
        "errors validating Cluster resource: [field:type error:unknown discovery type]"
    );
}

/// Aggregates of this many names around the cluster `shop`.
fn nested(depth: usize, members: &str) -> String {
    let kind = "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig";
    let aggregate = |at: usize| {
        let inner = match at {
            1 => members.to_owned(),
            _ => format!("a{}", at - 1),
        };
        format!(
            "- {{'@type': type.googleapis.com/envoy.config.cluster.v3.Cluster, name: a{at}, cluster_type: {{name: \
             envoy.clusters.aggregate, typed_config: {{'@type': {kind}, clusters: [{inner}]}}}}{}}}\n",
            typed(&[
                "cluster_provided.v3.ClusterProvided",
                "round_robin.v3.RoundRobin"
            ])
        )
    };
    let aggregates: String = (1..=depth).map(aggregate).collect();
    aggregates + &eds("", &zone("a", WEIGHT, OK))
}

#[test]
fn aggregates_inside_aggregates_are_flattened_to_a_depth_of_16() {
    let of = |depth, name: &str| {
        let clusters = seen(&nested(depth, "shop"), &["--cluster", name]);
        clusters[0].clone()
    };
    let top = of(15, "a15");
    assert_eq!(values(&top), [100.0], "{top}");
    assert_eq!(top["members"], json!([{"cluster": "shop", "share": 100.0}]));
    let deep = of(16, "a16");
    assert_eq!(deep["no_host"], 100.0);
    let note = deep["notes"][0].as_str().unwrap();
    assert!(note.contains("maximum depth"), "{note}");
}

#[test]
fn a_missing_member_is_passed_over() {
    let clusters = seen(&nested(1, "gone, shop"), &["--cluster", "a1"]);
    assert_eq!(values(&clusters[0]), [100.0]);
    let notes = clusters[0]["notes"].to_string();
    assert!(notes.contains("member gone is missing"), "{notes}");
}

#[test]
fn a_rejected_member_is_passed_over() {
    let gap = "load_balancing_weight: 1, priority: 1";
    let input = nested(1, "bad, shop")
        + &eds("", &zone("a", gap, OTHER)).replace("name: shop", "name: bad");
    let clusters = seen(&input, &["--cluster", "a1"]);
    let shares = shares(&clusters[0]);
    assert_eq!(
        shares,
        [("10.0.0.2:80".into(), 0.0), ("10.0.0.1:80".into(), 100.0)]
    );
    let notes = clusters[0]["notes"].to_string();
    assert!(
        notes.contains("priority 1 >= number of localities"),
        "{notes}"
    );
}

#[test]
fn hosts_without_a_stated_locality_weight_are_not_known() {
    let clusters = "shop::10.0.0.1:80::health_flags::healthy\n\
                    shop::10.0.0.1:80::weight::1\n\
                    shop::10.0.0.1:80::priority::0\n";
    let found = seen(clusters, &[]);
    let why = found[0]["unknown"].as_str().unwrap();
    assert_eq!(why, "the weights of localities are not in the input");
}

#[test]
fn a_host_that_fails_the_health_checks_of_envoy_counts_as_unreachable() {
    let folder = scratch("client-health");
    let health = folder.join("clusters.txt");
    let text = "shop::10.0.0.1:80::health_flags::/failed_active_hc\n\
                shop::10.0.0.1:80::zone::a\n\
                shop::10.0.0.1:80::priority::0\n\
                shop::10.0.0.2:80::health_flags::/failed_outlier_check\n\
                shop::10.0.0.2:80::zone::a\n\
                shop::10.0.0.2:80::priority::0\n";
    std::fs::write(&health, text).unwrap();
    let hosts: &[(u8, &str)] = &[(1, "HEALTHY"), (2, "HEALTHY")];
    let input = eds("", &zone("a", WEIGHT, hosts));
    let found = seen(&input, &["--health", health.to_str().unwrap()]);
    assert_eq!(values(&found[0]), [0.0, 100.0]);
    let notes = found[0]["notes"].to_string();
    assert!(notes.contains("accept no connections"), "{notes}");
}

#[test]
fn every_difference_has_a_reason_and_every_share_is_that_of_its_client() {
    let json = |client: &str| -> Value {
        let args = ["split", "grpc.yaml", "--client", client, "--format", "json"];
        serde_json::from_str(&spillgate(&args).stdout).unwrap()
    };
    let both = json("both");
    for (side, of) in [("envoy", json("envoy")), ("grpc", json("grpc"))] {
        let pairs = both["clusters"].as_array().unwrap().iter();
        for (cluster, own) in pairs.zip(of["clusters"].as_array().unwrap()) {
            assert_eq!(cluster["no_host"][side], own["no_host"]);
            let Some(endpoints) = own["endpoints"].as_array() else {
                continue;
            };
            let found = cluster["endpoints"].as_array().unwrap().iter();
            let found: Vec<&Value> = found.map(|of| &of["share"][side]).collect();
            let expected: Vec<&Value> = endpoints.iter().map(|of| &of["share"]).collect();
            assert_eq!(found, expected, "{}", cluster["name"]);
        }
    }
    let clusters = both["clusters"].as_array().unwrap().iter();
    let rows = clusters.flat_map(|of| {
        let rows = |list: &str| of[list].as_array().unwrap().clone();
        [rows("priorities"), rows("endpoints")].concat()
    });
    for row in rows {
        let equal = row["share"]["envoy"] == row["share"]["grpc"];
        let none = row["reasons"].as_array().unwrap().is_empty();
        assert_eq!(equal, none, "{row}");
    }
}

#[test]
fn both_clients_are_not_watched() {
    let args = [
        "split",
        "--admin",
        "unix:gone.sock",
        "--watch",
        "--client",
        "both",
    ];
    let ran = spillgate(&args);
    assert_eq!(ran.status, 2);
    let expected = "--client: split/watch: --watch shows the rules of one client; expected --client envoy or grpc\n";
    assert_eq!(ran.stderr, expected);
}

#[test]
fn explanations_match_the_golden_file() {
    let mut texts = String::new();
    for cluster in ["half", "down", "zones", "gap", "ring", "both"] {
        let ran = spillgate(&[
            "explain",
            "grpc.yaml",
            "--cluster",
            cluster,
            "--client",
            "grpc",
        ]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        texts.push_str(&ran.stdout);
        texts.push('\n');
    }
    assert_golden("client-explain.txt", &texts);
}

#[test]
fn an_explanation_of_both_has_that_of_envoy_first() {
    let args = ["explain", "grpc.yaml", "--cluster", "half"];
    let of = |client: &str| spillgate(&[&args[..], &["--client", client]].concat()).stdout;
    assert_eq!(of("both"), of("envoy") + "\n" + &of("grpc"));
}

#[test]
fn retries_are_not_explained_for_grpc() {
    let args = [
        "explain",
        "grpc.yaml",
        "--cluster",
        "half",
        "--client",
        "grpc",
        "--attempt",
        "1",
    ];
    let ran = spillgate(&args);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("explain/client"), "{}", ran.stderr);
}
