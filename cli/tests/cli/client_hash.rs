//! The hash of a request, and policies that only gRPC has.

use crate::{
    convert::parsed,
    run::{spillgate, spillgate_with},
};

/// The hosts of a request with a key.
fn hosts(key: &str) -> Vec<(String, u64)> {
    let args = [
        "explain",
        "grpc.yaml",
        "--cluster",
        "ring",
        "--client",
        "grpc",
    ];
    let ran = spillgate(&[&args[..], &["--hash-key", key, "--format", "json"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let json = parsed(&ran.stdout);
    let found = json["grpc"][0]["distribution"].as_array().unwrap().iter();
    let host = |of: &serde_json::Value| {
        (
            of["endpoint"].as_str().unwrap().to_owned(),
            of["share"].as_u64().unwrap(),
        )
    };
    found.map(host).collect()
}

#[test]
fn a_request_with_a_hash_has_one_host_on_the_ring_of_grpc() {
    let keys: Vec<String> = (0..20).map(|number| format!("user-{number}")).collect();
    let all: Vec<_> = keys.iter().map(|key| hosts(key)).collect();
    assert!(
        all.iter()
            .all(|hosts| hosts.len() == 1 && hosts[0].1 == 10_000),
        "{all:?}"
    );
    let mut used: Vec<&str> = all.iter().map(|hosts| hosts[0].0.as_str()).collect();
    used.sort_unstable();
    used.dedup();
    assert!(used.len() > 1);
}

#[test]
fn without_a_hash_the_shares_are_the_average() {
    let ran = spillgate(&[
        "explain",
        "grpc.yaml",
        "--cluster",
        "ring",
        "--client",
        "grpc",
    ]);
    assert!(
        ran.stdout
            .contains("hash      no hash policy that gRPC has"),
        "{}",
        ran.stdout
    );
}

/// An EDS cluster of two hosts with these entries of `load_balancing_policy`, as an xDS response.
fn with_policies(policies: &[&str]) -> String {
    let policies = policies.iter().map(|policy| {
        format!(
            "{{typed_extension_config: {{name: x, typed_config: {{'@type': \
             type.googleapis.com/envoy.extensions.load_balancing_policies.{policy}}}}}}}"
        )
    });
    let policies: Vec<String> = policies.collect();
    format!(
        "resources:\n- {{'@type': type.googleapis.com/envoy.config.cluster.v3.Cluster, name: shop, type: EDS, \
         eds_cluster_config: {{eds_config: {{ads: {{}}}}}}, load_balancing_policy: {{policies: [{}]}}}}\n\
         - {{'@type': type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment, cluster_name: shop, \
         endpoints: [{{locality: {{zone: a}}, load_balancing_weight: 1, lb_endpoints: [\
         {{endpoint: {{address: {{socket_address: {{address: 10.0.0.1, port_value: 80}}}}}}}}, \
         {{endpoint: {{address: {{socket_address: {{address: 10.0.0.2, port_value: 80}}}}}}}}]}}]}}\n",
        policies.join(", ")
    )
}

const PICK_FIRST: &str = "pick_first.v3.PickFirst";
const ROUND_ROBIN: &str = "round_robin.v3.RoundRobin";

fn shares(input: &str, client: &str) -> Vec<f64> {
    let args = ["split", "-", "--format", "json", "--client", client];
    let ran = spillgate_with(&args, input.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let json = parsed(&ran.stdout);
    let hosts = json["clusters"][0]["endpoints"].as_array().unwrap().iter();
    hosts.map(|of| of["share"].as_f64().unwrap()).collect()
}

#[test]
fn pick_first_is_a_policy_of_grpc_and_envoy_skips_it() {
    let both = with_policies(&[PICK_FIRST, ROUND_ROBIN]);
    assert_eq!(shares(&both, "grpc"), [100.0, 0.0]);
    assert_eq!(shares(&both, "envoy"), [50.0, 50.0]);
    let alone = with_policies(&[PICK_FIRST]);
    assert_eq!(shares(&alone, "grpc"), [100.0, 0.0]);
    let ran = spillgate_with(&["split", "-"], alone.as_bytes());
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("no known policy in the list"),
        "{}",
        ran.stderr
    );
    let shuffled = with_policies(&["pick_first.v3.PickFirst, shuffle_address_list: true"]);
    assert_eq!(shares(&shuffled, "grpc"), [50.0, 50.0]);
}

/// Envoy requires another policy inside `wrr_locality`.
#[test]
fn policies_that_only_envoy_rejects_have_the_shares_of_grpc() {
    let inner = "wrr_locality.v3.WrrLocality, endpoint_picking_policy: {policies: [{typed_extension_config: \
                 {name: y, typed_config: {'@type': \
                 type.googleapis.com/envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin}}}]}";
    let input = with_policies(&[inner]);
    assert_eq!(shares(&input, "grpc"), [50.0, 50.0]);
    let ran = spillgate_with(&["split", "-"], input.as_bytes());
    assert_eq!(ran.status, 2);
}

/// A bootstrap is text, and Envoy has no such type.
#[test]
fn envoy_rejects_a_bootstrap_with_pick_first() {
    let input = with_policies(&[PICK_FIRST, ROUND_ROBIN]);
    let lines: Vec<&str> = input.lines().collect();
    let cluster = lines[1].trim_start_matches("- ").replace(
        "'@type': type.googleapis.com/envoy.config.cluster.v3.Cluster, ",
        "",
    );
    let bootstrap = format!("static_resources: {{clusters: [{cluster}]}}\n");
    let ran = spillgate_with(&["split", "-"], bootstrap.as_bytes());
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("config/unknown-policy"),
        "{}",
        ran.stderr
    );
}
