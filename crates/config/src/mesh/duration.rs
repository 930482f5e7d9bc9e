//! Durations as Go writes them: `1h30m`, `0.5s`, `250ms`.

use core::time::Duration;

use crate::{
    node::NodeValue,
    proto::{Message, Report, wrong_type},
};

/// Nanoseconds per unit. Longer names come first: `ms` is not `m`.
const UNITS: [(&str, f64); 7] = [
    ("ns", 1.0),
    ("us", 1e3),
    ("µs", 1e3),
    ("ms", 1e6),
    ("h", 3.6e12),
    ("m", 6e10),
    ("s", 1e9),
];

/// A duration that is not negative, as Go writes it; `0` needs no unit.
///
/// # Examples
/// ```
/// use spillgate_config::mesh::go_duration;
///
/// assert_eq!(go_duration("1m30s").map(|time| time.as_secs()), Some(90));
/// assert_eq!(go_duration("90"), None);
/// ```
#[must_use]
pub fn go_duration(text: &str) -> Option<Duration> {
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let mut rest = text;
    let mut nanoseconds = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, unit) = rest.split_at_checked(end)?;
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        if digits == 0 || number.len() > digits + 1 {
            return None;
        }
        let (name, factor) = UNITS.into_iter().find(|(name, _)| unit.starts_with(name))?;
        nanoseconds += number.parse::<f64>().ok()? * factor;
        rest = unit.strip_prefix(name)?;
    }
    // The largest duration of Go: 2^63 nanoseconds, about 292 years.
    const LONGEST: f64 = 9.2e18;
    (!text.is_empty() && nanoseconds <= LONGEST).then(|| Duration::from_nanos(nanoseconds as u64))
}

impl Message<'_, '_> {
    /// A duration.
    pub(super) fn go_duration(&self, field: &'static str, report: &mut Report) -> Option<Duration> {
        let node = self.get(field)?;
        let duration = match &node.value {
            NodeValue::String(text) => go_duration(text),
            _ => None,
        };
        if duration.is_none() {
            let path = self.path.field(field);
            let expected = "a duration such as \"30s\" or \"1h30m\"";
            report.push(wrong_type(node, &path, expected));
        }
        duration
    }

    /// A duration in milliseconds.
    pub(super) fn milliseconds(&self, field: &'static str, report: &mut Report) -> Option<u64> {
        let duration = self.go_duration(field, report)?;
        u64::try_from(duration.as_millis()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let ms = |ms| Some(Duration::from_millis(ms));
        for (text, expected) in [
            ("0", ms(0)),
            ("30s", ms(30_000)),
            ("1h30m", ms(5_400_000)),
            ("1.5s", ms(1_500)),
            (".5s", ms(500)),
            ("250ms", ms(250)),
            ("", None),
            ("5", None),
            ("s", None),
            (".s", None),
            ("1.2.3s", None),
            ("-1s", None),
            ("1d", None),
            ("1s ", None),
            ("9999999h", None),
        ] {
            assert_eq!(go_duration(text), expected, "{text}");
        }
    }
}
