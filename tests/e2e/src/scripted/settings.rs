//! Health checks and outlier detection as JSON of Envoy.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};
use spillgate_health::check::{ActiveCheck, HealthCheckKind, HttpStatuses};
use spillgate_health::outlier::OutlierDetection;

use super::host::CHECK_PATH;

/// An address.
pub(crate) fn address(of: SocketAddr) -> Value {
    json!({"socket_address": {"address": of.ip(), "port_value": of.port()}})
}

/// A duration.
pub(crate) fn seconds(of: Duration) -> String {
    format!("{}.{:03}s", of.as_secs(), of.subsec_millis())
}

fn put(to: &mut Map<String, Value>, name: &str, value: Option<Duration>) {
    if let Some(value) = value {
        to.insert(name.to_owned(), json!(seconds(value)));
    }
}

/// A health check, whose number is in its path.
pub(crate) fn health_check(check: &ActiveCheck, number: usize) -> Value {
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

/// `outlier_detection`.
pub(crate) fn detection(of: &OutlierDetection) -> Value {
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

/// The log of a checker.
pub(crate) fn event_logger(log: &Path) -> Value {
    json!({
        "name": "envoy.health_check.event_sinks.file",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.health_check.event_sinks.file.v3.HealthCheckEventFileSink",
            "event_log_path": log,
        },
    })
}
