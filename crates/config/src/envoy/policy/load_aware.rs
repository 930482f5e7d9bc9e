//! The settings of `LoadAwareLocality`: localities share requests by the utilization that their hosts
//! report.

use crate::{
    envoy::marks::LoadAware,
    proto::{Message, Report},
};

/// Reads the settings. Those of the reports are checked: the reports themselves are inputs.
pub(super) fn read_load_aware(message: &Message<'_, '_>, report: &mut Report) -> LoadAware {
    const SHORTEST_PERIOD_MS: u128 = 100;
    let period = message.duration("weight_update_period", report);
    if period.is_some_and(|period| period.as_millis() < SHORTEST_PERIOD_MS) {
        message.out_of_range("weight_update_period", "at least 0.1s", report);
    }
    let smoothing = message.duration("smoothing_time_constant", report);
    if smoothing.is_some_and(|time| time.is_zero()) {
        message.out_of_range("smoothing_time_constant", "more than 0s", report);
    }
    for field in ["weight_expiration_period", "oob_reporting_period"] {
        message.duration(field, report);
    }
    message.bool("enable_oob_load_report", report);
    message.strings("metric_names_for_computing_utilization", report);
    let threshold = message.wrapped_double("utilization_variance_threshold", report);
    if threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
        message.out_of_range("utilization_variance_threshold", "0 to 1", report);
    }
    let probe = message.wrapped_double("remote_probe_fraction", report);
    if probe.is_some_and(|probe| !(0.0..1.0).contains(&probe)) {
        message.out_of_range("remote_probe_fraction", "0 to below 1", report);
    }
    LoadAware {
        threshold: threshold.unwrap_or(0.1),
        probe: probe.unwrap_or(0.03),
    }
}
