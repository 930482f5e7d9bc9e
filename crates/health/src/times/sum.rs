//! A time as a sum of settings.

use alloc::vec::Vec;
use core::{fmt, time::Duration};

use spillgate_core::duration::DurationText;

/// A setting with a time, and how often it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeTerm {
    /// The name of the setting that has the value, also if it is the default of another setting.
    pub field: &'static str,
    /// Its value, or the largest jitter that it allows.
    pub value: Duration,
    /// How often it counts.
    pub times: u32,
}

/// A sum of settings. Without terms, it is 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimeSum {
    /// The terms that are not 0.
    pub terms: Vec<TimeTerm>,
}

impl TimeSum {
    /// The time.
    #[must_use]
    pub fn total(&self) -> Duration {
        let times = self
            .terms
            .iter()
            .map(|term| term.value.saturating_mul(term.times));
        times.fold(Duration::ZERO, Duration::saturating_add)
    }

    /// Adds a term, unless it is 0.
    pub(super) fn add(&mut self, field: &'static str, value: Duration, times: u32) {
        if value > Duration::ZERO && times > 0 {
            self.terms.push(TimeTerm {
                field,
                value,
                times,
            });
        }
    }
}

/// The formula: `interval 5s + 2 x unhealthy_edge_interval 1s`.
impl fmt::Display for TimeSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("0s");
        }
        for (index, term) in self.terms.iter().enumerate() {
            if index > 0 {
                f.write_str(" + ")?;
            }
            match term.times {
                1 => {}
                times => write!(f, "{times} x ")?,
            }
            write!(f, "{} {}", term.field, DurationText(term.value))?;
        }
        Ok(())
    }
}
