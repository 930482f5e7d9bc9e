//! The configuration of an Envoy with the clusters of a batch, which logs all requests.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::eds;
use super::trial::RequestTrial;
use crate::scripted::{TrialPorts, address, detection, health_check, seconds};

/// The filter of sessions.
const SESSIONS: &str = "envoy.filters.http.stateful_session";
/// The cookie of sessions.
pub(super) const SESSION_COOKIE: &str = "session";

/// The log of all requests of clients.
pub(super) fn requests_log(folder: &Path) -> PathBuf {
    folder.join("requests.log")
}

/// The events of outlier detection.
fn outliers_log(folder: &Path) -> PathBuf {
    folder.join("outliers.log")
}

/// Where Envoy finds the hosts of trials that remove some.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HostSource {
    /// In files that it watches.
    Files,
    /// In the configuration, as they are at the start.
    Config,
}

/// The bootstrap.
pub(super) fn bootstrap(
    trials: &[RequestTrial],
    (ports, source): (TrialPorts, HostSource),
    logs: &Path,
    node: &str,
    admin: u16,
) -> String {
    let clusters = trials.iter().enumerate();
    let clusters = clusters.map(|(place, trial)| cluster(trial, place, (ports, source), logs));
    let routes: Vec<Value> = trials.iter().map(route).collect();
    let bootstrap = json!({
        "node": {"id": node, "cluster": "e2e"},
        "admin": {"address": address(SocketAddr::from(([127, 0, 0, 1], admin)))},
        "cluster_manager": {"outlier_detection": {"event_log_path": outliers_log(logs)}},
        "static_resources": {
            "clusters": clusters.collect::<Vec<Value>>(),
            "listeners": [listener(ports.service, &routes, logs)],
        },
    });
    format!("{bootstrap:#}")
}

fn cluster(
    trial: &RequestTrial,
    place: usize,
    (ports, source): (TrialPorts, HostSource),
    logs: &Path,
) -> Value {
    let mut cluster = json!({
        "name": trial.name(),
        "connect_timeout": "5s",
        "lb_policy": trial.policy,
        "common_lb_config": {"healthy_panic_threshold": {"value": trial.panic_threshold}},
        // No other limit is reached.
        "circuit_breakers": {"thresholds": [{
            "max_retries": 1_000,
            "max_requests": trial.max_requests.unwrap_or(1_024),
        }]},
    });
    if source == HostSource::Files && trial.removes_hosts() {
        cluster["type"] = json!("EDS");
        cluster["eds_cluster_config"] = json!({"eds_config": {
            "resource_api_version": "V3",
            "path_config_source": {"path": eds::file(trial, logs)},
        }});
    } else {
        cluster["load_assignment"] = eds::assignment(trial, place, ports, Duration::ZERO);
    }
    if let Some(window) = trial.merge_window {
        cluster["common_lb_config"]["update_merge_window"] = json!(seconds(window));
    }
    if let Some(check) = &trial.check {
        let mut check = health_check(check, 0);
        let log = logs.join(format!("{}.checks", trial.name()));
        check["event_logger"] = json!([crate::scripted::event_logger(&log)]);
        cluster["health_checks"] = json!([check]);
    }
    if let Some(outlier) = &trial.outlier {
        cluster["outlier_detection"] = detection(outlier);
    }
    cluster
}

fn route(trial: &RequestTrial) -> Value {
    let retry = &trial.retry;
    let mut policy = json!({"retry_on": retry.on, "num_retries": retry.retries});
    if let Some(per_try) = retry.per_try {
        policy["per_try_timeout"] = json!(seconds(per_try));
    }
    if retry.avoids_previous {
        policy["retry_host_predicate"] = json!([{
            "name": "envoy.retry_host_predicates.previous_hosts",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate",
            },
        }]);
        policy["host_selection_retry_max_attempts"] = json!(3);
    }
    let mut route = json!({
        "match": {"path": format!("/{}", trial.name())},
        "route": {
            "cluster": trial.name(),
            "timeout": seconds(retry.timeout),
            "retry_policy": policy,
        },
    });
    if trial.sessions > 0 {
        let cookie = json!({"name": SESSION_COOKIE, "path": "/", "ttl": "0s"});
        route["typed_per_filter_config"] = json!({SESSIONS: {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute",
            "stateful_session": {"session_state": {
                "name": "envoy.http.stateful_session.cookie",
                "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState",
                    "cookie": cookie,
                },
            }},
        }});
    }
    route
}

fn listener(port: u16, routes: &[Value], logs: &Path) -> Value {
    let log = json!({
        "name": "requests",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog",
            "path": requests_log(logs),
            "log_format": {"json_format": {
                "start": "%START_TIME(%s.%6f)%",
                "path": "%REQ(:PATH)%",
                "status": "%RESPONSE_CODE%",
                "flags": "%RESPONSE_FLAGS%",
                "attempts": "%UPSTREAM_REQUEST_ATTEMPT_COUNT%",
                "host": "%UPSTREAM_HOST%",
                "session": "%RESP(SET-COOKIE)%",
                "ms": "%DURATION%",
            }},
        },
    });
    let manager = json!({
        "name": "envoy.filters.network.http_connection_manager",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
            "stat_prefix": "service",
            "access_log": [log],
            "route_config": {"virtual_hosts": [{"name": "trials", "domains": ["*"], "routes": routes}]},
            "http_filters": [
                {
                    "name": SESSIONS,
                    "disabled": true,
                    "typed_config": {"@type": "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession"},
                },
                {
                    "name": "envoy.filters.http.router",
                    "typed_config": {"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"},
                },
            ],
        },
    });
    json!({
        "name": "service",
        "enable_reuse_port": false,
        "address": address(SocketAddr::from(([127, 0, 0, 1], port))),
        "filter_chains": [{"filters": [manager]}],
    })
}
