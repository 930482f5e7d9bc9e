//! `spillgate explain --client grpc`: the host of a session cookie (A55, A60, A75).

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;

use crate::{convert::parsed, run::spillgate_with};

/// A bootstrap with this state of a stateful session filter, the weighted clusters `shop` and `other`, and
/// an aggregate of both at `/all`. `shop` has 10.0.0.1 in P0, 10.0.0.2 in P1 and 10.0.0.3, which is
/// DRAINING, in P1; `other` has 10.0.1.1.
fn bootstrap(state: &str, statuses: &str) -> String {
    let host = |address: &str, status: &str| {
        format!(
            "{{health_status: {status}, endpoint: {{address: {{socket_address: {{address: {address}, port_value: 80}}}}}}}}"
        )
    };
    let locality = |priority: u32, hosts: &[String]| {
        format!(
            "{{priority: {priority}, locality: {{zone: z{priority}}}, load_balancing_weight: 1, lb_endpoints: [{}]}}",
            hosts.join(", ")
        )
    };
    let cluster = |name: &str, localities: &[String]| {
        format!(
            "  - {{name: {name}, common_lb_config: {{{statuses}}}, load_assignment: {{cluster_name: {name}, endpoints: [{}]}}}}\n",
            localities.join(", ")
        )
    };
    let shop = [
        locality(0, &[host("10.0.0.1", "HEALTHY")]),
        locality(
            1,
            &[host("10.0.0.2", "UNKNOWN"), host("10.0.0.3", "DRAINING")],
        ),
    ];
    let other = [locality(0, &[host("10.0.1.1", "HEALTHY")])];
    let clusters = cluster("shop", &shop) + &cluster("other", &other);
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
            - name: in
              domains: ['*']
              routes:
              - {{match: {{prefix: /all/}}, route: {{cluster: all}}}}
              - {{match: {{prefix: /}}, route: {{weighted_clusters: {{clusters: [{{name: shop, weight: 1}}, {{name: other, weight: 3}}]}}}}}}
          http_filters:
          - name: session
            typed_config: {{'@type': type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession, session_state: {state}}}
          - {{name: router, typed_config: {{'@type': type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}}}
  clusters:
{clusters}  - name: all
    load_balancing_policy:
      policies:
      - {{typed_extension_config: {{name: a, typed_config: {{'@type': type.googleapis.com/envoy.extensions.load_balancing_policies.cluster_provided.v3.ClusterProvided}}}}}}
      - {{typed_extension_config: {{name: b, typed_config: {{'@type': type.googleapis.com/envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin}}}}}}
    cluster_type: {{name: envoy.clusters.aggregate, typed_config: {{'@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [shop, other]}}}}
"
    )
}

const COOKIE: &str = "{name: envoy.http.stateful_session.cookie, typed_config: {'@type': \
                      type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState, \
                      cookie: {name: sess, path: /a.B}}}";
const HEADER: &str = "{name: envoy.http.stateful_session.header, typed_config: {'@type': \
                      type.googleapis.com/envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState, \
                      name: x-host}}";

fn explained(input: &str, more: &[&str]) -> Value {
    let args = [
        &["explain", "-", "--client", "grpc", "--format", "json"],
        more,
    ]
    .concat();
    let ran = spillgate_with(&args, input.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    parsed(&ran.stdout)["grpc"].take()
}

/// The calls to a path with this content in their cookie.
fn with_cookie(statuses: &str, path: &str, content: &str) -> Value {
    let header = format!("cookie: a=b; sess={}", BASE64_STANDARD.encode(content));
    let input = bootstrap(COOKIE, statuses);
    explained(&input, &["--path", path, "--header", &header])
}

/// Each story as `CLUSTER SHARE: HOST SHARE`.
fn shares(stories: &Value) -> Vec<String> {
    let story = |of: &Value| {
        let hosts = of["distribution"]
            .as_array()
            .unwrap()
            .iter()
            .map(|of| format!(" {} {}", of["endpoint"].as_str().unwrap(), of["share"]));
        let hosts: String = hosts.collect();
        format!(
            "{} {}:{hosts}",
            of["cluster"].as_str().unwrap(),
            of["share"]
        )
    };
    stories.as_array().unwrap().iter().map(story).collect()
}

const METHOD: &str = "/a.B/C";
const POLICYS: [&str; 2] = [
    "shop 2500: 10.0.0.1:80 10000",
    "other 7500: 10.0.1.1:80 10000",
];

#[test]
fn the_cookie_chooses_cluster_and_host_in_any_priority() {
    let found = with_cookie("", METHOD, "10.0.0.2:80;shop");
    assert_eq!(shares(&found), ["shop 10000: 10.0.0.2:80 10000"]);
    let step = &found[0]["steps"][0];
    assert_eq!(step["step"], "session");
    let what = step["what"].as_str().unwrap();
    assert!(
        what.ends_with("10.0.0.2:80 of shop P1 (A55, A75)"),
        "{what}"
    );
}

/// A cluster that the route lacks chooses nothing, but the host counts in the clusters that are picked.
#[test]
fn the_host_of_another_cluster_counts_where_it_is_picked() {
    for content in ["10.0.0.2:80", "10.0.0.2:80;all"] {
        let found = with_cookie("", METHOD, content);
        let expected = ["shop 2500: 10.0.0.2:80 10000", POLICYS[1]];
        assert_eq!(shares(&found), expected, "{content}");
        let what = found[0]["steps"][0]["what"].as_str().unwrap();
        assert!(
            what.ends_with("sets a new cookie (10.0.0.2:80;shop)"),
            "{what}"
        );
    }
}

#[test]
fn a_cookie_that_grpc_does_not_use_leaves_the_choice_to_the_policy() {
    assert_eq!(
        shares(&with_cookie("", "/x.Y/Z", "10.0.0.2:80;shop")),
        POLICYS
    );
    assert_eq!(
        shares(&explained(&bootstrap(COOKIE, ""), &["--path", METHOD])),
        POLICYS
    );
    let quoted = format!(
        "cookie: sess=\"{}\"",
        BASE64_STANDARD.encode("10.0.0.2:80;shop")
    );
    let input = bootstrap(COOKIE, "");
    let found = explained(&input, &["--path", METHOD, "--header", &quoted]);
    assert_eq!(shares(&found), POLICYS);
}

#[test]
fn a_draining_host_keeps_its_sessions_if_its_status_is_stated() {
    let found = with_cookie("", METHOD, "10.0.0.3:80;shop");
    assert_eq!(shares(&found), ["shop 10000: 10.0.0.1:80 10000"]);
    let what = found[0]["steps"][0]["what"].as_str().unwrap();
    assert!(what.contains("10.0.0.3:80 is DRAINING"), "{what}");
    let stated = "override_host_status: {statuses: [HEALTHY, DRAINING]}";
    let found = with_cookie(stated, METHOD, "10.0.0.3:80;shop");
    assert_eq!(shares(&found), ["shop 10000: 10.0.0.3:80 10000"]);
    // UNKNOWN is no longer in the set.
    let found = with_cookie(stated, METHOD, "10.0.0.2:80;shop");
    assert_eq!(shares(&found), ["shop 10000: 10.0.0.1:80 10000"]);
}

/// The leaf is chosen first: a session does not stay in a leaf after a fail-back.
#[test]
fn a_session_reaches_the_hosts_of_the_leaf_that_serves() {
    let found = |host: &str| {
        let input = bootstrap(COOKIE, "");
        shares(&explained(
            &input,
            &["--cluster", "all", "--session-host", host],
        ))
    };
    assert_eq!(found("10.0.0.2:80"), ["all 10000: 10.0.0.2:80 10000"]);
    assert_eq!(found("10.0.1.1:80"), ["all 10000: 10.0.0.1:80 10000"]);
}

#[test]
fn grpc_rejects_sessions_in_headers() {
    let found = explained(&bootstrap(HEADER, ""), &["--path", METHOD]);
    let why = found[0]["rejected"].as_str().unwrap();
    assert!(why.ends_with("unsupported session state type"), "{why}");
    assert_eq!(found[0]["distribution"], Value::Array(Vec::new()));
}
