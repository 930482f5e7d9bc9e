//! Durations as text.

use core::{fmt, time::Duration};

/// A duration in the form that options and configurations state: `0s`, `250ms`, `1.5s`, `90s`. In whole
/// microseconds, and without a rounded digit.
///
/// # Examples
/// ```
/// use core::time::Duration;
/// use spillgate_core::duration::DurationText;
///
/// assert_eq!(DurationText(Duration::from_millis(1_500)).to_string(), "1.5s");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DurationText(pub Duration);

impl fmt::Display for DurationText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0.as_micros();
        if micros == 0 {
            return f.write_str("0s");
        }
        let (in_unit, unit) = if micros < 1_000_000 {
            (1_000, "ms")
        } else {
            (1_000_000, "s")
        };
        write!(f, "{}", micros / in_unit)?;
        let (mut rest, mut place) = (micros % in_unit, in_unit / 10);
        if rest > 0 {
            f.write_str(".")?;
        }
        while rest > 0 {
            write!(f, "{}", rest / place)?;
            rest %= place;
            place /= 10;
        }
        f.write_str(unit)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn durations_have_the_shortest_exact_text() {
        for (micros, text) in [
            (0, "0s"),
            (250_000, "250ms"),
            (1_050, "1.05ms"),
            (1_500_000, "1.5s"),
            (90_000_000, "90s"),
            (1_000_001, "1.000001s"),
        ] {
            let found = DurationText(Duration::from_micros(micros)).to_string();
            assert_eq!(found, text);
        }
    }
}
