//! Timeouts, retries and limits of Istio: the settings that it writes for routes and clusters.

use std::time::Duration;

use spillgate_config::{
    envoy::{Format, RouteOverTime, Thresholds, UpstreamProtocol},
    mesh::{MeshKind, MeshOutbound, OutboundHealth, read},
};
use spillgate_core::route::RetryCap;
use spillgate_mesh::Compat;

use crate::mesh_kuma::documents;

/// The node of the host, with its zone.
const NODE: &str = "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {topology.kubernetes.io/region: us, topology.kubernetes.io/zone: z1}}}";

const SECOND: Duration = Duration::from_secs(1);

/// A service with this name of its port, and documents.
fn outbound(port: &str, more: &str) -> MeshOutbound {
    let text = format!(
        "{{apiVersion: v1, kind: Service, metadata: {{name: web, namespace: shop}}, spec: {{ports: [{{port: 80, name: {port}}}]}}}}\n---\n\
         {{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {{name: web-1, namespace: shop, labels: \
         {{kubernetes.io/service-name: web}}}}, addressType: IPv4, ports: [{{port: 80, name: {port}}}], \
         endpoints: [{{addresses: [10.0.0.1], nodeName: n1}}]}}\n---\n{more}"
    );
    let documents = documents(&format!("{text}\n---\n{NODE}"));
    let zones = MeshOutbound::zones(&documents, MeshKind::Istio, Compat::Kuma);
    zones.unwrap().remove(0).outbound
}

/// A DestinationRule of the service.
fn rule(spec: &str) -> String {
    format!(
        "{{apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: {{name: web, namespace: shop}}, spec: {{host: web, {spec}}}}}"
    )
}

/// A VirtualService of the service with one route.
fn virtual_service(route: &str) -> String {
    format!(
        "{{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {{name: web, namespace: shop}}, spec: {{hosts: [web], \
         http: [{{route: [{{destination: {{host: web}}}}], {route}}}]}}}}"
    )
}

fn health(port: &str, spec: &str) -> OutboundHealth {
    let outbound = outbound(port, &rule(spec));
    outbound.clusters[0].health.clone()
}

fn over_time(port: &str, documents: &str) -> RouteOverTime {
    let outbound = outbound(port, documents);
    let rule = outbound.destinations[0].default_rule().unwrap();
    assert_eq!(rule.retry, rule.over_time.retry);
    rule.over_time.clone()
}

fn limits(of: Thresholds) -> (u32, u32, u32, RetryCap) {
    (
        of.connections,
        of.pending_requests,
        of.requests,
        of.retries.cap,
    )
}

#[test]
fn a_cluster_has_no_limits_without_a_connection_pool() {
    let most = u32::MAX;
    let none = (most, most, most, RetryCap::Most(most));
    assert_eq!(limits(health("http", "").thresholds), none);
    let zero = "trafficPolicy: {connectionPool: {tcp: {maxConnections: 0}, http: {maxRetries: 0}}}";
    assert_eq!(limits(health("http", zero).thresholds), none);
}

#[test]
fn a_connection_pool_limits_requests() {
    let pool = "trafficPolicy: {connectionPool: {tcp: {maxConnections: 1}, http: {http1MaxPendingRequests: 2, \
                http2MaxRequests: 3, maxRetries: 4}}}";
    let found = health("http", pool).thresholds;
    assert_eq!(limits(found), (1, 2, 3, RetryCap::Most(4)));
}

#[test]
fn the_pool_of_a_port_replaces_that_of_the_rule() {
    let spec = |port: u16| {
        let spec = format!(
            "trafficPolicy: {{connectionPool: {{http: {{http2MaxRequests: 3}}}}, portLevelSettings: [{{port: {{number: {port}}}, \
             connectionPool: {{http: {{maxRetries: 7}}}}}}]}}"
        );
        health("http", &spec).thresholds
    };
    let most = u32::MAX;
    assert_eq!(limits(spec(80)), (most, most, most, RetryCap::Most(7)));
    assert_eq!(limits(spec(81)), (most, most, 3, RetryCap::Most(most)));
}

#[test]
fn a_retry_budget_replaces_the_limit_of_retries() {
    let cap = |budget: &str| {
        let spec = format!(
            "trafficPolicy: {{connectionPool: {{http: {{maxRetries: 4}}}}, retryBudget: {budget}}}"
        );
        health("http", &spec).thresholds.retries.cap
    };
    let budget = |percent, least| RetryCap::Budget { percent, least };
    assert_eq!(
        cap("{percent: 30, minRetryConcurrency: 5}"),
        budget(30.0, 5)
    );
    assert_eq!(cap("{}"), budget(20.0, 3));
}

#[test]
fn ports_and_pools_decide_the_protocol() {
    use UpstreamProtocol::{Http1, Multiplexed, Unknown};
    let upgrade = "trafficPolicy: {connectionPool: {http: {h2UpgradePolicy: UPGRADE}}}";
    let client = "trafficPolicy: {connectionPool: {http: {useClientProtocol: true}}}";
    for (port, spec, protocol) in [
        ("http", "", Http1),
        ("http2", "", Multiplexed),
        ("grpc-web", "", Multiplexed),
        ("main", "", Unknown),
        ("http", upgrade, Multiplexed),
        ("http2", client, Unknown),
    ] {
        assert_eq!(
            health(port, spec).upstream_protocol,
            protocol,
            "{port} {spec}"
        );
    }
}

#[test]
fn outlier_detection_is_that_of_the_rule() {
    let found = health("http", "trafficPolicy: {outlierDetection: {interval: 2s}}");
    assert_eq!(found.outlier_detection.unwrap().interval, 2 * SECOND);
    assert_eq!(health("http", "").outlier_detection, None);
}

#[test]
fn requests_have_no_timeout_unless_a_route_sets_one() {
    assert_eq!(over_time("http", "{}").time.timeout, None);
    let found = over_time("http", &virtual_service("timeout: 3s"));
    assert_eq!(found.time.timeout, Some(3 * SECOND));
    let found = over_time("http", &virtual_service("timeout: 0s"));
    assert_eq!(found.time.timeout, None);
}

#[test]
fn retries_have_a_timeout_and_an_interval() {
    let found = over_time(
        "http",
        &virtual_service("retries: {attempts: 3, perTryTimeout: 2s, backoff: 100ms}"),
    );
    assert_eq!(found.retry.retries, 3);
    assert_eq!(found.time.per_try_timeout, Some(2 * SECOND));
    assert_eq!(found.time.back_off.base, SECOND / 10);
    assert_eq!(found.time.back_off.most, SECOND);
    let off = over_time(
        "http",
        &virtual_service("retries: {attempts: 0, perTryTimeout: 2s}"),
    );
    assert_eq!((off.retry.retries, off.time.per_try_timeout), (0, None));
}

#[test]
fn a_delegate_has_the_timeout_of_its_route() {
    let of = |own: &str| {
        let text = format!(
            "{{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {{name: web, namespace: shop}}, spec: {{hosts: [web], \
             http: [{{timeout: 4s, delegate: {{name: inner}}}}]}}}}\n---\n\
             {{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {{name: inner, namespace: shop}}, spec: {{ \
             http: [{{{own} route: [{{destination: {{host: web}}}}]}}]}}}}"
        );
        over_time("http", &text).time.timeout
    };
    assert_eq!(of(""), Some(4 * SECOND));
    assert_eq!(of("timeout: 1s,"), Some(SECOND));
}

#[test]
fn rules_of_the_gateway_api_have_timeouts() {
    let of = |rule: &str| {
        let text = format!(
            "{{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {{name: web, namespace: shop}}, spec: \
             {{parentRefs: [{{group: '', kind: Service, name: web, port: 80}}], rules: [{{backendRefs: [{{name: web, port: 80}}], {rule}}}]}}}}"
        );
        let found = over_time("http", &text);
        (found.time.timeout, found.time.per_try_timeout)
    };
    assert_eq!(of("timeouts: {request: 5s}"), (Some(5 * SECOND), None));
    assert_eq!(of("timeouts: {request: 0s}"), (None, None));
    assert_eq!(
        of("timeouts: {request: 5s, backendRequest: 2s}"),
        (Some(2 * SECOND), None)
    );
    assert_eq!(
        of("timeouts: {request: 5s, backendRequest: 2s}, retry: {attempts: 2}"),
        (Some(5 * SECOND), Some(2 * SECOND))
    );
}

#[test]
fn services_of_tcp_have_connections() {
    assert_eq!(over_time("tcp", "{}").connect_attempts, Some(1));
    assert_eq!(over_time("http", "{}").connect_attempts, None);
    assert_eq!(over_time("main", "{}").connect_attempts, None);
}

#[test]
fn wrong_values_are_errors_and_times_of_connections_are_named() {
    for (spec, path) in [
        (
            "connectionPool: {http: {maxRetries: -1}}",
            "spec.trafficPolicy.connectionPool.http.maxRetries",
        ),
        (
            "connectionPool: {http: {h2UpgradePolicy: MAYBE}}",
            "spec.trafficPolicy.connectionPool.http.h2UpgradePolicy",
        ),
        (
            "connectionPool: {udp: {}}",
            "spec.trafficPolicy.connectionPool.udp",
        ),
        (
            "retryBudget: {percent: 101}",
            "spec.trafficPolicy.retryBudget.percent",
        ),
    ] {
        let text = rule(&format!("trafficPolicy: {{{spec}}}"));
        let found = read(&text, Format::Yaml, 0).unwrap_err();
        let paths: Vec<_> = found.iter().map(|of| of.path.as_str()).collect();
        assert_eq!(paths, [path]);
    }
    for route in ["timeout: fast", "retries: {attempts: 1, perTryTimeout: 5}"] {
        read(&virtual_service(route), Format::Yaml, 0).unwrap_err();
    }
    let text = rule(
        "trafficPolicy: {connectionPool: {tcp: {maxConnectionDuration: 1h}, http: {idleTimeout: 1h}}, \
         retryBudget: {budgetInterval: 1s}}",
    );
    let found = read(&text, Format::Yaml, 0).unwrap().over_time;
    assert_eq!(found.len(), 3, "{found:#?}");
}
