//! Wrong values of MeshHealthCheck, MeshCircuitBreaker, MeshRetry and MeshTimeout, and their parts that are named.

use spillgate_config::{Diagnostic, envoy::Format, mesh::read};

use crate::mesh_kuma_health::policy;

fn faults(text: &str) -> Vec<Diagnostic> {
    read(text, Format::Yaml, 0).err().unwrap_or_default()
}

#[test]
fn wrong_values_are_errors_with_their_paths() {
    for (kind, conf, field, code) in [
        (
            "MeshHealthCheck",
            "{interval: 0s, http: {}}",
            "interval",
            "config/value",
        ),
        (
            "MeshHealthCheck",
            "{interval: 10, http: {}}",
            "interval",
            "config/type",
        ),
        (
            "MeshHealthCheck",
            "{unhealthyThreshold: 0, http: {}}",
            "unhealthyThreshold",
            "config/value",
        ),
        (
            "MeshHealthCheck",
            "{intervalJitterPercent: 101, http: {}}",
            "intervalJitterPercent",
            "config/value",
        ),
        (
            "MeshHealthCheck",
            "{healthyPanicThreshold: 101, http: {}}",
            "healthyPanicThreshold",
            "config/value",
        ),
        (
            "MeshHealthCheck",
            "{http: {expectedStatuses: [99]}}",
            "http.expectedStatuses[0]",
            "config/type",
        ),
        (
            "MeshHealthCheck",
            "{http: {path: ''}}",
            "http.path",
            "mesh/empty",
        ),
        ("MeshHealthCheck", "{interval: 1s}", "", "mesh/empty"),
        (
            "MeshHealthCheck",
            "{intervall: 1s, http: {}}",
            "intervall",
            "config/unknown-field",
        ),
        ("MeshCircuitBreaker", "{}", "", "mesh/empty"),
        (
            "MeshCircuitBreaker",
            "{connectionLimits: {maxRequests: 0}}",
            "connectionLimits.maxRequests",
            "config/value",
        ),
        (
            "MeshCircuitBreaker",
            "{outlierDetection: {}}",
            "outlierDetection.detectors",
            "config/missing",
        ),
        (
            "MeshCircuitBreaker",
            "{outlierDetection: {detectors: {}}}",
            "outlierDetection.detectors",
            "mesh/empty",
        ),
        (
            "MeshCircuitBreaker",
            "{outlierDetection: {maxEjectionPercent: 101, detectors: {totalFailures: {}}}}",
            "outlierDetection.maxEjectionPercent",
            "config/value",
        ),
        (
            "MeshCircuitBreaker",
            "{outlierDetection: {detectors: {successRate: {standardDeviationFactor: '0'}}}}",
            "outlierDetection.detectors.successRate.standardDeviationFactor",
            "config/value",
        ),
        ("MeshRetry", "{}", "", "mesh/empty"),
        (
            "MeshRetry",
            "{tcp: {}}",
            "tcp.maxConnectAttempt",
            "config/missing",
        ),
        ("MeshRetry", "{http: {}}", "http", "mesh/empty"),
        (
            "MeshRetry",
            "{http: {retryOn: [6xx]}}",
            "http.retryOn[0]",
            "mesh/unknown-type",
        ),
        (
            "MeshRetry",
            "{grpc: {retryOn: [Canceld]}}",
            "grpc.retryOn[0]",
            "mesh/unknown-type",
        ),
        (
            "MeshRetry",
            "{http: {backOff: {}}}",
            "http.backOff",
            "mesh/empty",
        ),
        (
            "MeshRetry",
            "{http: {hostSelection: [{predicate: OmitPreviousPriorities}]}}",
            "http.hostSelection[0].updateFrequency",
            "config/value",
        ),
        (
            "MeshRetry",
            "{http: {hostSelection: [{predicate: OmitAll}]}}",
            "http.hostSelection[0].predicate",
            "mesh/unknown-type",
        ),
        ("MeshTimeout", "{}", "", "mesh/empty"),
        (
            "MeshTimeout",
            "{connectionTimeout: 0s}",
            "connectionTimeout",
            "config/value",
        ),
        (
            "MeshTimeout",
            "{http: {requestTimeout: -1s}}",
            "http.requestTimeout",
            "config/type",
        ),
    ] {
        let found = faults(&policy(kind, "a", conf));
        let [fault] = found.as_slice() else {
            panic!("{kind} {conf}: {found:#?}");
        };
        let path = format!("spec.to[0].default.{field}");
        assert_eq!(
            (fault.path.as_str(), fault.code),
            (path.trim_end_matches('.'), code),
            "{conf}"
        );
        assert!(fault.position.is_some(), "{conf}");
    }
}

#[test]
fn only_policies_of_requests_can_name_a_route() {
    for (kind, conf, is_legal) in [
        ("MeshRetry", "{http: {numRetries: 1}}", true),
        ("MeshTimeout", "{http: {requestTimeout: 1s}}", true),
        ("MeshHealthCheck", "{http: {}}", false),
        (
            "MeshCircuitBreaker",
            "{connectionLimits: {maxRequests: 1}}",
            false,
        ),
    ] {
        let text = policy(kind, "a", conf).replace(
            "to: [{targetRef: {kind: Mesh}",
            "to: [{targetRef: {kind: MeshHTTPRoute, name: r}",
        );
        let found = faults(&text);
        let codes: Vec<_> = found.iter().map(|of| of.code).collect();
        let expected: &[&str] = if is_legal {
            &[]
        } else {
            &["mesh/unsupported-kind"]
        };
        assert_eq!(codes, expected, "{kind}");
    }
}

#[test]
fn what_other_proxies_do_is_named_over_time() {
    for (text, path) in [
        (
            "{type: MeshTimeout, name: a, spec: {rules: [{default: {http: {requestTimeout: 1s}}}]}}",
            "spec.rules[0].default.http.requestTimeout",
        ),
        (
            "{type: MeshCircuitBreaker, name: a, spec: {from: [{targetRef: {kind: Mesh}, default: {connectionLimits: {maxRequests: 1}}}]}}",
            "spec.from[0].default",
        ),
        (
            "{type: MeshRetry, name: a, spec: {targetRef: {kind: MeshHTTPRoute, name: r}, to: [{targetRef: {kind: Mesh}, default: {http: {numRetries: 1}}}]}}",
            "spec.targetRef.kind",
        ),
        ("{type: MeshFaultInjection, name: a, spec: {}}", ""),
        ("{type: MeshRateLimit, name: a, spec: {}}", ""),
        ("{type: Retry, name: a}", ""),
    ] {
        let documents = read(text, Format::Yaml, 0).unwrap();
        let paths: Vec<_> = documents
            .over_time
            .iter()
            .map(|of| of.path.as_str())
            .collect();
        assert_eq!(paths, [path], "{text}");
    }
    // Those that Kuma creates with a mesh.
    let initial = "{type: MeshTimeout, name: a, spec: {rules: [{default: {connectionTimeout: 10s, http: {requestTimeout: 0s, maxStreamDuration: 0s}}}]}}";
    assert_eq!(read(initial, Format::Yaml, 0).unwrap().over_time, []);
}
