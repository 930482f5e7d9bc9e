//! The settings that a sweep can change.

use core::time::Duration;

use spillgate_health::{check::ActiveCheck, outlier::OutlierDetection};

use super::{
    SweepValue,
    values::ValueRange::{self, Number, Percent, Time, TimeAboveZero},
};
use crate::setup::IncidentHealth;

/// Sets a setting.
#[derive(Debug, Clone, Copy)]
pub(super) enum Setter {
    CheckTime(fn(&mut ActiveCheck, Duration)),
    CheckNumber(fn(&mut ActiveCheck, u32)),
    OutlierTime(fn(&mut OutlierDetection, Duration)),
    OutlierNumber(fn(&mut OutlierDetection, u32)),
    MergeWindow,
    Retries,
}

const CHECKS: &str = "health_checks";
const OUTLIERS: &str = "outlier_detection";

/// The settings: message, name, which values a configuration can have (`spillgate_config::envoy::HealthSettings`), and
/// how to set it. A name without its message is that of the first message here that the cluster has.
pub(super) static SETTINGS: [(&str, &str, ValueRange, Setter); 24] = [
    (
        CHECKS,
        "interval",
        TimeAboveZero,
        Setter::CheckTime(|to, time| to.interval = time),
    ),
    (
        CHECKS,
        "timeout",
        TimeAboveZero,
        Setter::CheckTime(|to, time| to.timeout = time),
    ),
    (
        CHECKS,
        "unhealthy_interval",
        TimeAboveZero,
        Setter::CheckTime(|to, time| to.unhealthy_interval = Some(time)),
    ),
    (
        CHECKS,
        "unhealthy_edge_interval",
        TimeAboveZero,
        Setter::CheckTime(|to, time| to.unhealthy_edge_interval = Some(time)),
    ),
    (
        CHECKS,
        "healthy_edge_interval",
        TimeAboveZero,
        Setter::CheckTime(|to, time| to.healthy_edge_interval = Some(time)),
    ),
    (
        CHECKS,
        "interval_jitter",
        Time,
        Setter::CheckTime(|to, time| to.interval_jitter = time),
    ),
    (
        CHECKS,
        "unhealthy_threshold",
        Number,
        Setter::CheckNumber(|to, number| to.unhealthy_threshold = number),
    ),
    (
        CHECKS,
        "healthy_threshold",
        Number,
        Setter::CheckNumber(|to, number| to.healthy_threshold = number),
    ),
    (
        OUTLIERS,
        "interval",
        TimeAboveZero,
        Setter::OutlierTime(|to, time| to.interval = time),
    ),
    (
        OUTLIERS,
        "base_ejection_time",
        TimeAboveZero, // Envoy rejects a max_ejection_time below it.
        Setter::OutlierTime(|to, time| {
            to.base_ejection_time = time;
            to.max_ejection_time = to.max_ejection_time.map(|most| most.max(time));
        }),
    ),
    (
        OUTLIERS,
        "max_ejection_time",
        TimeAboveZero,
        Setter::OutlierTime(|to, time| {
            to.max_ejection_time = Some(time.max(to.base_ejection_time))
        }),
    ),
    (
        OUTLIERS,
        "consecutive_5xx",
        Number,
        Setter::OutlierNumber(|to, number| to.consecutive_5xx = number),
    ),
    (
        OUTLIERS,
        "consecutive_gateway_failure",
        Number,
        Setter::OutlierNumber(|to, number| to.consecutive_gateway_failure = number),
    ),
    (
        OUTLIERS,
        "consecutive_local_origin_failure",
        Number,
        Setter::OutlierNumber(|to, number| to.consecutive_local_origin_failure = number),
    ),
    (
        OUTLIERS,
        "enforcing_consecutive_5xx",
        Percent,
        Setter::OutlierNumber(|to, number| to.enforcing_consecutive_5xx = number),
    ),
    (
        OUTLIERS,
        "enforcing_success_rate",
        Percent,
        Setter::OutlierNumber(|to, number| to.enforcing_success_rate = number),
    ),
    (
        OUTLIERS,
        "max_ejection_percent",
        Percent,
        Setter::OutlierNumber(|to, number| to.max_ejection_percent = number),
    ),
    (
        OUTLIERS,
        "success_rate_minimum_hosts",
        Number,
        Setter::OutlierNumber(|to, number| to.success_rate_minimum_hosts = number),
    ),
    (
        OUTLIERS,
        "success_rate_request_volume",
        Number,
        Setter::OutlierNumber(|to, number| to.success_rate_request_volume = number),
    ),
    (
        OUTLIERS,
        "success_rate_stdev_factor",
        Number,
        Setter::OutlierNumber(|to, number| to.success_rate_stdev_factor = number),
    ),
    (
        OUTLIERS,
        "failure_percentage_threshold",
        Percent,
        Setter::OutlierNumber(|to, number| to.failure_percentage_threshold = number),
    ),
    (
        OUTLIERS,
        "enforcing_failure_percentage",
        Percent,
        Setter::OutlierNumber(|to, number| to.enforcing_failure_percentage = number),
    ),
    (
        "common_lb_config",
        "update_merge_window",
        Time,
        Setter::MergeWindow,
    ),
    ("retry_policy", "num_retries", Number, Setter::Retries),
];

impl Setter {
    /// Sets the value; false if the cluster has no such message.
    pub(super) fn set(self, health: &mut IncidentHealth, value: SweepValue) -> bool {
        match (self, value) {
            (Self::CheckTime(set), SweepValue::Time(time)) => {
                health.checks.iter_mut().for_each(|check| set(check, time));
                !health.checks.is_empty()
            }
            (Self::CheckNumber(set), SweepValue::Number(number)) => {
                health
                    .checks
                    .iter_mut()
                    .for_each(|check| set(check, number));
                !health.checks.is_empty()
            }
            (Self::OutlierTime(set), SweepValue::Time(time)) => health
                .outlier
                .as_mut()
                .map(|outlier| set(outlier, time))
                .is_some(),
            (Self::OutlierNumber(set), SweepValue::Number(number)) => health
                .outlier
                .as_mut()
                .map(|outlier| set(outlier, number))
                .is_some(),
            (Self::MergeWindow, SweepValue::Time(time)) => {
                health.merge_window = time;
                true
            }
            _ => false,
        }
    }
}
