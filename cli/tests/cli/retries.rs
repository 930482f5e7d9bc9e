//! `pick`: retries of requests that the Spillgate filter steered, in an isolated cluster.

use std::slice;

use serde_json::{Value, json};

use crate::run::{scratch, spillgate, spillgate_with, vectors};

const A: &str = "10.0.0.1:80";
const B: &str = "10.0.0.2:80";
const B2: &str = "10.0.0.3:80";

/// A configuration with one host of tenant a and two hosts of tenant b. The cluster `shop` is
/// isolated, `shop-any` is not steered.
fn config() -> String {
    let path = vectors().join("lint/valid/isolation.yaml");
    let text = std::fs::read_to_string(path).unwrap();
    let host = "        - endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}\n          \
                metadata: {filter_metadata: {envoy.lb: {tenant: b}}}\n";
    let another = host.replace("10.0.0.2", "10.0.0.3");
    assert!(text.contains(host));
    text.replace(host, &format!("{host}{another}"))
}

/// The answers to these requests; `name` is a folder for them.
fn picked(name: &str, config: &str, rows: &[Value]) -> Vec<Value> {
    let folder = scratch(name);
    let requests = folder.join("requests.jsonl");
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    std::fs::write(&requests, lines.join("\n")).unwrap();
    let ran = spillgate_with(
        &["pick", "-", requests.to_str().unwrap()],
        config.as_bytes(),
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let answers = ran.stdout.lines();
    answers
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn request(tenant: &str, tried: &[&str]) -> Value {
    json!({
        "i": 0, "path": "/", "headers": [["x-tenant", tenant]],
        "attempt": tried.len(), "tried": tried,
    })
}

fn is_refused(answer: &Value) -> bool {
    answer["status"] == 503 && answer["endpoint"].is_null() && answer.get("distribution").is_none()
}

#[test]
fn a_retry_uses_the_next_host_of_the_list_and_none_beyond_it() {
    let rows = [
        request("a", &[]),
        request("a", &[A]),
        request("b", &[]),
        request("b", &[B]),
        request("b", &[B2]),
        request("b", &[B, B2]),
    ];
    let answers = picked("retry", &config(), &rows);
    assert_eq!(answers[0]["endpoint"], A);
    assert!(is_refused(&answers[1]), "{}", answers[1]);
    let shares = answers[2]["distribution"].as_array().unwrap();
    assert_eq!(shares.len(), 2, "{}", answers[2]);
    assert_eq!(answers[3]["endpoint"], B2, "{}", answers[3]);
    assert_eq!(answers[4]["endpoint"], B, "{}", answers[4]);
    assert!(is_refused(&answers[5]), "{}", answers[5]);
    // Without the host of the first attempt, both orders are possible.
    let unknown = json!({"i": 0, "path": "/", "headers": [["x-tenant", "b"]], "attempt": 1});
    let answers = picked("retry", &config(), &[unknown]);
    let shares = answers[0]["distribution"].as_array().unwrap();
    assert_eq!(shares.len(), 2, "{}", answers[0]);
    assert_eq!(answers[0]["no_host"], 0.0);
}

#[test]
fn a_request_without_the_filter_has_no_host_in_an_isolated_cluster() {
    let off = json!({"i": 0, "path": "/off", "headers": [["x-tenant", "a"]]});
    let answers = picked("retry_off", &config(), slice::from_ref(&off));
    let shares = answers[0]["distribution"].as_array().unwrap();
    assert_eq!(shares.len(), 3, "{}", answers[0]);
    let isolated = config().replace("route: {cluster: shop-any}", "route: {cluster: shop}");
    let answers = picked("retry_off", &isolated, &[off]);
    assert!(is_refused(&answers[0]), "{}", answers[0]);
}

#[test]
fn in_session_mode_a_retry_has_no_host() {
    let text = config();
    let (before, from) = text
        .split_once("          - name: envoy.filters.http.header_to_metadata")
        .unwrap();
    let router = "          - name: envoy.filters.http.router";
    let (_, after) = from.split_once(router).unwrap();
    let session = "          - name: envoy.filters.http.stateful_session
            typed_config:
              \"@type\": type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession
              session_state:
                name: envoy.http.stateful_session.header
                typed_config:
                  \"@type\": type.googleapis.com/envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState
                  name: x-spillgate-host
";
    let text = format!("{before}{session}{router}{after}");
    let source = "health: {source: admin, cluster: admin}";
    let text = text.replace(
        source,
        &format!("{source}\n                    output: {{mode: stateful_session}}"),
    );
    let rows = [request("a", &[]), request("a", &[A]), request("b", &[B])];
    let answers = picked("retry_session", &text, &rows);
    assert_eq!(answers[0]["endpoint"], A, "{}", answers[0]);
    assert!(is_refused(&answers[1]), "{}", answers[1]);
    assert!(is_refused(&answers[2]), "{}", answers[2]);
}

#[test]
fn shares_are_those_of_the_filter() {
    let folder = scratch("retry_split");
    let path = folder.join("envoy.yaml");
    std::fs::write(&path, config()).unwrap();
    let path = path.to_str().unwrap();
    let args = ["split", path, "--criteria", "tenant=b", "--format", "json"];
    let ran = spillgate(&[&args[..], &["--cluster", "shop"]].concat());
    let split: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(split["clusters"][0]["no_host"], 0.0, "{split}");
    let explained = spillgate(&[
        "explain",
        path,
        "--header",
        "x-tenant:a",
        "--format",
        "json",
    ]);
    let explained: Value = serde_json::from_str(&explained.stdout).unwrap();
    assert_eq!(explained["endpoint"], A, "{explained}");
}

/// Two clusters with the host 10.0.0.1, of which only `wide` has another one. Requests keep their
/// host by a header, except in `narrow`.
const WITH_SESSIONS: &str = r#"
static_resources:
  listeners:
  - name: main
    address: {socket_address: {address: 0.0.0.0, port_value: 80}}
    filter_chains:
    - filters:
      - name: http
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: http
          http_filters:
          - name: sessions
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession
              session_state:
                name: envoy.http.stateful_session.header
                typed_config:
                  "@type": type.googleapis.com/envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState
                  name: x-session
          - name: router
            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes:
              - match: {prefix: /}
                route:
                  retry_policy: {retry_on: connect-failure}
                  weighted_clusters:
                    clusters:
                    - {name: wide, weight: 1}
                    - name: narrow
                      weight: 1
                      typed_per_filter_config:
                        sessions:
                          "@type": type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute
                          disabled: true
  clusters:
  - name: wide
    lb_policy: RANDOM
    load_assignment:
      cluster_name: wide
      endpoints:
      - lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
        - endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}
  - name: narrow
    lb_policy: RANDOM
    load_assignment:
      cluster_name: narrow
      endpoints:
      - lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
"#;

#[test]
fn the_cluster_of_a_retry_depends_on_the_session_of_the_first_attempt() {
    // The header is the base64 of 10.0.0.1:80.
    let row = json!({
        "i": 0, "path": "/", "headers": [["x-session", "MTAuMC4wLjE6ODA="]],
        "attempt": 1, "tried": [A],
    });
    let answers = picked("retries-sessions", WITH_SESSIONS, &[row]);
    let hosts = answers[0]["distribution"].as_array().unwrap();
    let second = hosts.iter().find(|host| host["endpoint"] == B).unwrap();
    // Both clusters lead the first attempt to that host, and `wide` half of its retries to the other.
    assert_eq!(second["share"], 25.0, "{hosts:?}");
}

/// A request that was retried came by the route that retries.
#[test]
fn a_route_without_retries_has_no_retry() {
    let hosts = |name: &str, last: &[u8]| {
        let one = |last: &u8| {
            format!(
                "{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{last}, port_value: 80}}}}}}}}"
            )
        };
        let hosts: Vec<String> = last.iter().map(one).collect();
        format!(
            "- {{name: {name}, load_assignment: {{cluster_name: {name}, endpoints: [{{lb_endpoints: [{}]}}]}}}}\n",
            hosts.join(", ")
        )
    };
    let routes = "- {name: r, virtual_hosts: [{name: v, domains: ['*'], routes: [\
        {match: {prefix: /, runtime_fraction: {default_value: {numerator: 50}}}, \
         route: {cluster: a, retry_policy: {retry_on: 5xx}}}, \
        {match: {prefix: /}, route: {cluster: b}}]}]}\n";
    let config = hosts("a", &[1, 2]) + &hosts("b", &[1]) + routes;
    let row = json!({"i": 0, "path": "/", "headers": [], "attempt": 1, "tried": [A]});
    let answers = picked("retry_route", &config, &[row]);
    let shares = answers[0]["distribution"].as_array().unwrap();
    assert_eq!(shares.len(), 2, "{}", answers[0]);
    assert!(
        shares.iter().all(|share| share["owner"] == "a"),
        "{}",
        answers[0]
    );
}

/// Envoy 1.40.0 counts tried priorities only when it asks its load balancer.
#[test]
fn avoided_priorities_after_listed_hosts_are_unknown() {
    let hosts = "- {name: a, load_assignment: {cluster_name: a, endpoints: [\
        {lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}, \
        {priority: 1, lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}}]}]}, \
        load_balancing_policy: {policies: [{typed_extension_config: {name: o, typed_config: {'@type': \
        type.googleapis.com/envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost, \
        override_host_sources: [{header: x-hosts}], fallback_policy: {policies: [{typed_extension_config: {name: r, \
        typed_config: {'@type': type.googleapis.com/envoy.extensions.load_balancing_policies.random.v3.Random}}}]}}}}]}}\n";
    let routes = "- {name: r, virtual_hosts: [{name: v, domains: ['*'], routes: [{match: {prefix: /}, route: {cluster: a, \
        retry_policy: {retry_on: 5xx, num_retries: 3, retry_priority: {name: envoy.retry_priorities.previous_priorities, \
        typed_config: {'@type': type.googleapis.com/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig, \
        update_frequency: 2}}}}}]}]}\n";
    let config = hosts.to_owned() + routes;
    let row = |headers: Value, tried: &[&str]| json!({"i": 0, "path": "/", "headers": headers, "attempt": tried.len(), "tried": tried});
    let listed = json!([["x-hosts", "10.0.0.1:80"]]);
    let rows = [row(listed, &[A, B]), row(json!([]), &[A, B])];
    let answers = picked("retry_listed", &config, &rows);
    assert!(
        answers[0].to_string().contains("override_host"),
        "{}",
        answers[0]
    );
    assert!(
        !answers[1].to_string().contains("override_host"),
        "{}",
        answers[1]
    );
}

/// Envoy 1.40.0 forgets the tried priorities when it asks for the loads of a set without an available
/// priority: here of the default subset, which has no host.
#[test]
fn an_empty_default_subset_makes_previous_priorities_forget() {
    let config = |fallback: &str| {
        format!(
            "- {{name: a, lb_policy: RANDOM, load_assignment: {{cluster_name: a, endpoints: [\
             {{lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 10.0.0.1, port_value: 80}}}}}}}}]}}, \
             {{priority: 1, lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 10.0.0.2, port_value: 80}}}}}}}}]}}]}}, \
             lb_subset_config: {{{fallback}, panic_mode_any: true, \
             subset_selectors: [{{keys: [version]}}]}}}}\n\
             - {{name: r, virtual_hosts: [{{name: v, domains: ['*'], routes: [{{match: {{prefix: /}}, route: {{cluster: a, \
             retry_policy: {{retry_on: 5xx, num_retries: 3, retry_priority: {{name: envoy.retry_priorities.previous_priorities, \
             typed_config: {{'@type': type.googleapis.com/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig, \
             update_frequency: 1}}}}}}}}}}]}}]}}\n"
        )
    };
    let row = json!({"i": 0, "path": "/", "headers": [], "attempt": 1, "tried": ["10.0.0.1:80"]});
    let host = |fallback: &str, name: &str| {
        picked(name, &config(fallback), slice::from_ref(&row))[0]["endpoint"].clone()
    };
    let empty = "fallback_policy: DEFAULT_SUBSET, default_subset: {version: none}";
    assert_eq!(host(empty, "retry_forgets"), "10.0.0.1:80");
    let all = "fallback_policy: ANY_ENDPOINT";
    assert_eq!(host(all, "retry_avoids"), "10.0.0.2:80");
}

/// Envoy 1.40.0 forgets the tried priorities when it clears their exclusion, so the next choice of the
/// same attempt, after a rejected host, has the original loads.
#[test]
fn a_choice_after_a_rejected_host_forgets_cleared_exclusions() {
    let host = |ip: &str, health: &str| {
        format!(
            "{{endpoint: {{address: {{socket_address: {{address: {ip}, port_value: 80}}}}}}, health_status: {health}}}"
        )
    };
    let config = format!(
        "- {{name: a, lb_policy: RANDOM, load_assignment: {{cluster_name: a, endpoints: [\
         {{lb_endpoints: [{}, {}]}}, {{priority: 1, lb_endpoints: [{}, {}, {}]}}]}}}}\n\
         - {{name: r, virtual_hosts: [{{name: v, domains: ['*'], routes: [{{match: {{prefix: /}}, route: {{cluster: a, \
         retry_policy: {{retry_on: 5xx, num_retries: 3, host_selection_retry_max_attempts: 1, \
         retry_host_predicate: [{{name: envoy.retry_host_predicates.previous_hosts, typed_config: {{'@type': \
         type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate}}}}], \
         retry_priority: {{name: envoy.retry_priorities.previous_priorities, typed_config: {{'@type': \
         type.googleapis.com/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig, \
         update_frequency: 1}}}}}}}}}}]}}]}}\n",
        host("10.0.0.1", "UNHEALTHY"),
        host("10.0.0.2", "UNHEALTHY"),
        host("10.0.0.3", "DEGRADED"),
        host("10.0.0.4", "UNHEALTHY"),
        host("10.0.0.5", "UNHEALTHY"),
    );
    let row = json!({"i": 0, "path": "/", "headers": [], "attempt": 1, "tried": ["10.0.0.3:80"]});
    let answer = &picked("retry_cleared", &config, &[row])[0];
    let shares = answer["distribution"].as_array().unwrap();
    let of = |ip: &str| -> f64 {
        let shares = shares.iter().filter(|share| share["endpoint"] == ip);
        shares.map(|share| share["share"].as_f64().unwrap()).sum()
    };
    // First the three hosts of P1, after the rejected one all five, which are all in panic mode.
    for (ip, share) in [
        (1, 1.0 / 15.0),
        (2, 1.0 / 15.0),
        (3, 1.0 / 15.0),
        (4, 0.4),
        (5, 0.4),
    ] {
        let found = of(&format!("10.0.0.{ip}:80"));
        assert!((found - 100.0 * share).abs() < 1e-9, "{ip}: {answer}");
    }
}

/// Envoy 1.40.0 compares hosts, not their addresses: 490 of 1,006 retries after the first of two hosts
/// with one address went to the second, and a host of another cluster is never a previous one.
#[test]
fn a_tried_address_of_several_hosts_does_not_tell_the_previous_host() {
    let cluster = |name: &str, hosts: &[u8]| {
        let hosts: Vec<String> = hosts
            .iter()
            .map(|host| {
                format!("{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{host}, port_value: 80}}}}}}}}")
            })
            .collect();
        format!(
            "- {{name: {name}, lb_policy: RANDOM, load_assignment: {{cluster_name: {name}, endpoints: [{{lb_endpoints: [{}]}}]}}}}\n",
            hosts.join(", ")
        )
    };
    let routes = |action: &str, more: &str| {
        format!(
            "- {{name: r, virtual_hosts: [{{name: v, domains: ['*'], routes: [{{match: {{prefix: /}}, route: {{{action}, \
             retry_policy: {{retry_on: 5xx, {more}retry_host_predicate: [{{name: envoy.retry_host_predicates.previous_hosts, \
             typed_config: {{'@type': type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate}}}}]}}}}}}]}}]}}\n"
        )
    };
    let row = json!({"i": 0, "path": "/", "headers": [], "attempt": 1, "tried": [A]});
    let answer = |name: &str, config: &str| picked(name, config, slice::from_ref(&row))[0].clone();
    let why = "previous_hosts is not modeled where several hosts have the address of a tried one";
    let twice = cluster("a", &[1, 1, 2]) + &routes("cluster: a", "");
    assert_eq!(answer("retry_twice", &twice)["unknown"], why);
    let both = cluster("a", &[1, 3]) + &cluster("b", &[1, 2]);
    let weighted = "weighted_clusters: {clusters: [{name: a, weight: 1}, {name: b, weight: 1}]}";
    let refreshed = both.clone() + &routes(weighted, "refresh_cluster_on_retry: true, ");
    assert_eq!(answer("retry_both", &refreshed)["unknown"], why);
    let kept = answer("retry_kept", &(both + &routes(weighted, "")));
    assert_eq!(kept.get("unknown"), None, "{kept}");
}
