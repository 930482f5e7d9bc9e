//! The fields of a protobuf message.

use super::varint;

/// The maximum nesting of groups. Groups are obsolete, but every reader still accepts them.
const MAXIMUM_GROUPS: usize = 100;

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldValue<'b> {
    /// An integer, a bool or an enum.
    Varint(u64),
    /// The eight bytes of a double or of a fixed-width integer.
    Fixed64(u64),
    /// A string, bytes or a message.
    Bytes(&'b [u8]),
    /// A group or a four-byte value. The messages that this crate reads have none.
    Other,
}

/// An iterator over the fields of a message with their numbers. `None` as an item means that the
/// rest is not protobuf; the iteration then ends.
///
/// # Examples
/// ```
/// use spillgate_core::proto::{FieldValue, Fields};
///
/// let message = [0x0a, 1, b'x', 0x10, 5];
/// let fields: Option<Vec<_>> = Fields::of(&message).collect();
/// let expected = vec![(1, FieldValue::Bytes(b"x")), (2, FieldValue::Varint(5))];
/// assert_eq!(fields, Some(expected));
/// assert_eq!(Fields::of(&[0xff]).next(), Some(None));
/// ```
#[derive(Debug, Clone)]
pub struct Fields<'b>(&'b [u8]);

impl<'b> Fields<'b> {
    /// The fields in these bytes.
    #[must_use]
    pub const fn of(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    /// The number and the wire type of the next field.
    fn tag(&mut self) -> Option<(u32, u32)> {
        let before = self.0.len();
        // Bits above 32 are ignored if the tag has at most five bytes.
        let tag = varint::read(&mut self.0)? as u32;
        let number = tag >> 3;
        (number > 0 && before - self.0.len() <= 5).then_some((number, tag & 7))
    }

    fn value(&mut self, number: u32, wire_type: u32, depth: usize) -> Option<FieldValue<'b>> {
        Some(match wire_type {
            0 => FieldValue::Varint(varint::read(&mut self.0)?),
            1 => {
                let (bytes, rest) = self.0.split_first_chunk()?;
                self.0 = rest;
                FieldValue::Fixed64(u64::from_le_bytes(*bytes))
            }
            2 => {
                let length = varint::read(&mut self.0)?;
                FieldValue::Bytes(self.take(usize::try_from(length).ok()?)?)
            }
            // A group: fields up to the end tag.
            3 => {
                let depth = depth.checked_sub(1)?;
                loop {
                    match self.tag()? {
                        (end, 4) => break (end == number).then_some(FieldValue::Other)?,
                        (inner, wire_type) => self.value(inner, wire_type, depth)?,
                    };
                }
            }
            5 => {
                self.take(4)?;
                FieldValue::Other
            }
            _ => return None,
        })
    }

    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = Option<(u32, FieldValue<'b>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let tag = self.tag();
        let field = tag.and_then(|(number, wire_type)| {
            Some((number, self.value(number, wire_type, MAXIMUM_GROUPS)?))
        });
        if field.is_none() {
            self.0 = &[];
        }
        Some(field)
    }
}
