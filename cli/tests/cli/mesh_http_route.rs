//! HTTPRoutes of Services in Istio's translation: rewrites, filters of backends, and status codes of retries.

use crate::run::spillgate_with;

const SERVICE: &str = "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {clusterIP: 10.1.0.1, selector: {app: a}, ports: [{port: 80, name: http}]}}";
const POD: &str = "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: a, istio-locality: r.z1}}, status: {podIP: 10.0.0.1}}";

/// The conversion of a rule of an HTTPRoute, and the warnings.
fn converted(rule: &str) -> (String, String) {
    let route = format!(
        "{{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {{name: r}}, spec: {{parentRefs: [{{kind: Service, group: '', name: a}}], rules: [{rule}]}}}}"
    );
    let text = format!("---\n{SERVICE}\n---\n{POD}\n---\n{route}");
    let args = ["convert", "-", "--as", "zone:r/z1", "--to", "envoy"];
    let ran = spillgate_with(&args, text.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    (ran.stdout, ran.stderr)
}

#[test]
fn the_prefix_that_becomes_a_slash_takes_its_own_slash() {
    let rule = |to: &str| {
        format!(
            "{{matches: [{{path: {{type: PathPrefix, value: /v1.0}}}}], filters: [{{type: URLRewrite, urlRewrite: {{path: {{type: ReplacePrefixMatch, replacePrefixMatch: {to}}}}}}}], backendRefs: [{{name: a, port: 80}}]}}"
        )
    };
    let (written, _) = converted(&rule("/"));
    assert!(
        written.contains(r"^/v1\.0(/?)(.*)") || written.contains(r"^/v1\\.0(/?)(.*)"),
        "{written}"
    );
    assert!(!written.contains("prefix_rewrite"), "{written}");
    let (written, _) = converted(&rule("/other/"));
    assert!(written.contains("prefix_rewrite: /other"), "{written}");
}

#[test]
fn a_backend_with_another_filter_than_header_changes_rejects_the_route() {
    let rule = |filter: &str| {
        format!(
            "{{matches: [{{path: {{type: PathPrefix, value: /x}}}}], backendRefs: [{{name: a, port: 80, filters: [{filter}]}}]}}"
        )
    };
    let rewrite = "{type: URLRewrite, urlRewrite: {hostname: b}}";
    let (written, warnings) = converted(&rule(rewrite));
    assert!(warnings.contains("mesh/route-left-out"), "{warnings}");
    assert!(
        warnings.contains("filter type URLRewrite of a backend"),
        "{warnings}"
    );
    assert!(!written.contains("/x"), "{written}");
    let changes =
        "{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: k, value: v}]}}";
    let (written, warnings) = converted(&rule(changes));
    assert!(!warnings.contains("warning"), "{warnings}");
    assert!(written.contains("/x"), "{written}");
}

#[test]
fn status_codes_of_retries_are_written() {
    let rule = "{retry: {codes: [503, 429]}, backendRefs: [{name: a, port: 80}]}";
    let (written, _) = converted(rule);
    assert!(written.contains("retriable-status-codes"), "{written}");
    assert!(
        written.contains("retriable_status_codes: [503, 429]"),
        "{written}"
    );
}
