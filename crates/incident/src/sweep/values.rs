//! The values of a sweep, from one to another.

use alloc::{format, vec, vec::Vec};
use core::{fmt, time::Duration};

use spillgate_core::duration::DurationText;
use spillgate_sim::{SpecFault, spec::Piece};

use crate::script::read_time;

/// The most values of a setting.
const MOST_VALUES: u32 = 10;

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

/// Up to ten times.
pub(super) fn times(from: Piece<'_>, to: Piece<'_>) -> Result<Vec<SweepValue>, Vec<SpecFault>> {
    let (first, last) = both(read_time(from), read_time(to))?;
    if first.is_zero() || first > last {
        let expected = "times above 0, the shorter one first";
        let message = "no range of times";
        return Err(vec![SpecFault::new(
            "incident/sweep",
            from,
            message,
            expected,
        )]);
    }
    let steps = MOST_VALUES - 1;
    let step = (last - first) / steps;
    if step.is_zero() {
        return Ok(vec![SweepValue::Time(first)]);
    }
    let values = (0..=steps).map(|at| {
        let value = first + step * at;
        // Envoy counts whole milliseconds.
        let millis = (value.as_micros() + 500) / 1_000;
        Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    });
    let mut values: Vec<Duration> = values.collect();
    values.dedup();
    Ok(values.into_iter().map(SweepValue::Time).collect())
}

/// Up to ten numbers.
pub(super) fn numbers(from: Piece<'_>, to: Piece<'_>) -> Result<Vec<SweepValue>, Vec<SpecFault>> {
    let (first, last) = both(whole_number(from), whole_number(to))?;
    if first > last {
        let expected = format!("a number up to {last}");
        let message = "no range of numbers";
        return Err(vec![SpecFault::new(
            "incident/sweep",
            from,
            message,
            expected,
        )]);
    }
    let count = (last - first).min(MOST_VALUES - 1);
    let at = |index: u32| {
        let part = u64::from(last - first) * u64::from(index) / u64::from(count.max(1));
        first.saturating_add(u32::try_from(part).unwrap_or(u32::MAX))
    };
    Ok((0..=count)
        .map(|index| SweepValue::Number(at(index)))
        .collect())
}

/// Reads a number.
pub(super) fn whole_number(text: Piece<'_>) -> Result<u32, SpecFault> {
    text.text.parse().map_err(|_| {
        let expected = "a whole number from 0";
        SpecFault::new("incident/sweep", text, "not a number", expected)
    })
}

fn both<T>(from: Result<T, SpecFault>, to: Result<T, SpecFault>) -> Result<(T, T), Vec<SpecFault>> {
    match (from, to) {
        (Ok(from), Ok(to)) => Ok((from, to)),
        (from, to) => Err(from.err().into_iter().chain(to.err()).collect()),
    }
}
