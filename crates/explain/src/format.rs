//! Numbers as text. A no-break space keeps a number and its unit on one line.

use alloc::{
    format,
    string::{String, ToString as _},
};

/// A no-break space, between a number and its unit.
const NBSP: char = '\u{a0}';

/// The same text with plain spaces, for terminals and for search.
#[must_use]
pub fn plain(text: &str) -> String {
    text.replace(NBSP, " ")
}

/// `70 %`.
#[must_use]
pub fn whole(percent: u32) -> String {
    format!("{percent}{NBSP}%")
}

/// A share in percent, to one decimal at most: `70 %`, `14.3 %`, `< 0.1 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{}{NBSP}%", number(share))
}

/// A share in percent, always with one decimal, so that columns align.
#[must_use]
pub fn decimal(share: f64) -> String {
    if share > 0.0 && tenths(share) == 0 {
        return format!("<{NBSP}0.1{NBSP}%");
    }
    format!("{}{NBSP}%", fixed(share))
}

/// A number with one decimal. The formatting of the standard library adds code for exact decimals,
/// which would enlarge the playground module.
#[must_use]
pub fn fixed(number: f64) -> String {
    let tenths = tenths(number);
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, rest) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    format!("{sign}{whole}.{rest}")
}

fn tenths(number: f64) -> i64 {
    libm::round(number * 10.0) as i64
}

fn number(share: f64) -> String {
    let tenths = tenths(share);
    if share > 0.0 && tenths == 0 {
        return format!("<{NBSP}0.1");
    }
    if tenths % 10 == 0 {
        format!("{}", tenths / 10)
    } else {
        fixed(share)
    }
}

/// A change in percentage points, with its sign: `+30`, `−2.5`, `0`.
#[must_use]
pub fn change(points: f64) -> String {
    let tenths = tenths(points);
    if tenths == 0 {
        return "0".into();
    }
    let sign = if tenths < 0 { '\u{2212}' } else { '+' };
    format!("{sign}{}", number(points.abs()))
}

/// `1 host`, `2 hosts`.
#[must_use]
pub fn plural(count: usize, one: &str) -> String {
    if count == 1 {
        format!("1{NBSP}{one}")
    } else {
        format!("{count}{NBSP}{one}s")
    }
}

/// The first `most` names, and the number of the others.
#[must_use]
pub fn some_names(names: &[String], most: usize) -> String {
    let shown = names.get(..most).unwrap_or(names).join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A count with thin gaps between groups of three digits, from 10,000 on.
#[must_use]
pub fn count(count: usize) -> String {
    let digits = count.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_units_and_signs() {
        assert_eq!(whole(70), "70\u{a0}%");
        assert_eq!(percent(14.0), "14\u{a0}%");
        assert_eq!(percent(14.28), "14.3\u{a0}%");
        assert_eq!(percent(0.01), "<\u{a0}0.1\u{a0}%");
        assert_eq!(percent(0.0), "0\u{a0}%");
        assert_eq!(decimal(3.0), "3.0\u{a0}%");
        assert_eq!(fixed(-0.26), "-0.3");
        assert_eq!(fixed(-0.04), "0.0");
        assert_eq!(fixed(f64::NAN), "0.0");
        assert_eq!(change(-30.0), "\u{2212}30");
        assert_eq!(change(2.46), "+2.5");
        assert_eq!(change(0.01), "0");
        assert_eq!(plural(1, "host"), "1\u{a0}host");
        assert_eq!(count(9999), "9999");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
    }
}
