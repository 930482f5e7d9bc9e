//! Numbers in proto3 JSON: bare, as a string, or as `{value: n}` for a wrapper type.

use spillgate_core::decimal;

use crate::node::{Node, NodeValue};

/// Why a value is not a number of the expected kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberError {
    NoNumber,
    Fraction,
    OutOfRange,
}

/// An integer from 0 to `maximum`.
pub(super) fn unsigned(node: &Node<'_>, maximum: u64) -> Result<u64, NumberError> {
    match u64::try_from(integer(node)?) {
        Ok(value) if value <= maximum => Ok(value),
        _ => Err(NumberError::OutOfRange),
    }
}

/// A signed 64-bit integer.
pub(super) fn signed(node: &Node<'_>) -> Result<i64, NumberError> {
    i64::try_from(integer(node)?).map_err(|_| NumberError::OutOfRange)
}

fn integer(node: &Node<'_>) -> Result<i128, NumberError> {
    Ok(match &node.value {
        NodeValue::Int(value) => i128::from(*value),
        NodeValue::Uint(value) => i128::from(*value),
        NodeValue::Decimal(text) => whole(text)?,
        NodeValue::String(text) => match text.parse::<i128>() {
            // Rust accepts a plus sign, JSON does not; Envoy's own YAML reader has already removed
            // it.
            Ok(value) if !text.starts_with('+') => value,
            _ => whole(text)?,
        },
        _ => return Err(NumberError::NoNumber),
    })
}

/// The integer in a value or in its wrapper; `None` for another value.
pub(crate) fn integer_of(node: &Node<'_>) -> Option<i64> {
    let inner = match &node.value {
        NodeValue::Map(entries) => match entries.as_slice() {
            [only] if only.key.name == "value" => &only.node,
            _ => return None,
        },
        _ => node,
    };
    signed(inner).ok()
}

/// The number in a value that is not a message's field; `None` for a text.
#[cfg(feature = "yaml")]
pub(crate) fn number_of(node: &Node<'_>) -> Option<f64> {
    match &node.value {
        NodeValue::String(_) => None,
        _ => double(node).ok(),
    }
}

/// A finite number.
pub(super) fn double(node: &Node<'_>) -> Result<f64, NumberError> {
    let text = match &node.value {
        NodeValue::Int(value) => return Ok(*value as f64),
        NodeValue::Uint(value) => return Ok(*value as f64),
        NodeValue::Decimal(text) => text,
        NodeValue::String(text) => text.as_ref(),
        _ => return Err(NumberError::NoNumber),
    };
    decimal(text)
}

fn whole(text: &str) -> Result<i128, NumberError> {
    // Beyond the range of all fields; the cast below would saturate.
    const BEYOND: f64 = 1e20;
    let value = decimal(text)?;
    if !(-BEYOND..=BEYOND).contains(&value) {
        return Err(NumberError::OutOfRange);
    }
    let truncated = value as i128;
    if truncated as f64 == value {
        Ok(truncated)
    } else {
        Err(NumberError::Fraction)
    }
}

fn decimal(text: &str) -> Result<f64, NumberError> {
    // Rust also reads "inf", "nan", ".5" and "5."; JSON has none of them.
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    if !digit(unsigned.chars().next()) || !digit(text.chars().next_back()) {
        return Err(NumberError::NoNumber);
    }
    match decimal::parse(text) {
        Some(value) if value.is_finite() => Ok(value),
        Some(_) => Err(NumberError::OutOfRange),
        None => Err(NumberError::NoNumber),
    }
}

#[cfg(test)]
mod tests {
    use alloc::borrow::Cow;

    use super::*;
    use crate::Position;

    fn node(value: NodeValue<'_>) -> Node<'_> {
        Node {
            value,
            position: Position::START,
        }
    }

    fn text(text: &str) -> Node<'_> {
        node(NodeValue::String(Cow::Borrowed(text)))
    }

    #[test]
    fn whole_numbers_in_every_spelling() {
        let max = u64::from(u32::MAX);
        for ok in [
            text("120"),
            text("120.0"),
            text("1.2e2"),
            node(NodeValue::Int(120)),
            node(NodeValue::Decimal("120.0".into())),
        ] {
            assert_eq!(unsigned(&ok, max), Ok(120), "{ok:?}");
        }
        assert_eq!(
            unsigned(&text("18446744073709551615"), u64::MAX),
            Ok(u64::MAX)
        );
        assert_eq!(
            unsigned(&node(NodeValue::Uint(u64::MAX)), u64::MAX),
            Ok(u64::MAX)
        );
        for (bad, why) in [
            (text("1.5"), NumberError::Fraction),
            (text("4294967296"), NumberError::OutOfRange),
            (text("-1"), NumberError::OutOfRange),
            (node(NodeValue::Int(-1)), NumberError::OutOfRange),
            (
                node(NodeValue::Decimal("1e300".into())),
                NumberError::OutOfRange,
            ),
            (text(""), NumberError::NoNumber),
            (text("+5"), NumberError::NoNumber),
            (text("NaN"), NumberError::NoNumber),
            (text(" 5"), NumberError::NoNumber),
            (node(NodeValue::Bool(true)), NumberError::NoNumber),
        ] {
            assert_eq!(unsigned(&bad, max), Err(why), "{bad:?}");
        }
    }

    #[test]
    fn floats_are_finite() {
        assert_eq!(double(&text("50.5")), Ok(50.5));
        assert_eq!(double(&node(NodeValue::Int(-3))), Ok(-3.0));
        for bad in ["Infinity", "inf", "nan", ".5", "5.", "-"] {
            assert_eq!(double(&text(bad)), Err(NumberError::NoNumber), "{bad}");
        }
        assert_eq!(double(&text("1e999")), Err(NumberError::OutOfRange));
    }
}
