//! Durations in milliseconds.

use core::{ops::RangeInclusive, time::Duration};

use spillgate_config::proto::{Message, Report};

/// An hour, in milliseconds.
pub(super) const HOUR: u64 = 3_600_000;

/// A duration in milliseconds, in this range.
pub(super) fn millis(
    message: &Message<'_, '_>,
    field: &'static str,
    range: RangeInclusive<u64>,
    report: &mut Report,
) -> Option<u64> {
    let millis = message.duration(field, report)?.as_millis();
    match u64::try_from(millis) {
        Ok(millis) if range.contains(&millis) => Some(millis),
        _ => {
            let least = Duration::from_millis(*range.start());
            let most = Duration::from_millis(*range.end());
            let fault = message.error(field, "config/value", "out of range");
            report.push(fault.expected(alloc::format!("from {least:?} to {most:?}")));
            None
        }
    }
}
