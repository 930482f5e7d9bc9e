//! The configuration of an Envoy with the clusters of a batch, all of whose logs are kept.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::trial::{HealthTrial, TrialLoad};
use crate::scripted::{TrialPorts, address, detection, event_logger, health_check, seconds};

/// Where the logs of a batch are.
#[derive(Debug, Clone)]
pub(super) struct LogFiles {
    folder: PathBuf,
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
        .map(|(number, check)| {
            let mut written = health_check(check, number);
            written["event_logger"] = json!([event_logger(&files.checks(trial, number))]);
            written
        })
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
