//! What happens to requests that reach no host, next to the hosts of the others.

use serde_json::Value;

use crate::run::spillgate_with;

/// The cluster `a` with one host, `e` without hosts, `d` that drops a quarter, and these routes.
fn routes(routes: &str) -> String {
    let host = "{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}";
    let cluster = |name: &str, assignment: &str| {
        format!("{{name: {name}, load_assignment: {{cluster_name: {name}, {assignment}}}}}")
    };
    let dropped = "policy: {drop_overloads: [{category: x, drop_percentage: {numerator: 25}}]}";
    format!(
        "---\n[{}, {}, {}, {{name: r, virtual_hosts: [{{name: v, domains: ['*'], routes: [{routes}]}}]}}]",
        cluster("a", &format!("endpoints: [{host}]")),
        cluster("e", "endpoints: []"),
        cluster("d", &format!("{dropped}, endpoints: [{host}]")),
    )
}

/// A route to weighted clusters, with further settings.
fn weighted(clusters: &[(&str, u32)], settings: &str) -> String {
    let clusters: Vec<String> = clusters
        .iter()
        .map(|(name, weight)| format!("{{name: {name}, weight: {weight}}}"))
        .collect();
    let clusters = clusters.join(", ");
    format!(
        "{{match: {{prefix: /}}, route: {{{settings}weighted_clusters: {{clusters: [{clusters}]}}}}}}"
    )
}

/// The condition of a route for a share of the requests.
fn fraction(percent: u32) -> String {
    format!("match: {{prefix: /, runtime_fraction: {{default_value: {{numerator: {percent}}}}}}}")
}

/// The lines of the possible outcomes.
fn outcomes(config: &str) -> Vec<String> {
    let ran = spillgate_with(&["explain", "-"], config.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let lines = ran.stdout.lines().map(|line| line.trim().to_owned());
    lines
        .skip_while(|line| line != "Possible outcomes:")
        .skip(1)
        .collect()
}

#[test]
fn outcomes_are_merged_by_host_and_by_response() {
    let twice = weighted(&[("a", 1), ("b", 1), ("a", 1), ("c", 1)], "");
    assert_eq!(
        outcomes(&routes(&twice)),
        [
            "50.00 %  10.0.0.1:80  a P0",
            "50.00 %  503 (unknown cluster)"
        ]
    );
    let code = "cluster_not_found_response_code: INTERNAL_SERVER_ERROR, ";
    let mixed = weighted(&[("a", 1), ("e", 1), ("x", 2)], code);
    assert_eq!(
        outcomes(&routes(&mixed)),
        [
            "25.00 %  10.0.0.1:80  a P0",
            "25.00 %  no host (503)",
            "50.00 %  500 (unknown cluster)"
        ]
    );
    // Weight 0 is no outcome.
    assert!(outcomes(&routes(&weighted(&[("a", 1), ("x", 0)], ""))).is_empty());
}

#[test]
fn responses_of_routes_and_dropped_requests_are_outcomes() {
    let all = format!(
        "{{{}, redirect: {{path_redirect: /x}}}}, {{{}, direct_response: {{status: 418}}}}, {{{}, route: {{cluster: d}}}}",
        fraction(20),
        fraction(40),
        fraction(80)
    );
    assert_eq!(
        outcomes(&routes(&all)),
        [
            "30.00 %  10.0.0.1:80  d P0",
            "20.00 %  301 (responded)",
            "20.00 %  418 (responded)",
            "10.00 %  503 (dropped)",
            "20.00 %  404 (no route)"
        ]
    );
}

#[test]
fn outcomes_without_a_host_have_no_success_status() {
    let redirect = format!("{{{}, redirect: {{path_redirect: /x}}}}", fraction(30));
    let file = crate::run::scratch("replies").join("envoy.yaml");
    std::fs::write(&file, routes(&redirect)).unwrap();
    let row = b"{\"i\":1,\"path\":\"/\"}";
    let ran = spillgate_with(&["pick", file.to_str().unwrap(), "-"], row);
    let row: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(row["status"], 404);
    assert_eq!(row["no_host"], 100.0);
    let replies = row["replies"].as_array().unwrap();
    let reasons: Vec<&str> = replies
        .iter()
        .map(|reply| reply["reason"].as_str().unwrap())
        .collect();
    assert_eq!(reasons, ["responded", "no_route"]);
}

/// Envoy 1.40 answers requests of gRPC itself with 200 and a `grpc-status`.
#[test]
fn responses_to_grpc_have_a_status_of_their_own() {
    let config = routes("{match: {prefix: /e}, route: {cluster: e}}");
    for (content_type, path, expected) in [
        (
            "application/grpc",
            "/e",
            "503 (no host), for gRPC 200 with grpc-status 14 (UNAVAILABLE)",
        ),
        (
            "application/grpc+proto",
            "/x",
            "404 (no route), for gRPC 200 with grpc-status 12 (UNIMPLEMENTED)",
        ),
        ("application/json", "/e", "503 (no host)"),
    ] {
        let header = format!("content-type: {content_type}");
        let ran = spillgate_with(
            &["explain", "-", "--path", path, "--header", &header],
            config.as_bytes(),
        );
        let first = ran.stdout.lines().next().unwrap_or_default();
        assert!(first.ends_with(expected), "{first}");
    }
}
