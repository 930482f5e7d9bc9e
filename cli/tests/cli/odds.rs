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
