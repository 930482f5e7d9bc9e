//! `outlierDetection` of a MeshCircuitBreaker as that of Envoy (`meshcircuitbreaker/plugin/xds/configurer.go`).

use alloc::{format, vec::Vec};

use spillgate_health::outlier::OutlierDetection;

use super::super::over_time::PlacedField;
use crate::mesh::KumaSettings;

const ROOT: &str = "outlierDetection";

/// Outlier detection; `None` if it is not stated, or disabled. Kuma enforces the detectors that are stated, and no
/// other one.
pub(super) fn outlier_detection(settings: &KumaSettings) -> Option<OutlierDetection> {
    if !settings.has(ROOT) || settings.flag("outlierDetection.disabled") == Some(true) {
        return None;
    }
    let plain = OutlierDetection::default();
    let number = |path: &str| settings.number(&format!("{ROOT}.{path}"));
    let time = |path: &str| settings.time(&format!("{ROOT}.{path}"));
    let has = |path: &str| settings.has(&format!("{ROOT}.detectors.{path}"));
    let row = |path: &str| number(&format!("detectors.{path}.consecutive"));
    let enforced = |is_on: bool| if is_on { 100 } else { 0 };
    let (total, gateway) = (row("totalFailures"), row("gatewayFailures"));
    let local = row("localOriginFailures");
    let rate = enforced(has("successRate"));
    let failures = enforced(has("failurePercentage"));
    let factor = settings.decimal("outlierDetection.detectors.successRate.standardDeviationFactor");
    Some(OutlierDetection {
        interval: time("interval").unwrap_or(plain.interval),
        base_ejection_time: time("baseEjectionTime").unwrap_or(plain.base_ejection_time),
        max_ejection_percent: number("maxEjectionPercent").unwrap_or(plain.max_ejection_percent),
        split_external_local_origin_errors: settings
            .flag("outlierDetection.splitExternalAndLocalErrors")
            == Some(true),
        consecutive_5xx: total.unwrap_or(plain.consecutive_5xx),
        enforcing_consecutive_5xx: enforced(total.is_some()),
        consecutive_gateway_failure: gateway.unwrap_or(plain.consecutive_gateway_failure),
        enforcing_consecutive_gateway_failure: enforced(gateway.is_some()),
        consecutive_local_origin_failure: local.unwrap_or(plain.consecutive_local_origin_failure),
        enforcing_consecutive_local_origin_failure: enforced(local.is_some()),
        enforcing_success_rate: rate,
        enforcing_local_origin_success_rate: rate,
        success_rate_minimum_hosts: number("detectors.successRate.minimumHosts")
            .unwrap_or(plain.success_rate_minimum_hosts),
        success_rate_request_volume: number("detectors.successRate.requestVolume")
            .unwrap_or(plain.success_rate_request_volume),
        // Kuma drops what is below a thousandth.
        success_rate_stdev_factor: factor.map_or(plain.success_rate_stdev_factor, |factor| {
            (factor * 1000.0 + 1e-9) as u32
        }),
        enforcing_failure_percentage: failures,
        enforcing_failure_percentage_local_origin: failures,
        failure_percentage_minimum_hosts: number("detectors.failurePercentage.minimumHosts")
            .unwrap_or(plain.failure_percentage_minimum_hosts),
        failure_percentage_request_volume: number("detectors.failurePercentage.requestVolume")
            .unwrap_or(plain.failure_percentage_request_volume),
        failure_percentage_threshold: number("detectors.failurePercentage.threshold")
            .unwrap_or(plain.failure_percentage_threshold),
        ..plain
    })
}

/// The fields of Envoy, and the settings that they come from.
const FIELDS: [(&str, &str); 12] = [
    ("", ""),
    ("interval", "interval"),
    ("base_ejection_time", "baseEjectionTime"),
    ("max_ejection_percent", "maxEjectionPercent"),
    ("consecutive_5xx", "detectors.totalFailures.consecutive"),
    (
        "consecutive_gateway_failure",
        "detectors.gatewayFailures.consecutive",
    ),
    (
        "consecutive_local_origin_failure",
        "detectors.localOriginFailures.consecutive",
    ),
    (
        "success_rate_minimum_hosts",
        "detectors.successRate.minimumHosts",
    ),
    (
        "success_rate_request_volume",
        "detectors.successRate.requestVolume",
    ),
    (
        "failure_percentage_minimum_hosts",
        "detectors.failurePercentage.minimumHosts",
    ),
    (
        "failure_percentage_request_volume",
        "detectors.failurePercentage.requestVolume",
    ),
    (
        "failure_percentage_threshold",
        "detectors.failurePercentage.threshold",
    ),
];

/// The places of the settings, and of `outlierDetection` for those that are not stated.
pub(super) fn places(settings: &KumaSettings) -> Vec<PlacedField> {
    let placed = FIELDS.iter().filter_map(|(field, path)| {
        let path = format!("{ROOT}.{path}");
        Some(PlacedField {
            of_check: false,
            field,
            place: settings.nearest_place(path.trim_end_matches('.'))?.clone(),
        })
    });
    placed.collect()
}
