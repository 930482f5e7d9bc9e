//! The policies of Kuma that decide what happens over time, as the settings that its control plane writes.

mod breaker;
mod check;
mod limits;
mod outlier;
mod retry;
mod timeout;

use alloc::{format, string::String, vec::Vec};

use spillgate_core::{model::PanicThreshold, route::RetryPolicy};
use spillgate_mesh::kuma::{
    KumaDestinationKind, KumaMeta, KumaPolicy, KumaProxy, KumaProxyKind, effective_conf,
    effective_route_conf,
};

use super::{OutboundPanic, OutboundRule, over_time::OutboundHealth};
use crate::{
    envoy::{RetryTime, RouteOverTime, UpstreamProtocol},
    mesh::{
        KumaDestinationInput, KumaInputs, KumaSettings,
        assemble::{INITIAL_RETRIES, KumaProtocol},
    },
};

/// The settings of the cluster of a destination.
pub(super) fn cluster_health(
    inputs: &KumaInputs,
    proxy: &KumaProxy,
    input: &KumaDestinationInput,
) -> OutboundHealth {
    let checks = settings_of(&inputs.health.checks, proxy, input);
    let breakers = settings_of(&inputs.health.breakers, proxy, input);
    let timeouts = settings_of(&inputs.health.timeouts, proxy, input);
    let mut health = OutboundHealth {
        thresholds: breaker::thresholds(&breakers),
        upstream_protocol: match input.protocol {
            Some(KumaProtocol::Http2 | KumaProtocol::Grpc) => UpstreamProtocol::Multiplexed,
            _ => UpstreamProtocol::Http1,
        },
        outlier_detection: outlier::outlier_detection(&breakers),
        ..OutboundHealth::default()
    };
    if let Some(check) = check::active_check(&checks, input.protocol) {
        health.checks.push(check);
        health.places.extend(check::places(&checks));
    }
    if health.outlier_detection.is_some() {
        health.places.extend(outlier::places(&breakers));
    }
    health.limits.extend(limits::of_breaker(&breakers));
    health
        .limits
        .extend(limits::of_cluster_timeouts(&timeouts, input.protocol));
    health
}

/// When panic mode of the cluster of a destination starts, and what it does.
pub(super) fn panic_of(
    inputs: &KumaInputs,
    proxy: &KumaProxy,
    input: &KumaDestinationInput,
) -> OutboundPanic {
    let checks = settings_of(&inputs.health.checks, proxy, input);
    let breakers = settings_of(&inputs.health.breakers, proxy, input);
    let of_breaker = breakers
        .decimal("outlierDetection.healthyPanicThreshold")
        .filter(|_| breakers.flag("outlierDetection.disabled") != Some(true));
    // Kuma applies MeshCircuitBreakers after MeshHealthChecks, which have the field until 2.14.
    let threshold = of_breaker.or_else(|| checks.decimal("healthyPanicThreshold"));
    OutboundPanic {
        threshold: threshold.map(PanicThreshold::from_percent),
        fails_traffic: checks.flag("failTrafficOnPanic") == Some(true),
    }
}

/// Sets what decides when the requests of a rule end, with the retries that choose hosts.
pub(super) fn add_over_time(
    rule: &mut OutboundRule,
    (inputs, proxy): (&KumaInputs, &KumaProxy),
    input: &KumaDestinationInput,
    route: Option<&KumaMeta>,
) {
    rule.retry = stated_retry(inputs, proxy, input, route);
    rule.over_time = route_over_time(inputs, proxy, input, route);
}

/// The retries of MeshRetries in the documents, for a route or for the destination as a whole.
fn stated_retry(
    inputs: &KumaInputs,
    proxy: &KumaProxy,
    input: &KumaDestinationInput,
    route: Option<&KumaMeta>,
) -> RetryPolicy {
    let settings = route_settings(&inputs.health.retries, proxy, input, route);
    retry::retry_policy(&settings, input.protocol)
}

/// The retries and timeouts of a route, or of the destination as a whole.
fn route_over_time(
    inputs: &KumaInputs,
    proxy: &KumaProxy,
    input: &KumaDestinationInput,
    route: Option<&KumaMeta>,
) -> RouteOverTime {
    let retries = &inputs.health.retries_with_initial;
    let retries = route_settings(retries, proxy, input, route);
    let timeouts = route_settings(&inputs.health.timeouts, proxy, input, route);
    let name = &input.cluster;
    let mut assumptions = Vec::new();
    if input.protocol.is_none() {
        assumptions.push(format!(
            "I don't know the protocol of {name}: it has neither kuma.io/protocol nor appProtocol; the answer assumes http, while Kuma takes it as tcp, without the retries and timeouts of HTTP"
        ));
    }
    let retry = retry::retry_policy(&retries, input.protocol);
    let connects = retry::connect_attempts(&retries, input.protocol);
    if retry::is_assumed(&retries, input.protocol) {
        assumptions.push(assumed_retries(name, proxy.meta.mesh(), &retry, connects));
    }
    if proxy.kind == KumaProxyKind::BuiltinGateway && !timeouts.has("http.streamIdleTimeout") {
        assumptions.push(format!(
            "no MeshTimeout has a streamIdleTimeout for requests to {name}; Kuma 2.x creates mesh-gateways-timeout-all-{}, which ends requests of gateways that wait for 5 s",
            proxy.meta.mesh()
        ));
    }
    let breakers = settings_of(&inputs.health.breakers, proxy, input);
    for (kind, initial, is_stated) in [
        (
            "MeshTimeout",
            "mesh-timeout-all",
            timeouts.has("http.requestTimeout"),
        ),
        (
            "MeshCircuitBreaker",
            "mesh-circuit-breaker-all",
            breakers.has("connectionLimits"),
        ),
    ] {
        if is_stated && inputs.health.lacks_initial() {
            assumptions.push(format!(
                "no document has {initial}-{}, which Kuma creates with a mesh: what it states counts for {name} instead of a {kind} with the same targetRef whose name comes after it",
                proxy.meta.mesh()
            ));
        }
    }
    let timeout = timeout::request_timeout(&timeouts);
    let time = retry::time(&retries, input.protocol);
    let mut limits = limits::of_retry(&retries, input.protocol);
    limits.extend(limits::of_route_timeouts(
        &timeouts,
        timeout,
        input.protocol,
    ));
    RouteOverTime {
        time: RetryTime::new(retry.retries, time.back_off, timeout, time.per_try_timeout),
        retry,
        connect_attempts: connects,
        assumptions,
        limits,
    }
}

/// The policy that Kuma creates with each mesh.
fn assumed_retries(name: &str, mesh: &str, retry: &RetryPolicy, connects: Option<u32>) -> String {
    let what = match connects {
        Some(attempts) => format!("{attempts} attempts to connect"),
        None => format!("{} retries after {}", retry.retries, retry.retry_on),
    };
    format!(
        "requests to {name} have settings of the MeshRetry {INITIAL_RETRIES}-{mesh}, which Kuma creates with a mesh and no document has: {what}. Without it, as after skipCreatingInitialPolicies, they have those of the documents alone"
    )
}

/// The settings of the policies of a kind for a destination.
fn settings_of(
    policies: &[KumaPolicy<KumaSettings>],
    proxy: &KumaProxy,
    input: &KumaDestinationInput,
) -> KumaSettings {
    let found = effective_conf(policies, proxy, &input.destination);
    found.map(|found| found.conf).unwrap_or_default()
}

/// As [`settings_of`], of a MeshHTTPRoute if a policy names it. Policies of routes apply to resources only.
fn route_settings(
    policies: &[KumaPolicy<KumaSettings>],
    proxy: &KumaProxy,
    input: &KumaDestinationInput,
    route: Option<&KumaMeta>,
) -> KumaSettings {
    let is_resource = input.destination.kind != KumaDestinationKind::ServiceTag;
    let own = route
        .filter(|_| is_resource)
        .and_then(|route| effective_route_conf(policies, proxy, route));
    match own {
        Some(own) => own.conf,
        None => settings_of(policies, proxy, input),
    }
}
