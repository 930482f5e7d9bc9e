//! The scalar fields of a message.

use alloc::{borrow::Cow, format, vec::Vec};
use core::{fmt::Display, ops::RangeInclusive, time::Duration};

use super::{
    Message, Path, Report, Schema,
    duration::duration_of,
    message::wrong_type,
    names::nearest,
    number::{self, NumberError},
};
use crate::{
    Diagnostic,
    node::{Node, NodeValue},
};

impl<'n> Message<'n, '_> {
    /// A string.
    pub fn string(&self, field: &'static str, report: &mut Report) -> Option<&'n str> {
        let node = self.get(field)?;
        match &node.value {
            NodeValue::String(text) => Some(text),
            value => {
                let mut diagnostic = wrong_type(node, &self.path.field(field), "a string");
                if !matches!(value, NodeValue::List(_) | NodeValue::Map(_)) {
                    diagnostic.message.push_str(" (put it in quotes)");
                }
                report.push(diagnostic);
                None
            }
        }
    }

    /// A required, non-empty string.
    pub fn required_string(&self, field: &'static str, report: &mut Report) -> Option<&'n str> {
        match self.get(field) {
            None => {
                self.missing(field).push_to(report);
                None
            }
            Some(_) => match self.string(field, report) {
                Some("") => {
                    self.error(field, "config/value", "empty value")
                        .expected("at least one character")
                        .push_to(report);
                    None
                }
                text => text,
            },
        }
    }

    /// A Boolean: bare, as a string, or wrapped.
    pub fn bool(&self, field: &'static str, report: &mut Report) -> Option<bool> {
        let node = unwrapped(self.get(field)?);
        match &node.value {
            NodeValue::Bool(value) => return Some(*value),
            NodeValue::String(text) if text == "true" => return Some(true),
            NodeValue::String(text) if text == "false" => return Some(false),
            _ => {}
        }
        report.push(wrong_type(node, &self.path.field(field), "true or false"));
        None
    }

    /// A 32-bit unsigned integer.
    pub fn u32(&self, field: &'static str, report: &mut Report) -> Option<u32> {
        self.u32_within(field, 0..=u32::MAX, report)
    }

    /// An integer in this range.
    pub fn u32_within(
        &self,
        field: &'static str,
        range: RangeInclusive<u32>,
        report: &mut Report,
    ) -> Option<u32> {
        self.unsigned(field, self.get(field)?, range, report)
    }

    /// A signed 64-bit integer.
    pub fn i64(&self, field: &'static str, report: &mut Report) -> Option<i64> {
        let node = self.get(field)?;
        match number::signed(node) {
            Ok(value) => Some(value),
            Err(error) => {
                let expected = "a 64-bit integer";
                report.push(bad_number(node, &self.path.field(field), error, expected));
                None
            }
        }
    }

    /// A `UInt32Value` greater than 0.
    pub fn positive_u32(&self, field: &'static str, report: &mut Report) -> Option<u32> {
        self.unsigned(field, unwrapped(self.get(field)?), 1..=u32::MAX, report)
    }

    /// A `UInt64Value`.
    pub fn wrapped_u64(&self, field: &'static str, report: &mut Report) -> Option<u64> {
        self.unsigned(field, unwrapped(self.get(field)?), 0..=u64::MAX, report)
    }

    /// A `UInt32Value`.
    pub fn wrapped_u32(&self, field: &'static str, report: &mut Report) -> Option<u32> {
        self.unsigned(field, unwrapped(self.get(field)?), 0..=u32::MAX, report)
    }

    /// A list of 32-bit unsigned integers, without faulty elements.
    pub(crate) fn u32_list(&self, field: &'static str, report: &mut Report) -> Vec<u32> {
        let mut values = Vec::new();
        for (path, node) in self.list(field, report) {
            match number::unsigned(node, u32::MAX.into()) {
                Ok(value) => values.extend(u32::try_from(value)),
                Err(error) => {
                    let expected = "an integer from 0 to 4294967295";
                    report.push(bad_number(node, &path, error, expected));
                }
            }
        }
        values
    }

    /// A finite number, bare.
    pub fn double(&self, field: &'static str, report: &mut Report) -> Option<f64> {
        self.number(field, self.get(field)?, report)
    }

    /// A `FloatValue`.
    pub fn wrapped_double(&self, field: &'static str, report: &mut Report) -> Option<f64> {
        self.number(field, unwrapped(self.get(field)?), report)
    }

    fn number(&self, field: &'static str, node: &Node<'_>, report: &mut Report) -> Option<f64> {
        let value = number::double(node);
        if let Err(error) = value {
            let path = self.path.field(field);
            report.push(bad_number(node, &path, error, "a finite number"));
        }
        value.ok()
    }

    fn unsigned<T: Copy + Display + Into<u64> + TryFrom<u64>>(
        &self,
        field: &'static str,
        node: &Node<'_>,
        range: RangeInclusive<T>,
        report: &mut Report,
    ) -> Option<T> {
        let (minimum, maximum) = (*range.start(), *range.end());
        let error = match number::unsigned(node, maximum.into()) {
            Ok(value) if value >= minimum.into() => return T::try_from(value).ok(),
            Ok(_) => NumberError::OutOfRange,
            Err(error) => error,
        };
        let expected = format!("an integer from {minimum} to {maximum}");
        report.push(bad_number(node, &self.path.field(field), error, expected));
        None
    }

    /// A `type.v3.Percent`: `{value: 50.0}`, 0 to 100.
    pub fn percent(&self, field: &'static str, report: &mut Report) -> Option<f64> {
        static PERCENT: Schema = Schema::new("Percent, such as {value: 50}", "value");
        let message = self.message(field, &PERCENT, report)?;
        let Some(node) = message.get("value") else {
            return Some(0.0);
        };
        let expected = "a number from 0 to 100";
        let path = message.path.field("value");
        match number::double(node) {
            Ok(value) if (0.0..=100.0).contains(&value) => return Some(value),
            Ok(_) => report.push(bad_number(node, &path, NumberError::OutOfRange, expected)),
            Err(error) => report.push(bad_number(node, &path, error, expected)),
        }
        None
    }

    /// A duration that is not negative: seconds as in proto3 JSON (`"0.25s"`), milliseconds
    /// (`"250ms"`), or the fields of the message (`{seconds: 1, nanos: 500}`), which Envoy reads, too.
    pub fn duration(&self, field: &'static str, report: &mut Report) -> Option<Duration> {
        let node = self.get(field)?;
        let duration = duration_of(node);
        if duration.is_none() {
            report.push(wrong_type(
                node,
                &self.path.field(field),
                "a duration such as \"0.25s\" or \"250ms\"",
            ));
        }
        duration
    }

    /// An enum value by name, in any case, or by number.
    pub fn enumeration<T: Copy>(
        &self,
        field: &'static str,
        values: &[(&'static str, i64, T)],
        report: &mut Report,
    ) -> Option<T> {
        let node = self.get(field)?;
        enumeration(node, &self.path.field(field), values, report)
    }

    /// The enum values of a list; like [`Message::enumeration`].
    pub fn enumerations<T: Copy>(
        &self,
        field: &'static str,
        values: &[(&'static str, i64, T)],
        report: &mut Report,
    ) -> Vec<T> {
        let nodes: Vec<_> = self.list(field, report).collect();
        let nodes = nodes.into_iter();
        nodes
            .filter_map(|(path, node)| enumeration(node, &path, values, report))
            .collect()
    }
}

/// A signed 64-bit integer that is not a field with a known name, such as a value in a map.
#[cfg(feature = "mesh")]
pub(crate) fn integer(node: &Node<'_>, path: &Path, report: &mut Report) -> Option<i64> {
    let value = number::signed(node);
    if let Err(error) = value {
        report.push(bad_number(node, path, error, "a 64-bit integer"));
    }
    value.ok()
}

/// The value of an enum by name or number; a fault lists all names.
fn enumeration<T: Copy>(
    node: &Node<'_>,
    path: &Path,
    values: &[(&'static str, i64, T)],
    report: &mut Report,
) -> Option<T> {
    let by_number = |number: i64| values.iter().find(|(_, n, _)| *n == number);
    let known = match &node.value {
        NodeValue::String(text) => match text.parse() {
            Ok(number) => by_number(number),
            Err(_) => values
                .iter()
                .find(|(name, _, _)| same_enum_name(text, name)),
        },
        NodeValue::Int(number) => by_number(*number),
        _ => None,
    };
    if let Some((_, _, value)) = known {
        return Some(*value);
    }
    let names: Vec<&str> = values.iter().map(|(name, _, _)| *name).collect();
    let mut diagnostic = Diagnostic::error("config/unknown-value", "unknown value")
        .at(path.text(), node.position)
        .found(node.describe())
        .expected(format!("one of {}", names.join(", ")));
    if let NodeValue::String(text) = &node.value {
        diagnostic = diagnostic.suggest(nearest(text, names.into_iter()));
    }
    report.push(diagnostic);
    None
}

/// A wrapper type may be an object with its value; Envoy reads both.
fn unwrapped<'n, 'a>(node: &'n Node<'a>) -> &'n Node<'a> {
    match &node.value {
        NodeValue::Map(entries) => match entries.as_slice() {
            [entry] if entry.key.name == "value" => &entry.node,
            _ => node,
        },
        _ => node,
    }
}

/// Compares names in any case, with `-` for `_`.
fn same_enum_name(text: &str, name: &str) -> bool {
    text.len() == name.len()
        && text
            .bytes()
            .zip(name.bytes())
            .all(|(a, b)| a.eq_ignore_ascii_case(&b) || (a == b'-' && b == b'_'))
}

/// The fault of a number, with the allowed range.
fn bad_number(
    node: &Node<'_>,
    path: &Path,
    error: NumberError,
    expected: impl Into<Cow<'static, str>>,
) -> Diagnostic {
    let mut diagnostic = wrong_type(node, path, expected);
    (diagnostic.code, diagnostic.message) = match error {
        NumberError::NoNumber => ("config/type", "not a number".into()),
        NumberError::Fraction => ("config/value", "not an integer".into()),
        NumberError::OutOfRange => ("config/value", "out of range".into()),
    };
    diagnostic
}
