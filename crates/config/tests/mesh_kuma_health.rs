//! MeshHealthCheck, MeshCircuitBreaker and MeshTimeout: the settings that Kuma writes for clusters.

use std::time::Duration;

use spillgate_config::mesh::{
    MeshDocuments, MeshKind, MeshOutbound, OutboundCluster, OutboundHealth, OutboundRule,
    PointOfView,
};
use spillgate_core::{
    model::{ClusterKind, LocalityLb, PlainCluster},
    route::RetryCap,
};
use spillgate_health::check::{HealthCheckKind, HttpStatuses};
use spillgate_mesh::Compat;

use crate::mesh_kuma::documents;

/// Two hosts of a service with this protocol, and policies.
pub(crate) fn mesh(protocol: &str, policies: &[String]) -> MeshDocuments {
    let host = |at: u8| {
        format!(
            "- {{address: '10.0.0.{at}:80', zone: z1, service: web, tags: {{kuma.io/protocol: {protocol}}}}}\n"
        )
    };
    let mut text = format!("{}{}", host(1), host(2));
    for policy in policies {
        text.push_str("---\n");
        text.push_str(policy);
        text.push('\n');
    }
    documents(&text)
}

/// A policy for all proxies and the whole mesh.
pub(crate) fn policy(kind: &str, name: &str, conf: &str) -> String {
    format!(
        "{{type: {kind}, name: {name}, mesh: default, spec: {{targetRef: {{kind: Mesh}}, to: [{{targetRef: {{kind: Mesh}}, default: {conf}}}]}}}}"
    )
}

pub(crate) fn outbound(documents: &MeshDocuments) -> MeshOutbound {
    let view = PointOfView::Zone("z1".into());
    MeshOutbound::new(documents, MeshKind::Kuma, &view, Compat::Kuma).unwrap()
}

pub(crate) fn cluster(protocol: &str, policies: &[String]) -> OutboundCluster {
    outbound(&mesh(protocol, policies))
        .cluster("web")
        .unwrap()
        .clone()
}

fn health(protocol: &str, policies: &[String]) -> OutboundHealth {
    cluster(protocol, policies).health
}

/// The rule of requests without a condition.
pub(crate) fn rule(protocol: &str, policies: &[String]) -> OutboundRule {
    let outbound = outbound(&mesh(protocol, policies));
    let destination = outbound.destinations.iter().find(|of| of.name == "web");
    destination.unwrap().default_rule().unwrap().clone()
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_health_check_has_the_defaults_of_kuma() {
    let found = health("http", &[policy("MeshHealthCheck", "a", "{http: {}}")]);
    let [check] = found.checks.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!((check.interval, check.timeout), (60 * SECOND, 15 * SECOND));
    assert_eq!((check.unhealthy_threshold, check.healthy_threshold), (5, 1));
    assert!(check.reuse_connection);
    assert_eq!(check.kind, HealthCheckKind::Http(HttpStatuses::default()));
    assert_eq!(health("http", &[]).checks, []);
}

#[test]
fn a_health_check_has_the_settings_of_its_policy() {
    let conf = "{interval: 10s, timeout: 500ms, unhealthyThreshold: 3, healthyThreshold: 2, \
                initialJitter: 1s, intervalJitter: 2s, intervalJitterPercent: 7, \
                noTrafficInterval: 20s, reuseConnection: false, http: {expectedStatuses: [200, 204]}}";
    let found = health("http2", &[policy("MeshHealthCheck", "a", conf)]);
    let check = &found.checks[0];
    assert_eq!(check.interval, 10 * SECOND);
    assert_eq!(check.timeout, SECOND / 2);
    assert_eq!((check.unhealthy_threshold, check.healthy_threshold), (3, 2));
    assert_eq!(check.initial_jitter, SECOND);
    assert_eq!(check.interval_jitter, 2 * SECOND);
    assert_eq!(check.interval_jitter_percent, 7);
    assert_eq!(check.no_traffic_interval, 20 * SECOND);
    assert!(!check.reuse_connection);
    let statuses = HttpStatuses {
        expected: vec![200..201, 204..205],
        retriable: vec![],
    };
    assert_eq!(check.kind, HealthCheckKind::Http(statuses));
}

#[test]
fn the_protocol_chooses_the_kind_of_the_check() {
    let http = || Some(HealthCheckKind::Http(HttpStatuses::default()));
    let tcp = || Some(HealthCheckKind::Tcp);
    for (protocol, conf, kind) in [
        ("http", "{http: {}, tcp: {}, grpc: {}}", http()),
        (
            "grpc",
            "{http: {}, tcp: {}, grpc: {}}",
            Some(HealthCheckKind::Grpc),
        ),
        ("tcp", "{http: {}, tcp: {}, grpc: {}}", tcp()),
        ("http", "{http: {disabled: true}, tcp: {}}", tcp()),
        ("grpc", "{grpc: {disabled: true}, tcp: {}}", tcp()),
        (
            "http",
            "{http: {disabled: true}, tcp: {disabled: true}}",
            None,
        ),
        ("http", "{tcp: {}}", None),
        ("tcp", "{http: {}}", None),
        ("kafka", "{tcp: {}}", None),
        (
            "tcp",
            "{tcp: {receive: [YQ==]}}",
            Some(HealthCheckKind::TcpExchange),
        ),
    ] {
        let found = health(protocol, &[policy("MeshHealthCheck", "a", conf)]);
        let found = found.checks.first().map(|check| check.kind.clone());
        assert_eq!(found, kind, "{protocol} {conf}");
    }
}

#[test]
fn only_stated_detectors_eject() {
    let of = |detectors: &str| {
        let conf = format!("{{outlierDetection: {{detectors: {detectors}}}}}");
        let found = health("http", &[policy("MeshCircuitBreaker", "a", &conf)]);
        found.outlier_detection.unwrap()
    };
    let found = of("{totalFailures: {consecutive: 7}}");
    assert_eq!(
        (found.consecutive_5xx, found.enforcing_consecutive_5xx),
        (7, 100)
    );
    assert_eq!(found.enforcing_consecutive_gateway_failure, 0);
    assert_eq!(found.enforcing_consecutive_local_origin_failure, 0);
    assert_eq!(found.enforcing_success_rate, 0);
    assert_eq!(found.enforcing_local_origin_success_rate, 0);
    assert_eq!(found.enforcing_failure_percentage, 0);
    let found = of("{gatewayFailures: {consecutive: 2}, localOriginFailures: {consecutive: 3}}");
    assert_eq!(found.enforcing_consecutive_5xx, 0);
    assert_eq!(found.consecutive_gateway_failure, 2);
    assert_eq!(found.enforcing_consecutive_gateway_failure, 100);
    assert_eq!(found.consecutive_local_origin_failure, 3);
    assert_eq!(found.enforcing_consecutive_local_origin_failure, 100);
    // Without a number, a detector of errors in a row is off.
    assert_eq!(of("{totalFailures: {}}").enforcing_consecutive_5xx, 0);
    let found = of(
        "{successRate: {minimumHosts: 2, requestVolume: 9, standardDeviationFactor: '1.9'}, \
                     failurePercentage: {minimumHosts: 3, requestVolume: 8, threshold: 40}}",
    );
    assert_eq!(found.enforcing_success_rate, 100);
    assert_eq!(found.success_rate_minimum_hosts, 2);
    assert_eq!(found.success_rate_request_volume, 9);
    assert_eq!(found.success_rate_stdev_factor, 1_900);
    assert_eq!(found.enforcing_failure_percentage, 100);
    assert_eq!(found.failure_percentage_minimum_hosts, 3);
    assert_eq!(found.failure_percentage_request_volume, 8);
    assert_eq!(found.failure_percentage_threshold, 40);
}

#[test]
fn outlier_detection_has_times_and_can_be_disabled() {
    let conf = |more: &str| {
        let conf = format!(
            "{{outlierDetection: {{interval: 5s, baseEjectionTime: 20s, maxEjectionPercent: 50, \
             splitExternalAndLocalErrors: true, detectors: {{totalFailures: {{consecutive: 1}}}}{more}}}}}"
        );
        health("http", &[policy("MeshCircuitBreaker", "a", &conf)]).outlier_detection
    };
    let found = conf("").unwrap();
    assert_eq!(
        (found.interval, found.base_ejection_time),
        (5 * SECOND, 20 * SECOND)
    );
    assert_eq!(found.max_ejection_percent, 50);
    assert!(found.split_external_local_origin_errors);
    assert_eq!(conf(", disabled: true"), None);
    assert!(conf(", disabled: false").is_some());
}

#[test]
fn connection_limits_are_thresholds() {
    let conf = "{connectionLimits: {maxConnections: 2, maxPendingRequests: 3, maxRequests: 4, maxRetries: 5}}";
    let found = health("http", &[policy("MeshCircuitBreaker", "a", conf)]).thresholds;
    assert_eq!((found.connections, found.pending_requests), (2, 3));
    assert_eq!((found.requests, found.retries.cap), (4, RetryCap::Most(5)));
    let found = health("http", &[]).thresholds;
    assert_eq!((found.connections, found.pending_requests), (1_024, 1_024));
    assert_eq!(
        (found.requests, found.retries.cap),
        (1_024, RetryCap::Most(3))
    );
}

#[test]
fn policies_merge_field_by_field_and_the_more_specific_one_is_stronger() {
    let service = "{type: MeshHealthCheck, name: z, mesh: default, spec: {to: [{targetRef: {kind: MeshService, name: web}, \
                    default: {unhealthyThreshold: 2, http: {expectedStatuses: [204]}}}]}}";
    let policies = [
        policy(
            "MeshHealthCheck",
            "b",
            "{interval: 10s, timeout: 1s, http: {path: /b}}",
        ),
        policy("MeshHealthCheck", "a", "{interval: 20s, http: {}}"),
        service.to_owned(),
    ];
    // Policies by the value of kuma.io/service are ordered by name.
    let found = health("http", &policies);
    let check = &found.checks[0];
    assert_eq!((check.interval, check.timeout), (20 * SECOND, SECOND));
    assert_eq!(check.unhealthy_threshold, 2);
    let line = |field| found.place_of(Some(0), field).unwrap().position.line;
    let (interval, timeout) = (line("interval"), line("timeout"));
    assert_eq!((timeout, interval, line("unhealthy_threshold")), (4, 6, 8));
    let dataplane = "{type: MeshHealthCheck, name: zz, mesh: default, spec: {targetRef: {kind: MeshSubset, \
                      tags: {kuma.io/zone: z1}}, to: [{targetRef: {kind: Mesh}, default: {interval: 30s, http: {}}}]}}";
    let found = health(
        "http",
        &[policies.as_slice(), &[dataplane.to_owned()]].concat(),
    );
    assert_eq!(found.checks[0].interval, 30 * SECOND);
}

#[test]
fn policies_of_other_meshes_and_proxies_do_not_apply() {
    let of_mesh =
        policy("MeshHealthCheck", "a", "{http: {}}").replace("mesh: default", "mesh: other");
    assert_eq!(health("http", &[of_mesh]).checks, []);
    let of_proxy = policy("MeshHealthCheck", "a", "{http: {}}").replace(
        "targetRef: {kind: Mesh}, to",
        "targetRef: {kind: MeshSubset, tags: {a: b}}, to",
    );
    let documents = mesh("http", &[of_proxy]);
    let outbound = outbound(&documents);
    assert_eq!(outbound.cluster("web").unwrap().health.checks, []);
    let open = outbound.warnings.iter().find_map(|of| of.found.clone());
    assert!(
        open.is_some_and(|of| of.contains("MeshHealthCheck a")),
        "{:?}",
        outbound.warnings
    );
}

/// The model of the cluster.
fn plain(policies: &[String]) -> PlainCluster {
    match cluster("http", policies).model().kind {
        ClusterKind::Plain(plain) => plain,
        other => panic!("{other:?}"),
    }
}

#[test]
fn panic_mode_follows_the_policies() {
    let breaker = |more: &str| {
        let conf = format!(
            "{{outlierDetection: {{healthyPanicThreshold: '30.5', detectors: {{totalFailures: {{consecutive: 1}}}}{more}}}}}"
        );
        policy("MeshCircuitBreaker", "a", &conf)
    };
    let check = policy(
        "MeshHealthCheck",
        "a",
        "{http: {}, healthyPanicThreshold: 20}",
    );
    let percent = |policies: &[String]| plain(policies).panic_threshold.percent();
    assert_eq!(percent(&[]), 50);
    assert_eq!(percent(&[breaker("")]), 30);
    assert_eq!(percent(std::slice::from_ref(&check)), 20);
    assert_eq!(percent(&[check.clone(), breaker("")]), 30);
    assert_eq!(percent(&[check, breaker(", disabled: true")]), 20);
    let fails = policy(
        "MeshHealthCheck",
        "a",
        "{http: {}, failTrafficOnPanic: true}",
    );
    let LocalityLb::ZoneAware(zone_aware) = plain(&[fails]).locality_lb else {
        panic!("not zone aware");
    };
    assert!(zone_aware.fail_traffic_on_panic);
}

#[test]
fn requests_have_the_timeout_of_their_policy() {
    let timeout = |conf: Option<&str>| {
        let policies = conf.map(|conf| policy("MeshTimeout", "a", conf));
        rule("http", policies.as_slice()).over_time.time.timeout
    };
    assert_eq!(timeout(None), Some(15 * SECOND));
    assert_eq!(timeout(Some("{connectionTimeout: 1s}")), Some(15 * SECOND));
    assert_eq!(
        timeout(Some("{http: {requestTimeout: 2s}}")),
        Some(2 * SECOND)
    );
    assert_eq!(timeout(Some("{http: {requestTimeout: 0s}}")), None);
}

#[test]
fn settings_that_are_not_modeled_are_named_if_they_act() {
    let of_cluster = |kind: &str, conf: &str| {
        let found = health("http", &[policy(kind, "a", conf)]).limits;
        let found = found
            .iter()
            .map(|(file, limit)| (*file, limit.path.clone()));
        found.collect::<Vec<_>>()
    };
    let found = of_cluster(
        "MeshCircuitBreaker",
        "{connectionLimits: {maxConnectionPools: 1}}",
    );
    let path = "[1].spec.to[0].default.connectionLimits.maxConnectionPools";
    assert_eq!(found, [(0, path.into())]);
    let found = of_cluster("MeshTimeout", "{http: {maxStreamDuration: 1s}}");
    assert_eq!(
        found,
        [(0, "[1].spec.to[0].default.http.maxStreamDuration".into())]
    );
    assert_eq!(
        of_cluster("MeshTimeout", "{http: {maxStreamDuration: 0s}}"),
        []
    );
    let of_route = |protocol: &str, conf: &str| {
        let found = rule(protocol, &[policy("MeshTimeout", "a", conf)])
            .over_time
            .limits;
        found.len()
    };
    assert_eq!(of_route("http", "{http: {streamIdleTimeout: 5s}}"), 1);
    assert_eq!(of_route("http", "{http: {streamIdleTimeout: 30m}}"), 0);
    assert_eq!(
        of_route(
            "http",
            "{http: {streamIdleTimeout: 30m, requestTimeout: 0s}}"
        ),
        1
    );
    assert_eq!(of_route("http", "{idleTimeout: 1h}"), 0);
    assert_eq!(of_route("tcp", "{idleTimeout: 1h}"), 1);
}
