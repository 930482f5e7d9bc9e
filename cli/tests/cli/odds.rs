//! `--failed`: the probability that a request succeeds.

use crate::run::spillgate_with;

/// A route with three retries to a cluster with two hosts and these circuit breakers.
fn config(breakers: &str) -> String {
    let host = |last: u8| {
        format!(
            "{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{last}, port_value: 80}}}}}}}}"
        )
    };
    format!(
        "- {{name: c, lb_policy: RANDOM, {breakers}load_assignment: {{cluster_name: c, endpoints: [{{lb_endpoints: [{}, {}]}}]}}}}\n\
         - {{name: r, virtual_hosts: [{{name: v, domains: ['*'], routes: [{{match: {{prefix: /}}, route: {{cluster: c, \
         retry_policy: {{retry_on: connect-failure, num_retries: 3}}}}}}]}}]}}\n",
        host(1),
        host(2)
    )
}

/// `config` with this text at the end of the retry policy, and this one in the route.
fn with_route(policy: &str, route: &str) -> String {
    let retries = "num_retries: 3";
    let config = config("");
    assert!(config.contains(retries));
    let changed = format!("{retries}{policy}}}{route}");
    config.replace("num_retries: 3}", &changed)
}

/// A TCP proxy that connects this often to the targets.
fn tcp(attempts: &str, target: &str) -> String {
    let host = |cluster: &str, last: u8| {
        format!(
            "{{name: {cluster}, lb_policy: RANDOM, load_assignment: {{cluster_name: {cluster}, endpoints: [{{lb_endpoints: \
             [{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{last}, port_value: 80}}}}}}}}]}}]}}}}"
        )
    };
    format!(
        "static_resources: {{clusters: [{}, {}], listeners: [{{name: l, address: {{socket_address: {{address: 10.0.1.1, \
         port_value: 80}}}}, filter_chains: [{{filters: [{{name: t, typed_config: {{'@type': \
         type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy, stat_prefix: t, {attempts}{target}}}}}]}}]}}]}}",
        host("dead", 1),
        host("works", 2)
    )
}

fn answer(command: &[&str], config: &str) -> String {
    let failed = ["--failed", "10.0.0.1:80"];
    let arguments = [command, &failed].concat();
    let ran = spillgate_with(&arguments, config.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.stdout
}

#[test]
fn no_request_is_retried_if_the_circuit_breaker_allows_no_retry() {
    let breakers = "circuit_breakers: {thresholds: [{max_retries: 0}]}, ";
    let what_if = ["what-if", "-", "--cluster", "c"];
    for command in [&["explain", "-"][..], &what_if] {
        let total = |breakers: &str| {
            let answer = answer(command, &config(breakers));
            (answer.contains("93.75 %"), answer)
        };
        let (retried, text) = total("");
        assert!(retried, "{text}");
        let (retried, text) = total(breakers);
        assert!(!retried && text.contains("50.00 %"), "{text}");
    }
}

/// Envoy 1.40.0: a request without the header is not retried; the route's changes count.
#[test]
fn requests_that_do_not_fulfill_retriable_request_headers_are_not_retried() {
    let condition = ", retriable_request_headers: [{name: x-a, present_match: true}, {name: :path, string_match: {prefix: /new}}]";
    let config = with_route(condition, "");
    for (arguments, expected) in [
        (&["explain", "-"][..], "50.00 %  in total"),
        (&["explain", "-", "--header", "x-a: 1"], "93.75 %  in total"),
        (&["explain", "-", "--path", "/new"], "93.75 %  in total"),
    ] {
        let text = answer(arguments, &config);
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
    let rewritten = with_route(condition, ", prefix_rewrite: /new");
    let text = answer(&["explain", "-"], &rewritten);
    assert!(text.contains("93.75 %  in total"), "{text}");
    let text = answer(&["what-if", "-", "--cluster", "c"], &config);
    assert!(
        text.contains("depends on the request's headers; `explain --failed`"),
        "{text}"
    );
}

/// Envoy 1.40.0 with a timeout of 20 ms and a back-off of 200 ms: 504 instead of a retry.
#[test]
fn a_timeout_that_can_end_the_retries_is_named() {
    let slow = ", retry_back_off: {base_interval: 0.2s}";
    let ends = "can end a request before its retries";
    for command in [&["explain", "-"][..], &["what-if", "-", "--cluster", "c"]] {
        for (policy, route, named) in [
            ("", "", None),
            ("", ", timeout: 0.2s", None),
            ("", ", timeout: 0.1s", Some("timeout")),
            ("", ", timeout: 0s", None),
            (slow, ", timeout: 1.5s", None),
            (slow, ", timeout: 1.4s", Some("timeout")),
            (
                slow,
                ", max_stream_duration: {max_stream_duration: 1s}",
                Some("max_stream_duration"),
            ),
            (
                ", retry_back_off: {base_interval: 9s}",
                "",
                Some("the default timeout of 15 s"),
            ),
        ] {
            let text = answer(command, &with_route(policy, route));
            match named {
                Some(name) => assert!(text.contains(&format!("{name} {ends}")), "{text}"),
                None => assert!(!text.contains(ends), "{policy}{route}: {text}"),
            }
        }
    }
}

#[test]
fn the_runtime_can_change_the_back_off() {
    let config = config("");
    let named = |milliseconds: u32| {
        let runtime = format!(
            "layered_runtime: {{layers: [{{name: a, static_layer: {{upstream.base_retry_backoff_ms: {milliseconds}}}}}]}}\n"
        );
        // Two resources of a list, and the bootstrap with the runtime.
        let text = format!("{config}- {{{}}}\n", runtime.trim());
        let ran = spillgate_with(
            &["explain", "-", "--failed", "10.0.0.1:80"],
            text.as_bytes(),
        );
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.stdout.contains("the default timeout of 15 s can end")
    };
    assert!(named(5_000));
    assert!(!named(100));
}

/// Envoy 1.40.0: 297 of 400 connections succeed with two attempts, 204 with one.
#[test]
fn each_attempt_of_a_tcp_proxy_chooses_a_cluster_again() {
    let weighted =
        "weighted_clusters: {clusters: [{name: dead, weight: 1}, {name: works, weight: 1}]}";
    let what_if = ["what-if", "-", "--cluster", "works"];
    for (attempts, of_explain, of_what_if) in [
        ("", "50.00 %  in total", "50.00 % in total"),
        (
            "max_connect_attempts: 2, ",
            "75.00 %  in total",
            "75.00 % in total",
        ),
    ] {
        let config = tcp(attempts, weighted);
        let text = answer(&["explain", "-"], &config);
        assert!(
            text.contains(of_explain) && !text.contains("at worst"),
            "{text}"
        );
        let text = answer(&what_if, &config);
        assert!(
            text.contains(of_what_if) && !text.contains("max_retries"),
            "{text}"
        );
    }
    let text = answer(
        &["explain", "-"],
        &tcp("max_connect_attempts: 3, ", "cluster: dead"),
    );
    assert!(
        text.contains("0.00 %  in total; 100.00 % fail after up to 2 retries"),
        "{text}"
    );
}

/// Envoy 1.40.0: with localities of equal weights, a retry always gets the other locality if nothing else is sent.
#[test]
fn attempts_that_take_turns_are_not_independent() {
    let weighted = |text: &str| {
        let localities = config("common_lb_config: {locality_weighted_lb_config: {}}, ");
        let apart = "}}}, {endpoint";
        assert!(localities.contains(apart));
        let next = format!(
            "}}}}}}], {text}locality: {{zone: a}}}}, {{{text}locality: {{zone: b}}, lb_endpoints: [{{endpoint"
        );
        localities.replace(apart, &next)
    };
    for (config, turns) in [
        (config(""), false),
        (config("").replace("RANDOM", "RING_HASH"), false),
        (config("").replace("RANDOM", "LEAST_REQUEST"), false),
        (
            config("").replace("RANDOM", "LEAST_REQUEST").replacen(
                "{endpoint: ",
                "{load_balancing_weight: 2, endpoint: ",
                1,
            ),
            true,
        ),
        (weighted("load_balancing_weight: 1, "), true),
        (
            weighted("load_balancing_weight: 1, ").replace("RANDOM", "MAGLEV"),
            false,
        ),
    ] {
        for command in [&["explain", "-"][..], &["what-if", "-", "--cluster", "c"]] {
            let text = answer(command, &config);
            assert_eq!(
                text.contains("hosts take turns in c"),
                turns,
                "{config}{text}"
            );
        }
    }
}
