//! How long an ejection lasts, and how many failed requests precede it.

use core::time::Duration;

use crate::outlier::OutlierDetection;

/// The duration of an ejection. Only a sweep ends it, so that it lasts up to an interval longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EjectionTime {
    /// The number of ejections in a row, as far as the multiplier did not decrease in between.
    pub number: u32,
    /// `number` times `base_ejection_time`, at most `max_ejection_time`.
    pub nominal: Duration,
    /// The longest time: with the largest jitter, and a sweep right before its end.
    pub most: Duration,
    /// Whether `max_ejection_time` limits it.
    pub is_limited: bool,
}

/// The duration of the `number`-th ejection in a row, from 1. A passing active health check can end it earlier.
#[must_use]
pub fn ejection_time(settings: &OutlierDetection, number: u32) -> EjectionTime {
    let nominal = settings.ejection(number);
    let jitter = settings.max_ejection_time_jitter;
    EjectionTime {
        number,
        nominal,
        most: nominal
            .saturating_add(jitter)
            .saturating_add(settings.interval),
        is_limited: settings.base_ejection_time.saturating_mul(number) > nominal,
    }
}

/// The fewest failed requests in a row that can eject a host, with the setting that states them; `None` if no number
/// can. `gateway` is whether they are responses 502, 503 or 504, or failures without a response that count as such.
#[must_use]
pub fn consecutive_requests(
    settings: &OutlierDetection,
    gateway: bool,
) -> Option<(&'static str, u32)> {
    let rules = [
        (
            "consecutive_5xx",
            settings.consecutive_5xx,
            settings.enforcing_consecutive_5xx,
        ),
        (
            "consecutive_gateway_failure",
            settings.consecutive_gateway_failure,
            if gateway {
                settings.enforcing_consecutive_gateway_failure
            } else {
                0
            },
        ),
    ];
    let can = rules
        .into_iter()
        .filter(|(_, row, percent)| *row > 0 && *percent > 0);
    can.map(|(field, row, _)| (field, row))
        .min_by_key(|(_, row)| *row)
}
