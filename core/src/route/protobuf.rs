//! Protobuf's binary form, and `google.protobuf.Value` in it.

use alloc::{string::String, sync::Arc, vec::Vec};

use crate::model::{Metadata, Value};

/// How deep lists and structs may nest; each is two messages, of which protobuf allows 100.
const MAXIMUM_DEPTH: usize = 50;

/// What a text of bytes says. A message without a kind of value equals no value that
/// configuration can have, which a number that is none expresses.
pub(super) fn decode(bytes: &[u8]) -> Option<Value> {
    value(bytes, MAXIMUM_DEPTH)
}

fn value(bytes: &[u8], depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    let mut found = Value::Number(f64::NAN);
    let mut fields = Fields(bytes);
    while let Some((number, field)) = fields.next()? {
        match (number, field) {
            (1, Field::Varint(_)) => found = Value::Null,
            (2, Field::Fixed(bits)) => found = Value::Number(f64::from_bits(bits)),
            (3, Field::Bytes(text)) => {
                found = Value::Text(core::str::from_utf8(text).ok()?.into());
            }
            (4, Field::Varint(bit)) => found = Value::Bool(bit != 0),
            // Of a message that comes in several parts, the parts are one.
            (5, Field::Bytes(part)) => {
                let part = fields_of(part, depth)?;
                found = Value::Struct(match found {
                    Value::Struct(before) => before.overridden(&part),
                    _ => part,
                });
            }
            (6, Field::Bytes(part)) => {
                let mut values = match found {
                    Value::List(before) => before.to_vec(),
                    _ => Vec::new(),
                };
                items(part, depth, &mut values)?;
                found = Value::List(values.into());
            }
            _ => {}
        }
    }
    Some(found)
}

fn fields_of(bytes: &[u8], depth: usize) -> Option<Metadata> {
    let mut entries: Vec<(Arc<str>, Value)> = Vec::new();
    let mut fields = Fields(bytes);
    while let Some((number, field)) = fields.next()? {
        let (1, Field::Bytes(entry)) = (number, field) else {
            continue;
        };
        let (mut key, mut content) = (String::new(), &[][..]);
        let mut fields = Fields(entry);
        while let Some((number, field)) = fields.next()? {
            match (number, field) {
                (1, Field::Bytes(text)) => key = core::str::from_utf8(text).ok()?.into(),
                (2, Field::Bytes(bytes)) => content = bytes,
                _ => {}
            }
        }
        entries.push((key.into(), value(content, depth)?));
    }
    Some(Metadata::new(entries))
}

fn items(bytes: &[u8], depth: usize, into: &mut Vec<Value>) -> Option<()> {
    let mut fields = Fields(bytes);
    while let Some((number, field)) = fields.next()? {
        if let (1, Field::Bytes(item)) = (number, field) {
            into.push(value(item, depth)?);
        }
    }
    Some(())
}

/// How deep groups may nest, which nobody has used for long and every reader still accepts.
const MAXIMUM_GROUPS: usize = 100;

/// The fields of a message, one by one.
pub(super) struct Fields<'b>(&'b [u8]);

/// The value of a field.
pub(super) enum Field<'b> {
    Varint(u64),
    Fixed(u64),
    Bytes(&'b [u8]),
    Other,
}

impl<'b> Fields<'b> {
    pub(super) const fn of(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    /// The next field and its number: `None` where the bytes are no message, `Some(None)` at
    /// their end.
    pub(super) fn next(&mut self) -> Option<Option<(u32, Field<'b>)>> {
        if self.0.is_empty() {
            return Some(None);
        }
        let (number, kind) = self.tag()?;
        self.field(number, kind, MAXIMUM_GROUPS)
            .map(|field| Some((number, field)))
    }

    /// The number of a field and its kind.
    fn tag(&mut self) -> Option<(u32, u32)> {
        let before = self.0.len();
        // What is beyond 32 bits is dropped, as long as it is in five bytes.
        let tag = self.varint()? as u32;
        let number = tag >> 3;
        (number > 0 && before - self.0.len() <= 5).then_some((number, tag & 7))
    }

    fn field(&mut self, number: u32, kind: u32, depth: usize) -> Option<Field<'b>> {
        Some(match kind {
            0 => Field::Varint(self.varint()?),
            1 => {
                let bytes = self.take(8)?;
                Field::Fixed(u64::from_le_bytes(bytes.try_into().ok()?))
            }
            2 => {
                let length = self.varint()?;
                Field::Bytes(self.take(usize::try_from(length).ok()?)?)
            }
            // A group: fields up to the tag that ends it.
            3 => {
                let depth = depth.checked_sub(1)?;
                loop {
                    match self.tag()? {
                        (end, 4) => break (end == number).then_some(Field::Other)?,
                        (inner, kind) => self.field(inner, kind, depth)?,
                    };
                }
            }
            5 => {
                self.take(4)?;
                Field::Other
            }
            _ => return None,
        })
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }
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
            // The last kind counts, and fields that nobody knows do not.
            (b"\x1a\x02hi\x20\0\x68\x69", Value::Bool(false)),
            (b"\x20\x01\x33\x33\x34\x68\x69\x34", Value::Bool(true)),
            (b"\x68\x69", Value::Number(f64::NAN)),
        ] {
            assert_eq!(decode(bytes), Some(value), "{bytes:?}");
        }
    }

    #[test]
    fn what_is_no_message_gives_nothing() {
        for bytes in [
            &b"\xff\xff\xff"[..],
            b"\x1a\x05hi",
            b"\x1a\x01\xff",
            b"\x0b",
            b"\x0b\x14",
            b"\x0c",
            b"\0\0",
        ] {
            assert_eq!(decode(bytes), None, "{bytes:?}");
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
        assert!(decode(&bytes).is_some());
        assert_eq!(value(&bytes, 20), None);
    }
}
