//! Readers of `google.protobuf.Value` and `google.protobuf.Struct`.

use alloc::{sync::Arc, vec::Vec};

use super::{FieldValue, Fields};
use crate::model::{Metadata, Value};

/// The maximum nesting of lists and structs. Each is two messages deep; protobuf allows 100
/// messages.
const MAXIMUM_DEPTH: usize = 50;

/// Reads a `Value` as protobuf does: unknown fields are skipped, and repeated parts of a message
/// are merged.
///
/// A message without any value kind becomes NaN, which equals no value of a configuration.
pub(crate) fn read_value(bytes: &[u8]) -> Option<Value> {
    UnknownFields::Skip.value(bytes, MAXIMUM_DEPTH)
}

/// Reads a `Struct`; `None` for anything else. Numbers may be infinite or NaN.
///
/// Unknown fields and entries without a value are rejected. A JSON text is therefore never read as
/// a `Struct` by accident: every entry contains the byte 0x12, which JSON does not.
///
/// # Examples
/// ```
/// use spillgate_core::proto::read_struct;
///
/// // { "a": true }
/// let bytes = [0x0a, 7, 0x0a, 1, b'a', 0x12, 2, 0x20, 1];
/// assert_eq!(read_struct(&bytes).unwrap().to_string(), "a=true");
/// assert!(read_struct(br#"{"a": true}"#).is_none());
/// ```
#[must_use]
pub fn read_struct(bytes: &[u8]) -> Option<Metadata> {
    UnknownFields::Refuse.entries(bytes, MAXIMUM_DEPTH)
}

/// How a reader treats unknown and missing fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnknownFields {
    Skip,
    Refuse,
}

impl UnknownFields {
    /// `Value { oneof { null = 1, number = 2, string = 3, bool = 4, struct = 5, list = 6 } }`
    fn value(self, bytes: &[u8], depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let mut found = None;
        for field in Fields::of(bytes) {
            found = Some(match field? {
                (1, FieldValue::Varint(_)) => Value::Null,
                (2, FieldValue::Fixed64(bits)) => Value::Number(f64::from_bits(bits)),
                (3, FieldValue::Bytes(bytes)) => Value::Text(text(bytes)?.into()),
                (4, FieldValue::Varint(bit)) => Value::Bool(bit != 0),
                (5, FieldValue::Bytes(part)) => {
                    let part = self.entries(part, depth)?;
                    Value::Struct(match found {
                        Some(Value::Struct(before)) => before.overridden(&part),
                        _ => part,
                    })
                }
                (6, FieldValue::Bytes(part)) => {
                    let mut values = match found {
                        Some(Value::List(before)) => before.to_vec(),
                        _ => Vec::new(),
                    };
                    self.items(part, depth, &mut values)?;
                    Value::List(values.into())
                }
                _ => {
                    self.unknown()?;
                    continue;
                }
            });
        }
        match self {
            Self::Skip => Some(found.unwrap_or(Value::Number(f64::NAN))),
            Self::Refuse => found,
        }
    }

    /// `Struct { map<string, Value> fields = 1; }`
    fn entries(self, bytes: &[u8], depth: usize) -> Option<Metadata> {
        let mut entries = Vec::new();
        for field in Fields::of(bytes) {
            match field? {
                (1, FieldValue::Bytes(entry)) => entries.push(self.entry(entry, depth)?),
                _ => self.unknown()?,
            }
        }
        Some(Metadata::new(entries))
    }

    /// `{ string key = 1; Value value = 2; }`
    fn entry(self, bytes: &[u8], depth: usize) -> Option<(Arc<str>, Value)> {
        let (mut key, mut value) = ("", &[][..]);
        for field in Fields::of(bytes) {
            match field? {
                (1, FieldValue::Bytes(bytes)) => key = text(bytes)?,
                (2, FieldValue::Bytes(bytes)) => value = bytes,
                _ => self.unknown()?,
            }
        }
        Some((key.into(), self.value(value, depth)?))
    }

    /// `ListValue { repeated Value values = 1; }`
    fn items(self, bytes: &[u8], depth: usize, into: &mut Vec<Value>) -> Option<()> {
        for field in Fields::of(bytes) {
            match field? {
                (1, FieldValue::Bytes(item)) => into.push(self.value(item, depth)?),
                _ => self.unknown()?,
            }
        }
        Some(())
    }

    fn unknown(self) -> Option<()> {
        (self == Self::Skip).then_some(())
    }
}

fn text(bytes: &[u8]) -> Option<&str> {
    core::str::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn every_kind_of_value() {
        let text = |text: &str| Value::Text(text.into());
        for (bytes, value) in [
            (&b"\x08\0"[..], Value::Null),
            (b"\x11\0\0\0\0\0\0\xf0\x3f", Value::Number(1.0)),
            (b"\x1a\x02hi", text("hi")),
            (b"\x20\x01", Value::Bool(true)),
            (
                b"\x2a\x0a\x0a\x08\x0a\x01k\x12\x03\x1a\x01v",
                Value::Struct(Metadata::new([("k", text("v"))])),
            ),
            (
                b"\x32\x05\x0a\x03\x1a\x01v",
                Value::List([text("v")].into()),
            ),
            // The last kind counts, and unknown fields are ignored.
            (b"\x1a\x02hi\x20\0\x68\x69", Value::Bool(false)),
            (b"\x20\x01\x33\x33\x34\x68\x69\x34", Value::Bool(true)),
            (b"\x68\x69", Value::Number(f64::NAN)),
        ] {
            assert_eq!(read_value(bytes), Some(value), "{bytes:?}");
        }
    }

    #[test]
    fn invalid_messages_are_rejected() {
        for bytes in [
            &b"\xff\xff\xff"[..],
            b"\x1a\x05hi",
            b"\x1a\x01\xff",
            b"\x0b",
            b"\x0b\x14",
            b"\x0c",
            b"\0\0",
        ] {
            assert_eq!(read_value(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let mut bytes = vec![0x20, 1];
        for _ in 0..40 {
            let item = [&[0x0a, bytes.len() as u8][..], &bytes].concat();
            bytes = [&[0x32, item.len() as u8][..], &item].concat();
            if bytes.len() > 120 {
                break;
            }
        }
        assert!(read_value(&bytes).is_some());
        assert_eq!(UnknownFields::Skip.value(&bytes, 20), None);
    }
}
