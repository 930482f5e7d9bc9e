//! One runtime value.

use alloc::string::String;

use spillgate_core::{
    decimal,
    route::{FractionDenominator, FractionalPercent},
};

/// A runtime value with the types that Envoy gives it.
///
/// # Examples
/// ```
/// use spillgate_config::runtime::RuntimeValue;
///
/// let value = RuntimeValue::from_text("33.9");
/// assert_eq!((value.integer(), value.double()), (Some(33), Some(33.9)));
/// // A setting keeps its configured value if the type differs.
/// assert_eq!(RuntimeValue::from_text("off").integer(), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RuntimeValue {
    text: String,
    double: Option<f64>,
    boolean: Option<bool>,
    fraction: Option<FractionalPercent>,
}

impl RuntimeValue {
    /// The value of a text: a number (decimal, or hexadecimal with `0x`), `true` or `false`, with
    /// blanks around it, or a text without a type.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let stripped = text.trim_ascii();
        let boolean = match () {
            () if stripped.eq_ignore_ascii_case("true") => Some(true),
            () if stripped.eq_ignore_ascii_case("false") => Some(false),
            () => stripped.parse::<u64>().ok().map(|number| number != 0),
        };
        Self {
            text: text.into(),
            double: number(stripped),
            boolean,
            fraction: None,
        }
    }

    /// A number. It also counts as a Boolean: false is 0.
    #[must_use]
    pub fn from_number(text: impl Into<String>, number: f64) -> Self {
        Self {
            text: text.into(),
            double: Some(number),
            boolean: Some(number != 0.0),
            fraction: None,
        }
    }

    /// A Boolean, which is not a number.
    #[must_use]
    pub fn from_bool(value: bool) -> Self {
        Self {
            text: if value { "true" } else { "false" }.into(),
            boolean: Some(value),
            ..Self::default()
        }
    }

    /// A struct: a fraction, or `None` if Envoy does not read it as one.
    #[must_use]
    pub fn from_struct(text: impl Into<String>, fraction: Option<FractionalPercent>) -> Self {
        Self {
            text: text.into(),
            fraction,
            ..Self::default()
        }
    }

    /// The value as it is printed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The integer: a number from 0 to 2^64-1, truncated.
    #[must_use]
    pub fn integer(&self) -> Option<u64> {
        const END: f64 = 18_446_744_073_709_551_616.0;
        // The cast truncates, as in Envoy.
        self.double
            .filter(|value| (0.0..END).contains(value))
            .map(|value| value as u64)
    }

    /// The number.
    #[must_use]
    pub const fn double(&self) -> Option<f64> {
        self.double
    }

    /// The Boolean.
    #[must_use]
    pub const fn boolean(&self) -> Option<bool> {
        self.boolean
    }

    /// The fraction: a struct, or an integer in percent; above 100 all requests.
    #[must_use]
    pub fn fraction(&self) -> Option<FractionalPercent> {
        self.fraction.or_else(|| {
            let percent = self.integer()?.min(101);
            let percent = u32::try_from(percent).unwrap_or(101);
            Some(FractionalPercent::new(
                percent,
                FractionDenominator::Hundred,
            ))
        })
    }
}

/// A number in a text: `1e1`, `+0`, `0x10`, `inf`.
fn number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    let hexadecimal = unsigned
        .strip_prefix("0x")
        .or_else(|| unsigned.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => Some(sign * u64::from_str_radix(digits, 16).ok()? as f64),
        None => decimal::parse(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measured with `upstream.healthy_panic_threshold` and Envoy 1.40: the threshold that counts.
    #[test]
    fn integers_are_those_of_envoy() {
        for (text, integer) in [
            ("33", Some(33)),
            ("33.9", Some(33)),
            (" 0", Some(0)),
            ("0 ", Some(0)),
            ("0x40", Some(64)),
            ("1e1", Some(10)),
            ("+0", Some(0)),
            ("-1", None),
            ("abc", None),
            ("true", None),
            ("", None),
            ("1_0", None),
            ("1e400", None),
        ] {
            assert_eq!(RuntimeValue::from_text(text).integer(), integer, "{text}");
        }
        let number = |value| RuntimeValue::from_number("", value).integer();
        assert_eq!(number(1e19), Some(10_000_000_000_000_000_000));
        assert_eq!([number(1e20), number(-1.0)], [None, None]);
        assert_eq!(RuntimeValue::from_bool(true).integer(), None);
    }

    /// Measured with `runtime_fraction` and Envoy 1.40.
    #[test]
    fn fractions_are_those_of_envoy() {
        let percent = |n| Some(FractionalPercent::new(n, FractionDenominator::Hundred));
        for (text, fraction) in [
            ("20", percent(20)),
            ("20.7", percent(20)),
            ("150", percent(101)),
            ("20%", None),
            ("-5", None),
            ("true", None),
            ("{\"numerator\": 20}", None),
        ] {
            assert_eq!(RuntimeValue::from_text(text).fraction(), fraction, "{text}");
        }
    }
}
