//! Durations that tokens and headers count in whole seconds.

use core::time::Duration;

use crate::proto::{Message, Report};

/// A duration in whole seconds; `None` if it is absent, or after an error.
pub(super) fn read_seconds(
    message: &Message<'_, '_>,
    field: &'static str,
    least: Duration,
    report: &mut Report,
) -> Option<Duration> {
    let time = message.duration(field, report)?;
    let (fault, expected) = if time.subsec_nanos() != 0 {
        ("not whole seconds", "such as \"60s\"")
    } else if time < least {
        ("out of range", "at least \"1s\"")
    } else {
        return Some(time);
    };
    let error = message.error(field, "config/value", fault);
    report.push(error.expected(expected));
    None
}
