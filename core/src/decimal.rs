//! Exact conversion of decimal numbers to doubles.
//!
//! The standard library does the same with a table of ten kilobytes, a tenth of what a browser
//! loads. Numbers in configurations are few and short, so this module needs no table.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// The maximum number of significant digits. Further digits only break ties.
const MOST_DIGITS: usize = 800;
/// Numbers beyond this decimal exponent are 0 or infinite, whatever their digits are.
const FARTHEST_EXPONENT: i64 = 2_000;

/// The double nearest to a decimal such as `-1.5e3`; infinite if it exceeds the range. `None` if
/// the text is not a decimal; "inf" and "nan" are not decimals.
///
/// # Examples
/// ```
/// use spillgate_core::decimal;
///
/// assert_eq!(decimal::parse("-1.5e3"), Some(-1500.0));
/// assert_eq!(decimal::parse("1e400"), Some(f64::INFINITY));
/// assert_eq!(decimal::parse("nan"), None);
/// ```
#[must_use]
pub fn parse(text: &str) -> Option<f64> {
    let (negative, unsigned) = match text.strip_prefix(['-', '+']) {
        Some(unsigned) => (text.starts_with('-'), unsigned),
        None => (false, text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
        None => (unsigned, 0),
    };
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if before.is_empty() && after.is_empty() {
        return None;
    }
    let mut digits: Vec<u8> = Vec::new();
    for byte in before.bytes().chain(after.bytes()) {
        digits.push(byte.checked_sub(b'0').filter(|digit| *digit < 10)?);
    }
    let exponent = exponent - after.len() as i64;
    let value = nearest(&digits, exponent);
    Some(if negative { -value } else { value })
}

/// An exponent, capped at one billion.
fn exponent_of(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.bytes().fold(0, |sum: i64, byte| {
        (sum * 10 + i64::from(byte - b'0')).min(1_000_000_000)
    });
    Some(if text.starts_with('-') { -size } else { size })
}

/// The double nearest to `digits * 10^exponent`.
fn nearest(digits: &[u8], exponent: i64) -> f64 {
    let leading = digits.iter().take_while(|digit| **digit == 0).count();
    let mut digits = digits.get(leading..).unwrap_or_default().to_vec();
    let mut exponent = exponent;
    if digits.len() > MOST_DIGITS {
        exponent += (digits.len() - MOST_DIGITS) as i64;
        let rest = digits.split_off(MOST_DIGITS);
        // Digits beyond the limit still break a tie.
        if let (true, Some(last)) = (rest.iter().any(|digit| *digit > 0), digits.last_mut()) {
            *last |= 1;
        }
    }
    let size = exponent.saturating_add(digits.len() as i64);
    if digits.is_empty() || size < -FARTHEST_EXPONENT {
        return 0.0;
    }
    if size > FARTHEST_EXPONENT {
        return f64::INFINITY;
    }
    // A double represents these digits and this power exactly, so one operation rounds correctly.
    let short: Option<u64> = digits.iter().try_fold(0_u64, |sum, digit| {
        sum.checked_mul(10)?.checked_add((*digit).into())
    });
    if let (Some(short), -22..=22) = (short.filter(|short| *short < 1 << 53), exponent) {
        let power = power_of_ten(exponent.unsigned_abs());
        return if exponent < 0 {
            short as f64 / power
        } else {
            short as f64 * power
        };
    }
    let mut guess = estimate(&digits, exponent);
    // The guess is off by a few steps at most.
    loop {
        let above = f64::from_bits(guess.to_bits() + 1);
        let below = f64::from_bits(guess.to_bits().saturating_sub(1));
        if guess.is_finite() && beyond_half(&digits, exponent, guess) {
            guess = above;
        } else if guess > 0.0 && !beyond_half(&digits, exponent, below) {
            guess = below;
        } else {
            return guess;
        }
    }
}

fn power_of_ten(exponent: u64) -> f64 {
    (0..exponent).fold(1.0, |power, _| power * 10.0)
}

/// A double near the number, at most the largest finite one.
fn estimate(digits: &[u8], exponent: i64) -> f64 {
    let first = digits.get(..digits.len().min(17)).unwrap_or_default();
    let mut value = first
        .iter()
        .fold(0.0, |sum, digit| sum * 10.0 + f64::from(*digit));
    let mut exponent = exponent + (digits.len() - first.len()) as i64;
    while exponent != 0 {
        let step = exponent.clamp(-22, 22);
        let power = power_of_ten(step.unsigned_abs());
        value = if step < 0 {
            value / power
        } else {
            value * power
        };
        exponent -= step;
    }
    value.min(f64::MAX)
}

/// Whether the number is nearer to the double after `below` than to `below` itself; a tie goes to
/// the even one.
fn beyond_half(digits: &[u8], exponent: i64, below: f64) -> bool {
    let bits = below.to_bits();
    let (fraction, biased) = (bits & ((1 << 52) - 1), (bits >> 52) as i64);
    let (mantissa, power) = match biased {
        0 => (fraction, -1074),
        biased => (fraction | 1 << 52, biased - 1075),
    };
    // Compares digits * 10^exponent with (2 * mantissa + 1) * 2^(power - 1), without fractions.
    let mut number = Big::from_digits(digits);
    let mut half = Big(Vec::from([
        (2 * mantissa + 1) as u32,
        ((2 * mantissa + 1) >> 32) as u32,
    ]));
    let (ten, two) = (exponent, power - 1);
    let (scaled, times) = if ten < 0 {
        (&mut half, -ten)
    } else {
        (&mut number, ten)
    };
    (0..times).for_each(|_| scaled.multiply(10, 0));
    let (scaled, times) = if two < 0 {
        (&mut number, -two)
    } else {
        (&mut half, two)
    };
    (0..times / 31).for_each(|_| scaled.multiply(1 << 31, 0));
    scaled.multiply(1 << (times % 31), 0);
    match number.compare(&half) {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => mantissa % 2 == 1,
    }
}

/// A natural number of any size, lowest 32 bits first.
struct Big(Vec<u32>);

impl Big {
    fn from_digits(digits: &[u8]) -> Self {
        let mut big = Self(Vec::new());
        for digit in digits {
            big.multiply(10, (*digit).into());
        }
        big
    }

    /// Multiplies, then adds.
    fn multiply(&mut self, factor: u32, addend: u32) {
        let mut carry = u64::from(addend);
        for word in &mut self.0 {
            let product = u64::from(*word) * u64::from(factor) + carry;
            *word = product as u32;
            carry = product >> 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        let words = |big: &Self| {
            let used = big.0.iter().rposition(|word| *word > 0);
            used.map_or(0, |last| last + 1)
        };
        let (own, theirs) = (words(self), words(other));
        let own_words = self.0.iter().take(own).rev();
        own.cmp(&theirs)
            .then_with(|| own_words.cmp(other.0.iter().take(theirs).rev()))
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use super::*;
    use crate::draw::{Draw, SplitMix64};

    fn agrees(text: &str) {
        let expected: f64 = text.parse().unwrap();
        let found = parse(text).unwrap();
        assert_eq!(
            found.to_bits(),
            expected.to_bits(),
            "{text}: {found:e} instead of {expected:e}"
        );
    }

    #[test]
    fn hard_cases_are_rounded_as_the_standard_library_does() {
        for text in [
            "0",
            "-0",
            "1",
            "1.0",
            "0.1",
            "-2.5e3",
            ".5",
            "5.",
            "1e22",
            "1e23",
            "123456789012345678",
            "9007199254740993",
            "9007199254740992.9999",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "1e-400",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e309",
            "1e999999999999",
            "0.000000000000000000000000000000000000000000000000000000001",
            "8.98846567431158e307",
            "6929495644600919.5",
            "3.3333333333333333333333333",
        ] {
            agrees(text);
        }
        agrees(&format!("1{}", "0".repeat(400)));
        agrees(&format!("0.{}1", "0".repeat(400)));
        agrees(&format!("9007199254740993.{}1", "0".repeat(900)));
    }

    #[test]
    fn random_decimals_are_rounded_as_well() {
        let mut draw = SplitMix64::new(17);
        for _ in 0..20_000 {
            let count = 1 + draw.draw() % 25;
            let digits: String = (0..count)
                .map(|_| char::from(b'0' + (draw.draw() % 10) as u8))
                .collect();
            let exponent = (draw.draw() % 660) as i64 - 340;
            agrees(&format!("{digits}e{exponent}"));
        }
        for _ in 0..20_000 {
            let value = f64::from_bits(draw.draw());
            if value.is_finite() {
                agrees(&format!("{value:e}"));
            }
        }
    }

    #[test]
    fn invalid_decimals_are_rejected() {
        for text in [
            "", "-", ".", "e1", "1e", "1e+", "inf", "nan", "0x1", "1_0", "--1", "1.2.3", " 1",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
