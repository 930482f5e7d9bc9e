//! MeshRetry: the retries that Kuma writes, and those that it creates with a mesh.

use std::time::Duration;

use spillgate_config::envoy::RouteOverTime;
use spillgate_core::route::{HostPredicate, RetryPolicy};

use crate::mesh_kuma_health::{mesh, outbound, policy, rule};

/// A mesh without policies of Kuma's own.
const BARE: &str = "{type: Mesh, name: default, skipCreatingInitialPolicies: ['*']}";

fn over_time(protocol: &str, policies: &[String]) -> RouteOverTime {
    rule(protocol, policies).over_time
}

/// The retries of a MeshRetry alone.
fn retry(protocol: &str, conf: &str) -> RetryPolicy {
    let policies = [BARE.to_owned(), policy("MeshRetry", "a", conf)];
    let found = rule(protocol, &policies);
    assert_eq!(found.retry, found.over_time.retry);
    found.over_time.retry
}

const HTTP: &str = "gateway-error,connect-failure,refused-stream";

#[test]
fn a_policy_without_conditions_has_those_of_kuma() {
    let found = retry("http", "{http: {numRetries: 4}}");
    assert_eq!((found.retries, found.retry_on.as_str()), (4, HTTP));
    let found = retry("grpc", "{grpc: {numRetries: 3}}");
    assert_eq!(found.retries, 3);
    assert!(found.retry_on.starts_with("cancelled,connect-failure,"));
    // The default of Envoy.
    assert_eq!(retry("http", "{http: {perTryTimeout: 1s}}").retries, 1);
}

#[test]
fn requests_are_retried_by_the_block_of_their_protocol() {
    let conf = "{http: {numRetries: 1}, grpc: {numRetries: 2}, tcp: {maxConnectAttempt: 3}}";
    for (protocol, retries, attempts) in [
        ("http", 1, None),
        ("grpc", 2, None),
        ("http2", 0, None),
        ("tcp", 0, Some(3)),
        ("kafka", 0, Some(1)),
    ] {
        let policies = [BARE.to_owned(), policy("MeshRetry", "a", conf)];
        let found = over_time(protocol, &policies);
        assert_eq!(found.retry.retries, retries, "{protocol}");
        assert_eq!(found.connect_attempts, attempts, "{protocol}");
    }
    assert_eq!(retry("http", "{http: {numRetries: 0}}"), RetryPolicy::NONE);
}

#[test]
fn conditions_have_the_names_of_envoy() {
    let found = retry(
        "http",
        "{http: {retryOn: [5xx, GatewayError, Retriable4xx, '503', HttpMethodGet]}}",
    );
    assert_eq!(
        found.retry_on,
        "5xx,gateway-error,retriable-4xx,retriable-status-codes"
    );
    assert_eq!(found.status_codes, [503]);
    assert_eq!(found.request_headers.len(), 1);
    let found = retry("http", "{http: {retryOn: ['429']}}");
    assert_eq!(found.retry_on, format!("{HTTP},retriable-status-codes"));
    let found = retry("grpc", "{grpc: {retryOn: [Unavailable, DeadlineExceeded]}}");
    assert_eq!(found.retry_on, "unavailable,deadline-exceeded");
}

#[test]
fn host_selection_rejects_hosts_and_priorities() {
    let conf = "{http: {numRetries: 2, hostSelectionMaxAttempts: 4, hostSelection: [{predicate: OmitPreviousHosts}, \
                {predicate: OmitPreviousPriorities, updateFrequency: 2}]}}";
    let found = retry("http", conf);
    assert_eq!(found.predicates, [HostPredicate::PreviousHosts]);
    assert_eq!(found.previous_priorities, Some(2));
    assert_eq!(found.host_selection_attempts, 4);
}

#[test]
fn attempts_have_a_timeout_and_retries_wait() {
    let policies = [
        BARE.to_owned(),
        policy(
            "MeshRetry",
            "a",
            "{http: {numRetries: 2, perTryTimeout: 3s, backOff: {baseInterval: 10ms, maxInterval: 1s}}}",
        ),
    ];
    let time = over_time("http", &policies).time;
    assert_eq!(time.per_try_timeout, Some(Duration::from_secs(3)));
    assert_eq!(time.back_off.base, Duration::from_millis(10));
    assert_eq!(time.back_off.most, Duration::from_secs(1));
    assert_eq!(time.limit, None);
    let slow = policy(
        "MeshRetry",
        "a",
        "{http: {numRetries: 2, backOff: {baseInterval: 20s}}}",
    );
    assert!(
        over_time("http", &[BARE.to_owned(), slow])
            .time
            .limit
            .is_some()
    );
}

#[test]
fn kuma_creates_retries_with_a_mesh() {
    let found = rule("http", &[]);
    assert_eq!(found.retry, RetryPolicy::NONE);
    let found = found.over_time;
    assert_eq!(
        (found.retry.retries, found.retry.retry_on.as_str()),
        (5, HTTP)
    );
    assert_eq!(found.time.per_try_timeout, Some(Duration::from_secs(16)));
    let [assumption] = found.assumptions.as_slice() else {
        panic!("{:?}", found.assumptions);
    };
    assert!(assumption.contains("mesh-retry-all"), "{assumption}");
    assert_eq!(over_time("tcp", &[]).connect_attempts, Some(5));
    assert_eq!(over_time("http2", &[]).assumptions, [""; 0]);
}

#[test]
fn a_mesh_can_skip_the_retries_of_kuma() {
    for skipped in ["'*'", "MeshRetry"] {
        let mesh =
            format!("{{type: Mesh, name: default, skipCreatingInitialPolicies: [{skipped}]}}");
        let found = over_time("http", &[mesh]);
        assert_eq!(
            (found.retry, found.assumptions),
            (RetryPolicy::NONE, vec![])
        );
    }
    let mesh = "{type: Mesh, name: default, skipCreatingInitialPolicies: [MeshTimeout]}";
    assert_eq!(over_time("http", &[mesh.to_owned()]).retry.retries, 5);
}

#[test]
fn documents_with_a_policy_of_kuma_are_complete() {
    let export = policy(
        "MeshTimeout",
        "mesh-timeout-all-default",
        "{connectionTimeout: 5s}",
    );
    let found = over_time("http", &[export]);
    assert_eq!(
        (found.retry, found.assumptions),
        (RetryPolicy::NONE, vec![])
    );
    let own = policy(
        "MeshRetry",
        "mesh-retry-all-default",
        "{http: {numRetries: 2}}",
    );
    let found = over_time("http", &[own]);
    assert_eq!((found.retry.retries, found.assumptions.len()), (2, 0));
    assert_eq!(found.time.per_try_timeout, None);
}

#[test]
fn the_retries_of_kuma_take_part_in_the_merge() {
    let retries = |name: &str| {
        let own = policy("MeshRetry", name, "{http: {numRetries: 2}}");
        over_time("http", &[own])
    };
    // Among equals, the first name is the strongest.
    assert_eq!(retries("a").retry.retries, 2);
    assert_eq!(retries("z").retry.retries, 5);
    assert_eq!(
        retries("a").time.per_try_timeout,
        Some(Duration::from_secs(16))
    );
    assert_eq!(retries("a").assumptions.len(), 1);
}

#[test]
fn routes_have_policies_of_their_own() {
    let documents = "{type: MeshService, name: web, mesh: default, labels: {kuma.io/zone: z1}, \
                      spec: {selector: {dataplaneTags: {app: web}}, ports: [{port: 80, targetPort: 80, appProtocol: http}]}}\n---\n\
                      {type: Dataplane, name: d, mesh: default, networking: {address: 10.0.0.1, inbound: [{port: 80, \
                      tags: {app: web, kuma.io/service: web, kuma.io/zone: z1}}]}}\n---\n\
                      {type: MeshHTTPRoute, name: api, mesh: default, spec: {to: [{targetRef: {kind: MeshService, name: web}, \
                      rules: [{matches: [{path: {type: PathPrefix, value: /api}}], default: {}}]}]}}\n---\n\
                      {type: MeshTimeout, name: t, mesh: default, spec: {to: [{targetRef: {kind: MeshHTTPRoute, name: api}, \
                      default: {http: {requestTimeout: 1s}}}]}}\n---\n\
                      {type: MeshRetry, name: r, mesh: default, spec: {to: [{targetRef: {kind: MeshHTTPRoute, name: api}, \
                      default: {http: {numRetries: 1}}}]}}";
    let documents = crate::mesh_kuma::documents(documents);
    let outbound = outbound(&documents);
    let resource = outbound
        .destinations
        .iter()
        .find(|of| of.name.contains("_msvc_"));
    let rules = &resource.unwrap().rules;
    let seconds = |at: usize| rules[at].over_time.time.timeout.unwrap().as_secs();
    let retries = |at: usize| rules[at].over_time.retry.retries;
    assert_eq!((seconds(0), retries(0)), (1, 1));
    assert_eq!((seconds(1), retries(1)), (15, 5));
    let (_, listeners, _) = outbound
        .envoy(spillgate_config::mesh::OutboundForm::Envoy)
        .unwrap();
    for listener in &listeners {
        let hosts = &listener.routes.virtual_hosts;
        let routes = hosts.iter().map(|host| host.routes.len());
        assert_eq!(listener.over_time.len(), routes.sum::<usize>());
    }
}

#[test]
fn an_unknown_protocol_is_an_assumption() {
    let mut documents = mesh("http", &[BARE.to_owned()]);
    for endpoint in &mut documents.endpoints {
        endpoint.tags.clear();
    }
    let outbound = outbound(&documents);
    let rule = outbound.destinations[0].default_rule().unwrap();
    let assumptions = &rule.over_time.assumptions;
    assert!(assumptions[0].contains("assumes http"), "{assumptions:?}");
    assert_eq!(rule.over_time.connect_attempts, None);
}

#[test]
fn retry_settings_that_are_not_modeled_are_named() {
    for (conf, named) in [
        (
            "{http: {rateLimitedBackOff: {resetHeaders: [{name: a, format: Seconds}]}}}",
            "rateLimitedBackOff",
        ),
        (
            "{http: {retriableResponseHeaders: [{name: a, value: b}]}}",
            "retriableResponseHeaders",
        ),
        (
            "{http: {retriableRequestHeaders: [{name: a, type: RegularExpression, value: b}]}}",
            "retriableRequestHeaders",
        ),
        (
            "{http: {hostSelection: [{predicate: OmitHostsWithTags, tags: {a: b}}]}}",
            "OmitHostsWithTags",
        ),
    ] {
        let limits = over_time("http", &[policy("MeshRetry", "a", conf)]).limits;
        let [(0, limit)] = limits.as_slice() else {
            panic!("{conf}: {limits:?}");
        };
        assert!(limit.message.starts_with(named), "{}", limit.message);
        assert_eq!(
            over_time("tcp", &[policy("MeshRetry", "a", conf)]).limits,
            []
        );
    }
}
