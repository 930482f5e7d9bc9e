//! The type of a scalar in Envoy, measured on Envoy 1.40, row by row in the test below.
//!
//! Envoy tries in this order: Boolean (`y`, `yes`, `on`, `true` and their opposites, in lower,
//! upper or title case), integer (decimal, `0x` hexadecimal, leading-zero octal, with sign),
//! string. It never reads a float from a plain scalar, turns integers beyond 32 bits into decimal
//! strings, and ignores tags other than `!`. Quoted and block scalars are strings unless they have
//! a tag.

use alloc::{borrow::Cow, format};

use saphyr_parser::{ScalarStyle, Tag};
use spillgate_core::decimal;

use super::Scalars;
use crate::node::NodeValue;

/// The value of a scalar.
pub(super) fn resolve<'a>(
    text: Cow<'a, str>,
    style: ScalarStyle,
    tag: Option<&Tag>,
    scalars: Scalars,
) -> NodeValue<'a> {
    if is_text(style, tag) {
        return NodeValue::String(text);
    }
    if is_null(&text, tag) {
        return NodeValue::Null;
    }
    let json = scalars == Scalars::Json;
    // Other tools read a single letter as a string.
    if let Some(value) = boolean(&text).filter(|_| !json || text.len() > 1) {
        return NodeValue::Bool(value);
    }
    match integer(&text) {
        Some(value) if json || i32::try_from(value).is_ok() => NodeValue::Int(value),
        Some(value) => NodeValue::String(format!("{value}").into()),
        None if json && is_fraction(&text) => NodeValue::Decimal(text),
        None => NodeValue::String(text),
    }
}

/// Digits with a decimal point or an exponent (core schema of YAML 1.2).
fn is_fraction(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let begins = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let finite = decimal::parse(text).is_some_and(f64::is_finite);
    begins && finite && digits.contains(|c: char| c.is_ascii_digit())
}

/// The name of a scalar as a key: always its text.
pub(super) fn key<'a>(text: Cow<'a, str>, style: ScalarStyle, tag: Option<&Tag>) -> Cow<'a, str> {
    if !is_text(style, tag) && is_null(&text, tag) {
        return Cow::Borrowed("null");
    }
    text
}

/// Whether an entry whose key has this tag does not count.
pub(super) fn is_ignore(tag: Option<&Tag>) -> bool {
    tag.is_some_and(|tag| format!("{}{}", tag.handle, tag.suffix) == "!ignore")
}

fn is_text(style: ScalarStyle, tag: Option<&Tag>) -> bool {
    match tag {
        None => style != ScalarStyle::Plain,
        Some(tag) => tag.handle.is_empty() && tag.suffix == "!",
    }
}

fn is_null(text: &str, tag: Option<&Tag>) -> bool {
    tag.is_none() && matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn boolean(text: &str) -> Option<bool> {
    const WORDS: [(&str, bool); 8] = [
        ("y", true),
        ("n", false),
        ("yes", true),
        ("no", false),
        ("true", true),
        ("false", false),
        ("on", true),
        ("off", false),
    ];
    let (_, value) = WORDS
        .into_iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(text))?;
    let mut rest = text.chars();
    let first = rest.next()?;
    let rest = rest.as_str();
    let lower = rest.chars().all(|c| c.is_ascii_lowercase());
    let upper = rest.chars().all(|c| c.is_ascii_uppercase());
    (lower || upper && first.is_ascii_uppercase()).then_some(value)
}

/// Like C's `strtoll` with base 0 on the whole text.
fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let hexadecimal = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = match hexadecimal {
        Some(digits) => (digits, 16),
        None if digits.len() > 1 && digits.starts_with('0') => (digits, 8),
        None => (digits, 10),
    };
    // from_str_radix would accept a second sign.
    if !digits.starts_with(|c: char| c.is_ascii_hexdigit()) {
        return None;
    }
    let value = i128::from_str_radix(digits, radix).ok()?;
    i64::try_from(if negative { -value } else { value }).ok()
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use crate::node::{NodeValue, Scalars, read_yaml};

    /// The value of `key: TEXT`, in JSON's spelling.
    fn read(text: &str) -> String {
        let document = format!("key: {text}\n");
        let document = read_yaml(&document, Scalars::Envoy).unwrap();
        match &document.roots[0].get("key").unwrap().value {
            NodeValue::Null => "null".into(),
            NodeValue::Bool(value) => format!("{value}"),
            NodeValue::Int(value) => format!("{value}"),
            NodeValue::String(text) => format!("{text:?}"),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn scalars_are_read_as_envoy_reads_them() {
        let rows = [
            ("no", "false"),
            ("yes", "true"),
            ("on", "true"),
            ("y", "true"),
            ("Y", "true"),
            ("N", "false"),
            ("n", "false"),
            ("TRUE", "true"),
            ("True", "true"),
            ("tRUE", "\"tRUE\""),
            ("oFF", "\"oFF\""),
            ("Off", "false"),
            ("017", "15"),
            ("08", "\"08\""),
            ("0o17", "\"0o17\""),
            ("0x1F", "31"),
            ("0X1f", "31"),
            ("-0x1F", "-31"),
            ("+0x1F", "31"),
            ("0x", "\"0x\""),
            ("0x1g", "\"0x1g\""),
            ("+3", "3"),
            ("+", "\"+\""),
            ("+-3", "\"+-3\""),
            ("-0", "0"),
            ("1_000", "\"1_000\""),
            ("0b1", "\"0b1\""),
            ("1.5", "\"1.5\""),
            ("0.0", "\"0.0\""),
            ("1e3", "\"1e3\""),
            (".inf", "\".inf\""),
            ("2147483647", "2147483647"),
            ("2147483648", "\"2147483648\""),
            ("-2147483648", "-2147483648"),
            ("-2147483649", "\"-2147483649\""),
            ("3000000000", "\"3000000000\""),
            ("9007199254740993", "\"9007199254740993\""),
            ("9223372036854775808", "\"9223372036854775808\""),
            ("12345678901234567890", "\"12345678901234567890\""),
            ("0xFFFFFFFFFF", "\"1099511627775\""),
            ("~", "null"),
            ("null", "null"),
            ("Null", "null"),
            ("NULL", "null"),
            ("nULL", "\"nULL\""),
            ("", "null"),
            ("!!str 5", "5"),
            ("!!str \"5\"", "5"),
            ("! 5", "\"5\""),
            ("!!str ~", "\"~\""),
            ("!!str", "\"\""),
            ("!!int \"7\"", "7"),
            ("!!bool \"yes\"", "true"),
            ("!foo 5", "5"),
            ("\"5\"", "\"5\""),
            ("'no'", "\"no\""),
            ("|\n  5", "\"5\\n\""),
            (">-\n  no", "\"no\""),
            ("2020-01-01", "\"2020-01-01\""),
            ("1 2", "\"1 2\""),
        ];
        for (text, expected) in rows {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }
}
