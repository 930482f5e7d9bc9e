//! `ORIGINAL_DST` clusters and `use_original_dst`: the answers of Envoy 1.40 to PROXY headers.

use serde_json::Value;

use crate::run::{scratch, spillgate_with};

const ORIGINAL_DST: &str = "listener_filters: [{name: o, typed_config: {'@type': type.googleapis.com/envoy.extensions.filters.listener.original_dst.v3.OriginalDst}}]";
const TLS_INSPECTOR: &str = "listener_filters: [{name: t, typed_config: {'@type': type.googleapis.com/envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector}}]";

/// A listener whose requests go to a cluster, with more settings.
fn listener(name: &str, address: &str, cluster: &str, more: &str) -> String {
    let (ip, port) = address.rsplit_once(':').unwrap();
    format!(
        "  - name: {name}\n    address: {{socket_address: {{address: {ip}, port_value: {port}}}}}\n    {more}\n    filter_chains: [{{filters: [{{name: h, typed_config: {{'@type': type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, route_config: {{virtual_hosts: [{{name: v, domains: ['*'], routes: [{{match: {{prefix: /}}, route: {{cluster: {cluster}}}}}]}}]}}}}}}]}}]\n"
    )
}

fn config() -> String {
    let listeners = [
        listener("own", "127.0.0.1:19001", "any", ""),
        listener("tls", "127.0.0.1:19006", "any", TLS_INSPECTOR),
        listener("restored", "127.0.0.1:19002", "any", ORIGINAL_DST),
        listener("header", "127.0.0.1:19007", "header", ORIGINAL_DST),
        listener(
            "redirect",
            "127.0.0.1:19005",
            "any",
            "use_original_dst: true",
        ),
        listener("exact", "127.0.40.2:18090", "exact", "bind_to_port: false"),
        listener("wide", "0.0.0.0:18090", "port", "bind_to_port: false"),
        listener("bound", "127.0.40.3:19010", "port", ""),
    ];
    let cluster = |name: &str, more: &str| {
        format!("  - {{name: {name}, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED{more}}}\n")
    };
    let port = ", original_dst_lb_config: {upstream_port_override: 18080}";
    format!(
        "static_resources:\n  listeners:\n{}  clusters:\n{}{}{}{}",
        listeners.concat(),
        cluster("any", ""),
        cluster("exact", port),
        cluster("port", port),
        cluster(
            "header",
            ", original_dst_lb_config: {use_http_header: true}"
        ),
    )
}

/// The answer to a request of a listener, as one row of `pick`.
fn picked(listener: &str, more: &str) -> Value {
    let requests = scratch("original-dst").join(format!("{listener}{}.jsonl", more.len()));
    std::fs::write(&requests, format!("{{\"i\":0,\"path\":\"/\"{more}}}\n")).unwrap();
    let requests = requests.to_str().unwrap();
    let args = ["pick", "-", requests, "--listener", listener];
    let ran = spillgate_with(&args, config().as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The host of `explain`, or its answer without one, in the first line.
fn explained(listener: &str, local: &[&str]) -> String {
    let args = [&["explain", "-", "--listener", listener], local].concat();
    let ran = spillgate_with(&args, config().as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let first = ran.stdout.lines().next().unwrap_or_default();
    first.split(" -> ").nth(1).unwrap_or_default().to_owned()
}

#[test]
fn without_a_listener_filter_the_cluster_has_no_host() {
    let local = r#","local":"127.0.40.2:18080""#;
    for listener in ["own", "tls"] {
        assert_eq!(picked(listener, local)["status"], 503, "{listener}");
        let args = ["--local", "127.0.40.2:18080"];
        assert!(explained(listener, &args).starts_with("503"), "{listener}");
    }
    let found = picked("restored", local);
    assert_eq!(found["endpoint"], "127.0.40.2:18080");
    let args = ["--local", "127.0.40.2:18080"];
    assert_eq!(explained("restored", &args), "127.0.40.2:18080");
}

#[test]
fn an_invalid_header_leaves_the_original_destination() {
    let to = |header: &str| {
        let headers = format!(
            r#","local":"127.0.40.2:18080","headers":[["x-envoy-original-dst-host","{header}"]]"#
        );
        picked("header", &headers)["endpoint"].clone()
    };
    assert_eq!(to("127.0.40.1:18080"), "127.0.40.1:18080");
    assert_eq!(to("nonsense"), "127.0.40.2:18080");
}

#[test]
fn the_host_is_unknown_without_the_destination() {
    let found = picked("restored", "");
    let why = "the original destination of the connection is not given";
    assert_eq!(found["unknown"], why);
    assert_eq!(found["cluster"], "any");
    assert_eq!(
        explained("restored", &[]),
        format!("unknown (cluster any: {why})")
    );
    // A header has it.
    let header = r#","headers":[["x-envoy-original-dst-host","127.0.40.1:18080"]]"#;
    assert_eq!(picked("header", header)["endpoint"], "127.0.40.1:18080");
}

#[test]
fn use_original_dst_hands_the_connection_to_the_listener_of_its_destination() {
    for (local, cluster, host) in [
        ("127.0.40.2:18090", "exact", "127.0.40.2:18080"),
        ("127.0.40.9:18090", "port", "127.0.40.9:18080"),
        ("127.0.40.3:19010", "port", "127.0.40.3:18080"),
        // No listener has it.
        ("127.0.40.9:18091", "any", "127.0.40.9:18091"),
    ] {
        let found = picked("redirect", &format!(r#","local":"{local}""#));
        assert_eq!(
            (&found["cluster"], &found["endpoint"]),
            (&cluster.into(), &host.into())
        );
        assert_eq!(found.get("limits"), None, "{local}");
        assert_eq!(explained("redirect", &["--local", local]), host);
    }
    // Connections reach a listener with a port of its own directly, too.
    let direct = picked("bound", r#","local":"127.0.40.3:19010""#);
    assert_eq!(direct["status"], 503);
}

#[test]
fn without_the_destination_the_listener_of_a_connection_is_a_limit() {
    let found = picked("redirect", "");
    let effect = found["limits"][0]["effect"].as_str().unwrap();
    assert!(
        effect.starts_with("use_original_dst hands connections"),
        "{effect}"
    );
    assert_eq!(picked("own", "").get("limits"), None);
}

/// The answer to a row of `pick`, for requests to the `ORIGINAL_DST` cluster `any` with a session in
/// the header `x-sess`, and to the cluster `static` as often.
fn shared(name: &str, row: &str) -> Value {
    let config = "\
static_resources:
  listeners:
  - name: l
    address: {socket_address: {address: 127.0.0.1, port_value: 19001}}
    filter_chains: [{filters: [{name: h, typed_config: {'@type': type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, http_filters: [{name: s, typed_config: {'@type': type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession, session_state: {name: envoy.http.stateful_session.header, typed_config: {'@type': type.googleapis.com/envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState, name: x-sess}}}}], route_config: {virtual_hosts: [{name: v, domains: ['*'], routes: [{match: {prefix: /}, route: {retry_policy: {retry_on: 5xx}, weighted_clusters: {clusters: [{name: any, weight: 1}, {name: static, weight: 1}]}}}]}]}}}]}]
  clusters:
  - {name: any, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED, original_dst_lb_config: {use_http_header: true}}
  - {name: static, type: STATIC, load_assignment: {cluster_name: static, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 127.0.40.5, port_value: 80}}}}]}]}}
";
    let requests = scratch("original-dst-shared").join(format!("{name}.jsonl"));
    std::fs::write(&requests, format!("{{\"i\":0,\"path\":\"/\"{row}}}\n")).unwrap();
    let ran = spillgate_with(
        &["pick", "-", requests.to_str().unwrap()],
        config.as_bytes(),
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn a_tried_host_that_the_request_does_not_name_is_of_another_cluster() {
    let tried = |host: &str| {
        let row = format!(
            r#","headers":[["x-envoy-original-dst-host","127.0.40.1:80"]],"attempt":1,"tried":["{host}"]"#
        );
        shared(&host.replace([':', '.'], "-"), &row)["endpoint"].clone()
    };
    assert_eq!(tried("127.0.40.5:80"), "127.0.40.5:80");
    assert_eq!(tried("127.0.40.1:80"), "127.0.40.1:80");
}

/// Envoy 1.40 keeps the hosts of earlier requests, and accepts them as hosts of sessions.
#[test]
fn a_session_with_another_host_than_the_request_is_unknown() {
    let session = |name: &str, address: &str| {
        // 127.0.40.1:80 and 127.0.40.2:80 in Base64.
        let row = format!(
            r#","headers":[["x-envoy-original-dst-host","127.0.40.1:80"],["x-sess","{address}"]]"#
        );
        shared(name, &row)
    };
    let other = session("other", "MTI3LjAuNDAuMjo4MA==");
    let why = "the cluster has the host of the session only if an earlier request went there";
    assert_eq!(other["unknown"], why);
    assert_eq!(other["cluster"], "any");
    let same = session("same", "MTI3LjAuNDAuMTo4MA==");
    assert_eq!(same.get("unknown"), None, "{same}");
}

#[test]
fn a_listener_without_a_port_is_named_if_no_other_hands_connections_to_it() {
    let listeners = |redirect: &str| {
        let wide = listener("wide", "0.0.0.0:18090", "port", "bind_to_port: false");
        let other = listener("other", "127.0.0.1:19005", "port", redirect);
        let config = format!(
            "static_resources:\n  listeners:\n{wide}{other}  clusters:\n  - {{name: port, type: STATIC}}\n"
        );
        let args = ["explain", "-", "--listener", "wide", "--format", "json"];
        let ran = spillgate_with(&args, config.as_bytes());
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        let limits = answer["limits"].as_array().into_iter().flatten();
        let effects = limits.map(|limit| limit["effect"].as_str().unwrap());
        effects
            .filter(|effect| effect.contains("bind_to_port"))
            .count()
    };
    assert_eq!(listeners(""), 1);
    assert_eq!(listeners("use_original_dst: true"), 0);
}
