//! Times in options and rows.

use std::time::Duration;

/// The longest time, a hundred years in milliseconds.
const LONGEST: f64 = 3.2e12;

/// A time such as `500ms`, `15s`, `1.5s` or `2m`.
pub fn time_of(text: &str) -> Option<Duration> {
    let units = [("ms", 1.0), ("s", 1000.0), ("m", 60_000.0)];
    let mut units = units.into_iter();
    let (number, unit) =
        units.find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?, unit)))?;
    let milliseconds = number.parse::<f64>().ok()? * unit;
    let legal = (0.0..=LONGEST).contains(&milliseconds);
    legal.then(|| Duration::from_millis(milliseconds.round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        let ms = |ms| Some(Duration::from_millis(ms));
        for (text, time) in [
            ("15s", ms(15_000)),
            ("1.5s", ms(1500)),
            ("20ms", ms(20)),
            ("2m", ms(120_000)),
            ("0s", ms(0)),
            ("15", None),
            ("s", None),
            ("-1s", None),
            ("1h", None),
            ("NaNs", None),
        ] {
            assert_eq!(time_of(text), time, "{text}");
        }
    }
}
