//! The configuration of an Envoy with the clusters of a batch, all of whose logs are kept.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value, json};
use spillgate_health::check::{ActiveCheck, HealthCheckKind, HttpStatuses};
use spillgate_health::outlier::OutlierDetection;

use super::host::CHECK_PATH;
use super::trial::{HealthTrial, TrialLoad};

/// Where the logs of a batch are.
#[derive(Debug, Clone)]
pub(super) struct LogFiles {
    folder: PathBuf,
}

/// The addresses of a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrialPorts {
    /// Of the listener.
    pub(super) service: u16,
    /// Of all hosts, each of which has an IP of its own.
    pub(super) hosts: u16,
}

impl LogFiles {
    pub(super) fn below(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// The events of a checker.
    pub(super) fn checks(&self, trial: &HealthTrial, checker: usize) -> PathBuf {
        self.folder
            .join(format!("{}-{checker}.checks", trial.name()))
    }

    /// The events of outlier detection of all clusters.
    pub(super) fn outliers(&self) -> PathBuf {
        self.folder.join("outliers.log")
    }

    /// The attempts of all requests.
    pub(super) fn attempts(&self) -> PathBuf {
        self.folder.join("attempts.log")
    }
}

impl TrialPorts {
    /// The address of a host of the trial at this place of the batch.
    pub(super) fn host(self, place: usize, host: usize) -> SocketAddr {
        SocketAddr::from(([127, 11, place as u8, host as u8 + 1], self.hosts))
    }

    /// The address of the host of all beacons.
    pub(super) fn beacon(self) -> SocketAddr {
        SocketAddr::from(([127, 11, 255, 1], self.hosts))
    }
}

/// The bootstrap.
pub(super) fn bootstrap(
    trials: &[HealthTrial],
    ports: TrialPorts,
    files: &LogFiles,
    node: &str,
    admin: u16,
) -> String {
    let mut clusters = Vec::new();
    let mut routes = Vec::new();
    for (place, trial) in trials.iter().enumerate() {
        clusters.push(cluster(trial, place, ports, files));
        if let Some(load) = trial.load {
            routes.push(route(&trial.name(), load));
        }
        // The next one, so that the sweeps of both are at the same time.
        if let Some(outlier) = &trial.outlier {
            clusters.push(beacon(trial, outlier.interval, ports));
            routes.push(route(&trial.beacon(), BEACON_LOAD));
        }
    }
    let bootstrap = json!({
        "node": {"id": node, "cluster": "e2e"},
        "admin": {"address": address(SocketAddr::from(([127, 0, 0, 1], admin)))},
        "cluster_manager": {"outlier_detection": {"event_log_path": files.outliers()}},
        "static_resources": {
            "clusters": clusters,
            "listeners": [listener(ports.service, &routes, files)],
        },
    });
    format!("{bootstrap:#}")
}

/// The requests to a beacon.
const BEACON_LOAD: TrialLoad = TrialLoad {
    pause: Duration::ZERO,
    timeout: Duration::from_secs(10),
    retries: 0,
};

fn cluster(trial: &HealthTrial, place: usize, ports: TrialPorts, files: &LogFiles) -> Value {
    let hosts = (0..trial.hosts.len()).map(|host| ports.host(place, host));
    let checks = trial.checks.iter().enumerate();
    let mut checks: Vec<Value> = checks
        .map(|(number, check)| health_check(check, number, &files.checks(trial, number)))
        .collect();
    // Envoy 1.40 distinguishes several checks by their names; earlier versions have one, without a name.
    if checks.len() > 1 {
        for (written, check) in checks.iter_mut().zip(&trial.checks) {
            written["name"] = json!(check.name);
        }
    }
    let mut cluster = json!({
        "name": trial.name(),
        "connect_timeout": "5s",
        "load_assignment": assignment(&trial.name(), hosts),
        "common_lb_config": {"healthy_panic_threshold": {"value": trial.panic_threshold}},
        "health_checks": checks,
    });
    if let Some(window) = trial.merge_window {
        cluster["common_lb_config"]["update_merge_window"] = json!(seconds(window));
    }
    if let Some(outlier) = &trial.outlier {
        cluster["outlier_detection"] = detection(outlier);
    }
    cluster
}

/// Its failure percentage is at least 0, which each sweep finds and does not enforce.
fn beacon(trial: &HealthTrial, interval: Duration, ports: TrialPorts) -> Value {
    let name = trial.beacon();
    json!({
        "name": name,
        "connect_timeout": "5s",
        "load_assignment": assignment(&name, std::iter::once(ports.beacon())),
        "outlier_detection": {
            "interval": seconds(interval),
            "max_ejection_percent": 100,
            "failure_percentage_threshold": 0,
            "failure_percentage_minimum_hosts": 1,
            "failure_percentage_request_volume": 1,
            "enforcing_failure_percentage": 0,
        },
    })
}

fn assignment(cluster: &str, hosts: impl Iterator<Item = SocketAddr>) -> Value {
    let endpoints = hosts.map(|host| json!({"endpoint": {"address": address(host)}}));
    let endpoints: Vec<Value> = endpoints.collect();
    json!({"cluster_name": cluster, "endpoints": [{"lb_endpoints": endpoints}]})
}

fn address(of: SocketAddr) -> Value {
    json!({"socket_address": {"address": of.ip(), "port_value": of.port()}})
}

/// A duration in JSON.
fn seconds(of: Duration) -> String {
    format!("{}.{:03}s", of.as_secs(), of.subsec_millis())
}

fn put(to: &mut Map<String, Value>, name: &str, value: Option<Duration>) {
    if let Some(value) = value {
        to.insert(name.to_owned(), json!(seconds(value)));
    }
}

fn health_check(check: &ActiveCheck, number: usize, log: &Path) -> Value {
    let mut written = json!({
        "timeout": seconds(check.timeout),
        "interval": seconds(check.interval),
        "initial_jitter": seconds(check.initial_jitter),
        "interval_jitter": seconds(check.interval_jitter),
        "interval_jitter_percent": check.interval_jitter_percent,
        "unhealthy_threshold": check.unhealthy_threshold,
        "healthy_threshold": check.healthy_threshold,
        "reuse_connection": check.reuse_connection,
        "no_traffic_interval": seconds(check.no_traffic_interval),
        "always_log_health_check_failures": check.always_log_health_check_failures,
        "always_log_health_check_success": check.always_log_health_check_success,
        "event_logger": [{
            "name": "envoy.health_check.event_sinks.file",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.health_check.event_sinks.file.v3.HealthCheckEventFileSink",
                "event_log_path": log,
            },
        }],
    });
    if let HealthCheckKind::Http(statuses) = &check.kind {
        written["http_health_check"] = http(statuses, number);
    } else {
        written["tcp_health_check"] = json!({});
    }
    if let Value::Object(written) = &mut written {
        put(
            written,
            "no_traffic_healthy_interval",
            check.no_traffic_healthy_interval,
        );
        put(written, "unhealthy_interval", check.unhealthy_interval);
        put(
            written,
            "unhealthy_edge_interval",
            check.unhealthy_edge_interval,
        );
        put(
            written,
            "healthy_edge_interval",
            check.healthy_edge_interval,
        );
    }
    written
}

fn http(statuses: &HttpStatuses, number: usize) -> Value {
    let ranges = |of: &[std::ops::Range<u16>]| {
        let ranges = of.iter();
        let ranges = ranges.map(|range| json!({"start": range.start, "end": range.end}));
        Value::Array(ranges.collect())
    };
    json!({
        "path": format!("{CHECK_PATH}{number}"),
        "expected_statuses": ranges(&statuses.expected),
        "retriable_statuses": ranges(&statuses.retriable),
    })
}

fn detection(of: &OutlierDetection) -> Value {
    let mut written = json!({
        "consecutive_5xx": of.consecutive_5xx,
        "interval": seconds(of.interval),
        "base_ejection_time": seconds(of.base_ejection_time),
        "max_ejection_percent": of.max_ejection_percent,
        "enforcing_consecutive_5xx": of.enforcing_consecutive_5xx,
        "enforcing_success_rate": of.enforcing_success_rate,
        "success_rate_minimum_hosts": of.success_rate_minimum_hosts,
        "success_rate_request_volume": of.success_rate_request_volume,
        "success_rate_stdev_factor": of.success_rate_stdev_factor,
        "consecutive_gateway_failure": of.consecutive_gateway_failure,
        "enforcing_consecutive_gateway_failure": of.enforcing_consecutive_gateway_failure,
        "split_external_local_origin_errors": of.split_external_local_origin_errors,
        "consecutive_local_origin_failure": of.consecutive_local_origin_failure,
        "enforcing_consecutive_local_origin_failure": of.enforcing_consecutive_local_origin_failure,
        "enforcing_local_origin_success_rate": of.enforcing_local_origin_success_rate,
        "failure_percentage_threshold": of.failure_percentage_threshold,
        "enforcing_failure_percentage": of.enforcing_failure_percentage,
        "enforcing_failure_percentage_local_origin": of.enforcing_failure_percentage_local_origin,
        "failure_percentage_minimum_hosts": of.failure_percentage_minimum_hosts,
        "failure_percentage_request_volume": of.failure_percentage_request_volume,
        "max_ejection_time_jitter": seconds(of.max_ejection_time_jitter),
        "successful_active_health_check_uneject_host": of.successful_active_health_check_uneject_host,
        "always_eject_one_host": of.always_eject_one_host,
        "detect_degraded_hosts": of.detect_degraded_hosts,
    });
    if let Value::Object(written) = &mut written {
        put(written, "max_ejection_time", of.max_ejection_time);
    }
    written
}

fn route(name: &str, load: TrialLoad) -> Value {
    json!({
        "match": {"path": format!("/{name}")},
        "route": {
            "cluster": name,
            "timeout": seconds(load.timeout),
            "retry_policy": {"retry_on": "5xx", "num_retries": load.retries},
        },
    })
}

fn listener(port: u16, routes: &[Value], files: &LogFiles) -> Value {
    let log = json!({
        "name": "attempts",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog",
            "path": files.attempts(),
            "log_format": {"json_format": {
                "start": "%START_TIME(%s.%6f)%",
                "ms": "%DURATION%",
                "sent": "%COMMON_DURATION(DS_RX_BEG:US_TX_BEG:us)%",
                "us": "%COMMON_DURATION(DS_RX_BEG:US_RX_BEG:us)%",
                "cluster": "%UPSTREAM_CLUSTER%",
                "host": "%UPSTREAM_HOST%",
                "status": "%RESPONSE_CODE%",
                "flags": "%RESPONSE_FLAGS%",
                "degraded": "%RESP(x-envoy-degraded)%",
            }},
        },
    });
    let router = json!({
        "name": "envoy.filters.http.router",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router",
            "upstream_log": [log],
        },
    });
    let manager = json!({
        "name": "envoy.filters.network.http_connection_manager",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
            "stat_prefix": "service",
            "route_config": {"virtual_hosts": [{"name": "trials", "domains": ["*"], "routes": routes}]},
            "http_filters": [router],
        },
    });
    json!({
        "name": "service",
        "enable_reuse_port": false,
        "address": address(SocketAddr::from(([127, 0, 0, 1], port))),
        "filter_chains": [{"filters": [manager]}],
    })
}
