//! `spillgate explain --client grpc`: routes that gRPC reads differently.

use serde_json::Value;

use crate::{convert::parsed, run::spillgate_with};

/// A bootstrap with these routes, and clusters with one host each: `shop` and `dead`, whose host is
/// UNHEALTHY.
fn bootstrap(routes: &str) -> String {
    let cluster = |name: &str, status: &str| {
        format!(
            "  - {{name: {name}, load_assignment: {{cluster_name: {name}, endpoints: [{{locality: {{zone: a}}, \
             load_balancing_weight: 1, lb_endpoints: [{{health_status: {status}, endpoint: {{address: \
             {{socket_address: {{address: 10.0.0.1, port_value: 80}}}}}}}}]}}]}}}}\n"
        )
    };
    format!(
        "static_resources:
  listeners:
  - name: in
    address: {{socket_address: {{address: 127.0.0.1, port_value: 10000}}}}
    filter_chains:
    - filters:
      - name: http
        typed_config:
          '@type': type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: in
          route_config:
            virtual_hosts:
            - name: all
              domains: ['*']
              routes:
{routes}
          http_filters: [{{name: router, typed_config: {{'@type': type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}}}]
  clusters:
{}{}",
        cluster("shop", "HEALTHY"),
        cluster("dead", "UNHEALTHY"),
    )
}

fn explained(routes: &str) -> Value {
    let input = bootstrap(routes);
    let args = [
        "explain",
        "-",
        "--path",
        "/a.B/C?d=1",
        "--client",
        "grpc",
        "--format",
        "json",
    ];
    let ran = spillgate_with(&args, input.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    parsed(&ran.stdout)
}

#[test]
fn a_route_that_grpc_rejects_rejects_the_whole_configuration() {
    let found = explained(
        "              - {match: {prefix: /}, route: {cluster: shop}}
              - {match: {path_separated_prefix: /x}, route: {cluster: shop}}
              - {match: {prefix: /}, route: {cluster: shop, retry_policy: {num_retries: 0}}}",
    );
    let routes = "field:api_listener.api_listener.value[envoy.extensions.filters.network.\
                  http_connection_manager.v3.HttpConnectionManager].route_config.virtual_hosts[0].routes";
    assert_eq!(
        found["grpc"][0]["rejected"],
        format!(
            "errors validating ApiListener: [{routes}[1].match error:invalid path specifier; \
             {routes}[2].route.retry_policy.num_retries error:must be greater than 0]"
        )
    );
    assert_eq!(found["grpc"][0]["no_host"], Value::Null);
}

#[test]
fn the_hosts_of_a_skipped_route_are_not_known() {
    let query = "              - {match: {prefix: /, query_parameters: [{name: d}]}, route: {cluster: shop}}";
    let found = explained(query);
    let why = found["grpc"][0]["unknown"].as_str().unwrap();
    assert!(why.contains("match.query_parameters"), "{why}");
    assert_eq!(found["grpc"][0]["distribution"], Value::Array(Vec::new()));
}

#[test]
fn grpc_has_no_direct_responses() {
    let found = explained("              - {match: {prefix: /}, direct_response: {status: 204}}");
    assert_eq!(found["grpc"], Value::Array(Vec::new()));
    let why = found["without_cluster"].as_str().unwrap();
    assert!(why.contains("the request fails"), "{why}");
}

/// A weighted cluster does not take over the requests of another one.
#[test]
fn the_share_of_a_dead_cluster_fails() {
    let found = explained(
        "              - match: {prefix: /}
                route: {weighted_clusters: {clusters: [{name: dead, weight: 1}, {name: shop, weight: 3}]}}",
    );
    let stories = found["grpc"].as_array().unwrap();
    let of = |name: &str| stories.iter().find(|of| of["cluster"] == name).unwrap();
    assert_eq!(of("dead")["no_host"], 10_000);
    assert_eq!(of("dead")["share"], 2_500);
    assert_eq!(of("shop")["no_host"], 0);
    assert_eq!(of("shop")["share"], 7_500);
}

#[test]
fn the_share_of_a_cluster_that_the_input_lacks_is_named() {
    let found = explained(
        "              - match: {prefix: /}
                route: {weighted_clusters: {clusters: [{name: gone, weight: 1}, {name: shop, weight: 3}]}}
            validate_clusters: false",
    );
    let gone = &found["grpc"][0];
    assert_eq!(gone["cluster"], "gone");
    assert_eq!(gone["share"], 2_500);
    let why = gone["unknown"].as_str().unwrap();
    assert!(why.contains("not in the input"), "{why}");
}

/// Envoy selects by the hash, gRPC only at random.
#[test]
fn weighted_clusters_are_picked_at_random() {
    let found = explained(
        "              - match: {prefix: /}
                route:
                  hash_policy: [{header: {header_name: ':method'}}]
                  weighted_clusters: {use_hash_policy: true, clusters: [{name: dead, weight: 1}, {name: shop, weight: 3}]}",
    );
    let stories = found["grpc"].as_array().unwrap();
    let shares: Vec<&Value> = stories.iter().map(|of| &of["share"]).collect();
    assert_eq!(shares, [2_500, 7_500]);
}
