//! `spillgate explain --log`: lines of access logs, their requests, flags and hosts.

use serde_json::{Value, json};

use crate::run::{Ran, assert_golden, spillgate, spillgate_with};

/// A line in Envoy's default format.
fn envoy(request: &str, result: &str, host: &str) -> String {
    format!(
        "[2026-11-29T10:00:00.000Z] \"{request} HTTP/1.1\" {result} 0 154 3 2 \"-\" \"curl/8.14.1\" \
         \"0d2c\" \"shop.example\" \"{host}\""
    )
}

/// The explanation of a line as text.
fn explained(line: &str, more: &[&str]) -> Ran {
    let args = ["explain", "shop.yaml", "--listener", "edge", "--log", line];
    let ran = spillgate(&[&args, more].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{line}");
    ran
}

/// The key `log` of the explanation.
fn log_of(line: &str, more: &[&str]) -> Value {
    let ran = explained(line, &[more, &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    json["log"].clone()
}

/// The texts of a key.
fn texts(log: &Value, key: &str) -> String {
    let texts = log[key].as_array().unwrap().iter();
    texts
        .map(|text| text.as_str().unwrap())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn explanations_of_lines_match_the_golden_file() {
    let lines = [
        envoy("GET /shop/cart", "200 -", "10.0.1.1:80"),
        envoy("GET /shop/cart", "200 -", "10.0.9.9:80"),
        envoy("GET /down", "503 UH", "-"),
        envoy("GET /elsewhere", "404 NR", "-"),
    ];
    let texts = lines.map(|line| explained(&line, &[]).stdout);
    assert_golden("explain-log.txt", &texts.join("\n"));
}

/// The three formats state the same request.
#[test]
fn every_format_gives_the_same_request() {
    let istio = "[2026-11-29T10:00:00.000Z] \"GET /shop/cart HTTP/2\" 200 - via_upstream - \"-\" 0 154 3 2 \
        \"-\" \"curl/8.14.1\" \"0d2c\" \"shop.example\" \"10.0.1.1:80\" shop 10.9.0.1:41000 127.0.0.1:10000 \
        10.9.0.2:42000 - -";
    let json = json!({
        "method": "GET", "path": "/shop/cart", "authority": "shop.example", "response_code": 200,
        "response_flags": "-", "upstream_host": "10.0.1.1:80", "user_agent": "curl/8.14.1", "route_name": null,
        "x_forwarded_for": "-", "request_id": "0d2c", "other": {"a": [1]},
    });
    let gateway = json!({
        ":authority": "shop.example", "method": "GET", "x-envoy-origin-path": "/shop/cart",
        "response_code": "200", "response_flags": "", "upstream_host": "10.0.1.1:80",
    });
    let lines = [
        (envoy("GET /shop/cart", "200 -", "10.0.1.1:80"), "envoy"),
        (istio.to_owned(), "istio"),
        (json.to_string(), "json"),
        (gateway.to_string(), "json"),
    ];
    for (line, format) in lines {
        let text = explained(&line, &["--header", "x-tier: silver"]).stdout;
        assert!(
            text.starts_with("GET shop.example/shop/cart -> 10.0.1.1:80, random"),
            "{text}"
        );
        let log = log_of(&line, &[]);
        assert_eq!(log["format"], format, "{line}");
        // 70 % of the requests use P0 of the primary, whose weights are 1 and 3.
        assert_eq!(
            (&log["status"], &log["share"]),
            (&json!(200), &json!(5250)),
            "{log}"
        );
        assert_eq!(log["differs"], json!([]), "{line}");
    }
}

#[test]
fn options_replace_and_complete_the_line() {
    let line = envoy("GET /shop/cart", "200 -", "10.1.0.1:80");
    // The route for the header is the only one that always uses the secondary.
    let log = log_of(&line, &["--header", "x-tier: gold"]);
    assert_eq!(
        (&log["share"], texts(&log, "causes")),
        (&json!(10000), String::new()),
        "{log}"
    );
    let log = log_of(&line, &[]);
    assert_eq!(log["share"], 3000);
    assert!(texts(&log, "causes").contains("--header: x-tier"), "{log}");
    let text = explained(
        &line,
        &["--path", "/keyed", "--host", "other", "--method", "PUT"],
    )
    .stdout;
    assert!(text.starts_with("PUT other/keyed -> "), "{text}");
}

#[test]
fn flags_are_explained_for_the_configuration() {
    let here = |log: &Value| texts(&log["flags"][0], "here");
    // No host of P0 is healthy, and the panic threshold is 0.
    let log = log_of(&envoy("GET /down", "503 UH", "-"), &[]);
    assert_eq!(
        (&log["flags"][0]["flag"], &log["share"]),
        (&json!("UH"), &json!(10000))
    );
    assert!(
        here(&log).contains("healthy hosts of down: P0 0 of 1; panic threshold 0 %"),
        "{log}"
    );
    assert_eq!(log["differs"], json!([]));
    // Here the cluster has hosts, and would use them in panic mode.
    let log = log_of(
        &envoy("GET /keyed", "503 UH", "-"),
        &["--header", "x-user: u1"],
    );
    assert!(here(&log).contains("panic mode still chooses one"), "{log}");
    assert!(
        texts(&log, "differs").contains("no such request ends without a host"),
        "{log}"
    );
    assert!(texts(&log, "causes").contains("--health"), "{log}");
    // The nearest route, and one that does not fit.
    let log = log_of(&envoy("GET /keyes", "404 NR", "-"), &[]);
    assert!(
        here(&log).contains("virtual host shop is that with prefix \"/keyed\""),
        "{log}"
    );
    let log = log_of(&envoy("GET /keyed", "404 NR", "-"), &[]);
    assert!(
        texts(&log, "differs").contains("no such request matches no route"),
        "{log}"
    );
    let log = log_of(&envoy("GET /keyed", "503 NC", "-"), &[]);
    assert!(
        texts(&log, "differs").contains("selects a cluster that does not exist"),
        "{log}"
    );
    // Several flags, and a route without retries.
    let log = log_of(&envoy("GET /keyed", "503 UF,URX", "10.2.0.1:80"), &[]);
    let names = [&log["flags"][0]["flag"], &log["flags"][1]["flag"]];
    assert_eq!(names, [&json!("UF"), &json!("URX")]);
    assert!(texts(&log, "differs").contains("does not retry"), "{log}");
    let log = log_of(&envoy("GET /keyed", "0 DC", "10.2.0.1:80"), &[]);
    assert_eq!((&log["status"], here(&log)), (&Value::Null, String::new()));
}

#[test]
fn a_host_that_is_not_possible_is_a_difference_with_its_reason() {
    let differs = |host: &str| {
        let log = log_of(&envoy("GET /shop/cart", "200 -", host), &[]);
        assert_eq!(log["share"], 0);
        texts(&log, "differs")
    };
    assert_eq!(
        differs("10.7.0.1:80"),
        "no cluster of this configuration has the host 10.7.0.1:80"
    );
    // Unhealthy, and in another cluster.
    let unhealthy = differs("10.0.0.2:80");
    assert!(
        unhealthy.contains("do not go to 10.0.0.2:80 (primary P0)"),
        "{unhealthy}"
    );
    let other = differs("10.2.0.1:80");
    assert!(
        other.contains("do not go to 10.2.0.1:80 (keyed P0)"),
        "{other}"
    );
    // The cluster of the line.
    let line =
        json!({"path": "/shop", "upstream_cluster": "keyed", "upstream_host": "10.2.0.1:80"});
    let log = log_of(&line.to_string(), &[]);
    assert!(texts(&log, "differs").contains("and not keyed"), "{log}");
}

/// The steps of a random choice lead to the host of the line.
#[test]
fn the_steps_lead_to_the_host_of_the_line() {
    for host in ["10.0.0.1:80", "10.0.1.1:80", "10.1.0.1:80"] {
        let line = envoy("GET /shop/cart", "200 -", host);
        let text = explained(&line, &[]).stdout;
        let start = format!("GET shop.example/shop/cart -> {host}, random, with seed ");
        assert!(text.starts_with(&start), "{text}");
    }
    let line = envoy("GET /shop/cart", "200 -", "10.0.0.1:80");
    let seeds: Vec<String> = ["0", "1", "2", "3"]
        .map(|seed| explained(&line, &["--seed", seed]).stdout)
        .into();
    assert!(
        seeds
            .iter()
            .enumerate()
            .all(|(seed, text)| text.contains(&format!("with seed {seed}\n")))
    );
}

#[test]
fn lines_come_from_standard_input_too() {
    let line = envoy("GET /down", "503 UH", "-") + "\n";
    let args = ["explain", "shop.yaml", "--listener", "edge", "--log", "-"];
    let ran = spillgate_with(&args, line.as_bytes());
    assert_eq!(ran.stdout, explained(&line, &[]).stdout);
    let two = spillgate_with(&args, (line.clone() + &line).as_bytes());
    assert_eq!(two.status, 2);
    two.assert_error_has(
        "--log:2:1: log/syntax: more than one line; found 2 lines, expected one line",
    );
    let twice = spillgate_with(&["explain", "-", "--log", "-"], b"");
    twice.assert_error_has("input/twice");
}

/// The local address of the line chooses the listener.
#[test]
fn the_listener_is_that_of_the_line() {
    let line = json!({"path": "/", "downstream_local_address": "127.0.0.1:10001", "upstream_host": "10.1.0.1:80"});
    let ran = spillgate(&[
        "explain",
        "shop.yaml",
        "--log",
        &line.to_string(),
        "--format",
        "json",
    ]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    ran.assert_output_has("\"share\":10000");
}

/// Errors name the column, what was found and what was expected. They repeat at most a few characters.
#[test]
fn unreadable_lines_are_errors_with_their_column() {
    let secret = "c2VjcmV0LXRva2VuLW9mLWEtdXNlcg";
    let good = envoy(&format!("GET /?token={secret}"), "200 -", "10.1.0.1:80");
    let lines = [
        (
            "".to_owned(),
            "1:1: log/syntax: no start time; found the end of the line, expected the start time",
        ),
        (
            good.replace('[', "("),
            "1:1: log/syntax: no start time; found \"(2026-11-29T\"...",
        ),
        (
            good.replace(" HTTP/1.1", ""),
            "1:28: log/syntax: unreadable request line",
        ),
        (
            good.replace(" 200 ", " OK "),
            "not a response code; found \"OK\", expected 0 or 100 to 599",
        ),
        (
            good.replace(" - 0 ", " UX 0 "),
            "unknown response flag; found \"UX\", expected a flag of Envoy",
        ),
        (
            good.replace(" 154 ", " x "),
            "not a number; found \"x\", expected the bytes sent",
        ),
        (
            good.replace("\"curl", "curl"),
            "missing field; found \"curl/8.14.1\\\"\", expected the user agent in quotes",
        ),
        (
            good.clone() + " more",
            "text after the last field; found \"more\", expected the end of the line",
        ),
        (
            good.trim_end_matches('"').to_owned(),
            "a quote without its end",
        ),
        (
            "{\"a\": 1}".to_owned(),
            "1:1: log/syntax: no key of an access log; expected keys such as method",
        ),
        (
            "{\"path\": 5, \"response_code\": 999}".to_owned(),
            "1:10: log/syntax: wrong value; found 5",
        ),
        (
            "{\"path\": 5, \"response_code\": 999}".to_owned(),
            "1:30: log/syntax: wrong value; found 999",
        ),
        ("{\"path\": ".to_owned(), "config/truncated"),
    ];
    for (line, expected) in lines {
        let ran = spillgate(&["explain", "shop.yaml", "--listener", "edge", "--log", &line]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{line}");
        ran.assert_error_has(expected);
        assert!(!ran.stderr.contains(secret), "{}", ran.stderr);
    }
    let connection = "[2026-11-29T10:00:00.000Z] \"- - -\" 0 NR filter_chain_not_found - \"-\" 0 0 0 - \
        \"-\" \"-\" \"-\" \"-\" \"-\" - - 127.0.0.1:10000 10.9.0.2:42000 - -";
    let ran = spillgate(&[
        "explain",
        "shop.yaml",
        "--listener",
        "edge",
        "--log",
        connection,
    ]);
    assert_eq!(ran.status, 2);
    ran.assert_error_has(
        "--log: log/no-path: the line has no path (NR: no route matched the request",
    );
}

/// The address that Envoy appended to `x-forwarded-for` is the client's.
#[test]
fn the_client_address_comes_from_the_forwarded_addresses() {
    let config = r#"
static_resources:
  listeners:
  - address: {socket_address: {address: 0.0.0.0, port_value: 80}}
    filter_chains:
    - filters:
      - name: h
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          use_remote_address: true
          route_config: {virtual_hosts: [{name: a, domains: ["*"], routes: [{match: {prefix: /}, route: {cluster: c, hash_policy: [{connection_properties: {source_ip: true}}]}}]}]}
          http_filters: [{name: r, typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}]
  clusters:
  - name: c
    lb_policy: MAGLEV
    load_assignment: {cluster_name: c, endpoints: [{lb_endpoints: [HOSTS]}]}
"#;
    let hosts: Vec<String> = (1..=20)
        .map(|host| format!("{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{host}, port_value: 80}}}}}}}}"))
        .collect();
    let config = config.replace("HOSTS", &hosts.join(", "));
    let host_of = |more: &[&str]| {
        let args = [&["explain", "-", "--format", "json"], more].concat();
        let ran = spillgate_with(&args, config.as_bytes());
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        json["endpoint"].as_str().unwrap().to_owned()
    };
    let line = |forwarded: &str| json!({"path": "/", "x_forwarded_for": forwarded}).to_string();
    let of_source = |source: &str| host_of(&["--source", source]);
    assert_eq!(
        host_of(&["--log", &line("192.0.2.7, 198.51.100.4")]),
        of_source("198.51.100.4:1")
    );
    assert_eq!(
        host_of(&["--log", &line("192.0.2.7")]),
        of_source("192.0.2.7:1")
    );
    assert_ne!(of_source("192.0.2.7:1"), of_source("198.51.100.4:1"));
}
