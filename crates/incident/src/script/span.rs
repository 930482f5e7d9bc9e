//! Times and spans of a script: `10s`, `500ms`, `1.5m`, `1m30s`; `10s..70s`, `10s..`.

use alloc::{vec, vec::Vec};
use core::{fmt, time::Duration};

use spillgate_core::{decimal, duration::DurationText};
use spillgate_sim::{SpecFault, spec::Piece};

/// The longest time of a script.
const LONGEST: Duration = Duration::from_secs(24 * 3_600);

/// Units, longer names first, in milliseconds.
const UNITS: [(&str, f64); 4] = [("ms", 1.0), ("s", 1e3), ("m", 6e4), ("h", 3.6e6)];

/// A part of the simulated time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeSpan {
    /// Its start.
    pub from: Duration,
    /// Its end; `None` for the end of the simulated time.
    pub to: Option<Duration>,
}

impl TimeSpan {
    /// Reads `10s..70s`, or `10s..` for a span without an end.
    ///
    /// # Errors
    /// All faults of the text.
    pub fn read(text: Piece<'_>) -> Result<Self, Vec<SpecFault>> {
        const EXPECTED: &str = "a span such as 10s..70s, or 10s.. without an end";
        let fault = |at, message| SpecFault::new("incident/span", at, message, EXPECTED);
        let at = text.text.find("..");
        let Some((from, to)) = at.and_then(|at| text.cut(at, "..")) else {
            return Err(vec![fault(text, "not a span of time")]);
        };
        let to = to.trimmed();
        let end = if to.text.is_empty() {
            Ok(None)
        } else {
            read_time(to).map(Some)
        };
        match (read_time(from.trimmed()), end) {
            (Ok(from), Ok(end)) if end.is_none_or(|end| from < end) => Ok(Self { from, to: end }),
            (Ok(_), Ok(_)) => Err(vec![fault(to, "the end is not after the start")]),
            (from, end) => Err(from.err().into_iter().chain(end.err()).collect()),
        }
    }

    /// Whether a time is in the span. The end is not.
    #[must_use]
    pub fn contains(&self, time: Duration) -> bool {
        self.from <= time && self.to.is_none_or(|to| time < to)
    }

    /// The end, or the start of a span without an end.
    #[must_use]
    pub fn last(&self) -> Duration {
        self.to.unwrap_or(self.from)
    }
}

impl fmt::Display for TimeSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..", DurationText(self.from))?;
        match self.to {
            Some(to) => DurationText(to).fmt(f),
            None => Ok(()),
        }
    }
}

/// Reads a time: `10s`, `500ms`, `1.5m`, `1h`, `1m30s`; a number without a unit has seconds.
///
/// # Errors
/// If it is no time, is negative, or exceeds a day.
pub fn read_time(text: Piece<'_>) -> Result<Duration, SpecFault> {
    let legal = seconds(text.text).filter(|time| (0.0..=LONGEST.as_secs_f64()).contains(time));
    // In whole microseconds, so that 0.1 s and 100 ms are the same time.
    let micros = legal.map(|time| libm::round(time * 1e6) as u64);
    micros.map(Duration::from_micros).ok_or_else(|| {
        let expected = "a time such as 10s, 500ms or 3m, at most 24h";
        SpecFault::new("incident/time", text, "not a time", expected)
    })
}

/// The seconds of a time: of one number, or the sum of several with units.
fn seconds(text: &str) -> Option<f64> {
    let unit = UNITS.iter().find_map(|(name, millis)| {
        let number = text.strip_suffix(name)?;
        Some((number, *millis))
    });
    let (number, millis) = unit.unwrap_or((text, 1e3));
    if let Some(number) = decimal::parse(number.trim_end()) {
        return Some(number * millis / 1e3);
    }
    let is_letter = |of: char| of.is_ascii_alphabetic();
    let from = text.find(is_letter)?;
    let length = text.get(from..)?.find(|of| !is_letter(of))?;
    let (first, rest) = text.split_at_checked(from + length)?;
    let parts = (seconds(first)?, seconds(rest)?);
    (parts.0 >= 0.0 && parts.1 >= 0.0).then_some(parts.0 + parts.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<TimeSpan, Vec<(usize, &'static str)>> {
        let found = TimeSpan::read(Piece::whole(text));
        found.map_err(|all| all.iter().map(|one| (one.column, one.message)).collect())
    }

    #[test]
    fn times_have_units() {
        for (text, millis) in [
            ("10s", 10_000),
            ("500ms", 500),
            ("1.5m", 90_000),
            ("2", 2_000),
            ("1m30s", 90_000),
            ("1h0.5m", 3_630_000),
        ] {
            let time = read_time(Piece::whole(text)).unwrap();
            assert_eq!(time, Duration::from_millis(millis), "{text}");
        }
        for text in [
            "", "x", "-1s", "25h", "1 d", "nan", "1m-1s", "-1m90s", "1m30x",
        ] {
            assert!(read_time(Piece::whole(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn spans_are_read_and_written() {
        let span = read(" 10s .. 70s ").unwrap();
        assert_eq!(span.from, Duration::from_secs(10));
        assert_eq!(span.to, Some(Duration::from_secs(70)));
        assert_eq!(alloc::format!("{span}"), "10s..70s");
        let open = read("1m..").unwrap();
        assert_eq!(open.to, None);
        assert!(open.contains(Duration::from_secs(60)));
        assert!(!span.contains(Duration::from_secs(70)));
    }

    #[test]
    fn faults_have_columns() {
        assert_eq!(read("10s").unwrap_err(), [(1, "not a span of time")]);
        assert_eq!(
            read("x..y").unwrap_err(),
            [(1, "not a time"), (4, "not a time")]
        );
        assert_eq!(
            read("10s..5s").unwrap_err(),
            [(6, "the end is not after the start")]
        );
    }
}
