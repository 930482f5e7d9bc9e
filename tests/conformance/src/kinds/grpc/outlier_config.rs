//! Subject `outlier_config`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_grpc::{GrpcOutlierDetection, OutlierReading};

use super::{
    super::{Figures, figures, read},
    Duration,
};

/// The cluster resource.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    outlier_detection: Option<Detection>,
}

/// The fields of `OutlierDetection`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Detection {
    interval: Option<Duration>,
    base_ejection_time: Option<Duration>,
    max_ejection_time: Option<Duration>,
    max_ejection_percent: Option<u32>,
    enforcing_success_rate: Option<u32>,
    success_rate_stdev_factor: Option<u32>,
    success_rate_minimum_hosts: Option<u32>,
    success_rate_request_volume: Option<u32>,
    enforcing_failure_percentage: Option<u32>,
    failure_percentage_threshold: Option<u32>,
    failure_percentage_minimum_hosts: Option<u32>,
    failure_percentage_request_volume: Option<u32>,
    /// A field of Envoy that gRPC does not read.
    #[serde(rename = "consecutive_5xx")]
    _consecutive_5xx: Option<u32>,
    #[serde(rename = "enforcing_consecutive_5xx")]
    _enforcing_consecutive_5xx: Option<u32>,
    #[serde(rename = "consecutive_gateway_failure")]
    _consecutive_gateway_failure: Option<u32>,
    #[serde(rename = "enforcing_consecutive_gateway_failure")]
    _enforcing_consecutive_gateway_failure: Option<u32>,
}

/// The settings with defaults, or the invalid fields.
pub(super) fn outlier_config(input: &Value) -> Result<Figures, String> {
    let input: Input = read(input)?;
    let Some(detection) = input.outlier_detection else {
        return Ok(figures([
            ("result", json!("ACK")),
            ("success_rate", Value::Null),
            ("failure_percentage", Value::Null),
        ]));
    };
    let settings = match detection.read().settings(OutlierReading::A50) {
        Ok(settings) => settings,
        Err(fields) => {
            return Ok(figures([
                ("result", json!("NACK")),
                ("fields", json!(fields)),
            ]));
        }
    };
    let success_rate = settings.success_rate.map(|rule| {
        json!({
            "stdev_factor": rule.stdev_factor,
            "enforcement_percentage": rule.enforcement_percentage,
            "minimum_hosts": rule.minimum_hosts,
            "request_volume": rule.request_volume,
        })
    });
    let failure_percentage = settings.failure_percentage.map(|rule| {
        json!({
            "threshold": rule.threshold,
            "enforcement_percentage": rule.enforcement_percentage,
            "minimum_hosts": rule.minimum_hosts,
            "request_volume": rule.request_volume,
        })
    });
    Ok(figures([
        ("result", json!("ACK")),
        ("interval_ms", json!(settings.interval_ms)),
        (
            "base_ejection_time_ms",
            json!(settings.base_ejection_time_ms),
        ),
        ("max_ejection_time_ms", json!(settings.max_ejection_time_ms)),
        ("max_ejection_percent", json!(settings.max_ejection_percent)),
        ("success_rate", json!(success_rate)),
        ("failure_percentage", json!(failure_percentage)),
    ]))
}

impl Detection {
    fn read(self) -> GrpcOutlierDetection {
        GrpcOutlierDetection {
            interval: self.interval.map(Into::into),
            base_ejection_time: self.base_ejection_time.map(Into::into),
            max_ejection_time: self.max_ejection_time.map(Into::into),
            max_ejection_percent: self.max_ejection_percent,
            enforcing_success_rate: self.enforcing_success_rate,
            success_rate_stdev_factor: self.success_rate_stdev_factor,
            success_rate_minimum_hosts: self.success_rate_minimum_hosts,
            success_rate_request_volume: self.success_rate_request_volume,
            enforcing_failure_percentage: self.enforcing_failure_percentage,
            failure_percentage_threshold: self.failure_percentage_threshold,
            failure_percentage_minimum_hosts: self.failure_percentage_minimum_hosts,
            failure_percentage_request_volume: self.failure_percentage_request_volume,
        }
    }
}
