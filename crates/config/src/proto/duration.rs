//! Durations.

use alloc::format;
use core::time::Duration;

#[cfg(feature = "yaml")]
use super::number;
use crate::node::{Node, NodeValue};

/// The most seconds of `google.protobuf.Duration`: 10,000 years.
const MOST_SECONDS: u64 = 315_576_000_000;

/// A duration as text, see [`of_text`], or as Envoy also reads it: `{seconds: 1, nanos: 500}`.
pub(crate) fn duration_of(node: &Node<'_>) -> Option<Duration> {
    match &node.value {
        NodeValue::String(text) => of_text(text),
        #[cfg(feature = "yaml")]
        NodeValue::Map(entries) => {
            let known = |name: &str| matches!(name, "seconds" | "nanos");
            if !entries.iter().all(|entry| known(&entry.key.name)) {
                return None;
            }
            let part = |field, most| match node.get(field) {
                Some(node) if node.value != NodeValue::Null => number::unsigned(node, most).ok(),
                _ => Some(0),
            };
            let nanos = part("nanos", 999_999_999)?;
            Some(Duration::new(
                part("seconds", MOST_SECONDS)?,
                u32::try_from(nanos).ok()?,
            ))
        }
        _ => None,
    }
}

/// Seconds with up to nine decimals and an `s`, or milliseconds with `ms`; not negative.
fn of_text(text: &str) -> Option<Duration> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if let Some(milliseconds) = text.strip_suffix("ms") {
        let milliseconds = Some(milliseconds).filter(|text| digits(text))?;
        return milliseconds.parse().ok().map(Duration::from_millis);
    }
    let number = text.strip_suffix('s')?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if !digits(whole) || !digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let nanos: u32 = format!("{fraction:0<9}").parse().ok()?;
    let seconds = whole.parse().ok().filter(|s| *s <= MOST_SECONDS)?;
    Some(Duration::new(seconds, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "yaml")]
    use crate::node::{Scalars, read_yaml};

    /// What Envoy 1.40.0 accepts.
    #[cfg(feature = "yaml")]
    #[test]
    fn messages() {
        for (text, expected) in [
            ("{seconds: 1}", Some(Duration::from_secs(1))),
            ("{seconds: '1', nanos: 5}", Some(Duration::new(1, 5))),
            ("{seconds: null, nanos: 5}", Some(Duration::new(0, 5))),
            ("{}", Some(Duration::ZERO)),
            ("{seconds: -1}", None),
            ("{seconds: 1.5}", None),
            ("{seconds: true}", None),
            ("{seconds: 1, nanos: 2000000000}", None),
            ("{seconds: 315576000001}", None),
            ("{Seconds: 1}", None),
            ("{seconds: 1, more: 2}", None),
            ("{value: 1s}", None),
            ("1", None),
        ] {
            let document = read_yaml(text, Scalars::Envoy).expect("YAML");
            assert_eq!(duration_of(&document.roots[0]), expected, "{text}");
        }
    }

    #[test]
    fn durations() {
        let ms = |ms| Some(Duration::from_millis(ms));
        for (text, expected) in [
            ("1s", ms(1000)),
            ("0.25s", ms(250)),
            ("100ms", ms(100)),
            ("1.000000001s", Some(Duration::new(1, 1))),
            ("1.0000000001s", None),
            ("-1s", None),
            ("1", None),
            ("s", None),
            ("ms", None),
            (".5s", None),
            ("1.s", None),
            ("+1ms", None),
            ("315576000001s", None),
            ("99999999999999999999ms", None),
        ] {
            assert_eq!(of_text(text), expected, "{text}");
        }
    }
}
