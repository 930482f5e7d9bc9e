//! Durations.

use alloc::format;
use core::time::Duration;

/// Seconds with up to nine decimals and an `s`, or milliseconds with `ms`; not negative.
pub(crate) fn read_duration(text: &str) -> Option<Duration> {
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
    // The largest value of google.protobuf.Duration: 10,000 years.
    let seconds = whole.parse().ok().filter(|s| *s <= 315_576_000_000)?;
    Some(Duration::new(seconds, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(read_duration(text), expected, "{text}");
        }
    }
}
