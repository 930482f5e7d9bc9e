//! Reads `outlier_detection` (`envoy.config.cluster.v3.OutlierDetection`), with the runtime keys that replace settings.

use spillgate_health::outlier::OutlierDetection;

use super::{LocatedSettings, setting::SettingReader};
use crate::proto::{Message, Report};

/// Reads the settings. After faults they are incomplete.
pub(super) fn read_outlier_detection(
    message: Message<'_, '_>,
    runtime: &Report,
    faults: &mut Report,
) -> LocatedSettings<OutlierDetection> {
    let mut reader = SettingReader::new(message, runtime, faults);
    let mut settings = OutlierDetection::default();
    read_numbers(&mut reader, &mut settings);
    read_percentages(&mut reader, &mut settings);
    read_times(&mut reader, &mut settings);
    settings.split_external_local_origin_errors =
        reader.flag("split_external_local_origin_errors", false);
    settings.successful_active_health_check_uneject_host =
        reader.flag("successful_active_health_check_uneject_host", true);
    settings.always_eject_one_host = reader.flag("always_eject_one_host", false);
    settings.detect_degraded_hosts = reader.flag("detect_degraded_hosts", false);
    reader.finish(settings)
}

fn read_numbers(reader: &mut SettingReader<'_, '_, '_>, to: &mut OutlierDetection) {
    let fields: [(&'static str, &mut u32); 8] = [
        ("consecutive_5xx", &mut to.consecutive_5xx),
        (
            "success_rate_minimum_hosts",
            &mut to.success_rate_minimum_hosts,
        ),
        (
            "success_rate_request_volume",
            &mut to.success_rate_request_volume,
        ),
        (
            "success_rate_stdev_factor",
            &mut to.success_rate_stdev_factor,
        ),
        (
            "consecutive_gateway_failure",
            &mut to.consecutive_gateway_failure,
        ),
        (
            "consecutive_local_origin_failure",
            &mut to.consecutive_local_origin_failure,
        ),
        (
            "failure_percentage_minimum_hosts",
            &mut to.failure_percentage_minimum_hosts,
        ),
        (
            "failure_percentage_request_volume",
            &mut to.failure_percentage_request_volume,
        ),
    ];
    for (field, value) in fields {
        *value = reader.number_or_runtime(field, *value);
    }
}

fn read_percentages(reader: &mut SettingReader<'_, '_, '_>, to: &mut OutlierDetection) {
    let fields: [(&'static str, &mut u32); 9] = [
        ("max_ejection_percent", &mut to.max_ejection_percent),
        (
            "enforcing_consecutive_5xx",
            &mut to.enforcing_consecutive_5xx,
        ),
        ("enforcing_success_rate", &mut to.enforcing_success_rate),
        (
            "enforcing_consecutive_gateway_failure",
            &mut to.enforcing_consecutive_gateway_failure,
        ),
        (
            "enforcing_consecutive_local_origin_failure",
            &mut to.enforcing_consecutive_local_origin_failure,
        ),
        (
            "enforcing_local_origin_success_rate",
            &mut to.enforcing_local_origin_success_rate,
        ),
        (
            "failure_percentage_threshold",
            &mut to.failure_percentage_threshold,
        ),
        (
            "enforcing_failure_percentage",
            &mut to.enforcing_failure_percentage,
        ),
        (
            "enforcing_failure_percentage_local_origin",
            &mut to.enforcing_failure_percentage_local_origin,
        ),
    ];
    for (field, value) in fields {
        *value = reader.percent_or_runtime(field, *value);
    }
}

fn read_times(reader: &mut SettingReader<'_, '_, '_>, to: &mut OutlierDetection) {
    let interval = reader.positive_time("interval");
    let base = reader.positive_time("base_ejection_time");
    let longest = reader.positive_time("max_ejection_time");
    let jitter = reader.optional_time("max_ejection_time_jitter");
    let (interval, base) = (
        interval.unwrap_or(to.interval),
        base.unwrap_or(to.base_ejection_time),
    );
    // Envoy compares the configured values, and not those of the runtime.
    if longest.is_some_and(|longest| longest < base) {
        let expected = "at least base_ejection_time";
        reader
            .message
            .out_of_range("max_ejection_time", expected, reader.faults);
    }
    to.interval = reader
        .time_or_runtime("interval", Some(interval))
        .unwrap_or(interval);
    to.base_ejection_time = reader
        .time_or_runtime("base_ejection_time", Some(base))
        .unwrap_or(base);
    let default = OutlierDetection::MAX_EJECTION_TIME.max(base);
    let stated = Some(longest.unwrap_or(default));
    to.max_ejection_time = reader.time_or_runtime("max_ejection_time", stated);
    to.max_ejection_time_jitter = reader
        .time_or_runtime("max_ejection_time_jitter", jitter)
        .unwrap_or_default();
}
