//! The values of a sweep, from one to another.

use alloc::{format, vec, vec::Vec};
use core::{fmt, time::Duration};

use spillgate_core::duration::DurationText;
use spillgate_sim::{SpecFault, spec::Piece};

use crate::script::read_time;

/// The most values of a setting, unless these are all whole numbers of a range such as 0 to 10.
const MOST_VALUES: u32 = 10;

/// The shortest time above 0.
const LEAST: Duration = Duration::from_millis(1);

/// A value of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SweepValue {
    /// A duration.
    Time(Duration),
    /// A number.
    Number(u32),
}

impl fmt::Display for SweepValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => DurationText(*time).fmt(f),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

/// Which values a configuration can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueRange {
    /// A whole number.
    Number,
    /// A whole number up to 100.
    Percent,
    /// A time, possibly 0.
    Time,
    /// A time. Envoy counts whole milliseconds.
    TimeAboveZero,
}

impl ValueRange {
    /// Whether the values are times.
    pub(super) const fn has_times(self) -> bool {
        matches!(self, Self::Time | Self::TimeAboveZero)
    }

    /// Reads a value.
    pub(super) fn read(self, text: Piece<'_>) -> Result<SweepValue, SpecFault> {
        let value = if self.has_times() {
            SweepValue::Time(read_time(text)?)
        } else {
            SweepValue::Number(whole_number(text)?)
        };
        let expected = match (self, value) {
            (Self::Percent, SweepValue::Number(101..)) => "a number from 0 to 100",
            (Self::TimeAboveZero, SweepValue::Time(time)) if time < LEAST => {
                "a time of at least 1ms"
            }
            _ => return Ok(value),
        };
        Err(SpecFault::new(
            "incident/sweep",
            text,
            "out of range",
            expected,
        ))
    }

    /// Values from one to another: all whole numbers, if there are at most eleven, else up to ten values.
    pub(super) fn between(
        self,
        from: Piece<'_>,
        to: Piece<'_>,
    ) -> Result<Vec<SweepValue>, Vec<SpecFault>> {
        let fault =
            |message, expected| vec![SpecFault::new("incident/sweep", from, message, expected)];
        match (self.read(from), self.read(to)) {
            (Ok(SweepValue::Time(first)), Ok(SweepValue::Time(last))) => {
                let values = times(first, last);
                values.ok_or_else(|| fault("no range of times", "the shorter one first".into()))
            }
            (Ok(SweepValue::Number(first)), Ok(SweepValue::Number(last))) => {
                let expected = || format!("a number up to {last}");
                let values = numbers(first, last);
                values.ok_or_else(|| fault("no range of numbers", expected()))
            }
            (from, to) => Err(from.err().into_iter().chain(to.err()).collect()),
        }
    }
}

/// Up to ten times; `None` if the first one is longer.
fn times(first: Duration, last: Duration) -> Option<Vec<SweepValue>> {
    let steps = MOST_VALUES - 1;
    let step = last.checked_sub(first)? / steps;
    if step.is_zero() {
        return Some(vec![SweepValue::Time(first)]);
    }
    let values = (0..=steps).map(|at| {
        let value = first + step * at;
        // Envoy counts whole milliseconds.
        let millis = (value.as_micros() + 500) / 1_000;
        Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    });
    let mut values: Vec<Duration> = values.collect();
    values.dedup();
    Some(values.into_iter().map(SweepValue::Time).collect())
}

/// All numbers, if there are at most eleven, else ten; `None` if the first one is larger.
fn numbers(first: u32, last: u32) -> Option<Vec<SweepValue>> {
    let all = last.checked_sub(first)?;
    let count = match all {
        0..=MOST_VALUES => all,
        _ => MOST_VALUES - 1,
    };
    let at = |index: u32| {
        let part = u64::from(all) * u64::from(index) / u64::from(count.max(1));
        first.saturating_add(u32::try_from(part).unwrap_or(u32::MAX))
    };
    let values = (0..=count).map(|index| SweepValue::Number(at(index)));
    Some(values.collect())
}

/// Reads a number.
fn whole_number(text: Piece<'_>) -> Result<u32, SpecFault> {
    text.text.parse().map_err(|_| {
        let expected = "a whole number from 0";
        SpecFault::new("incident/sweep", text, "not a number", expected)
    })
}
