//! The fields of a protobuf message.

/// One field with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field<'a> {
    /// A whole number, a truth value or an enum.
    Varint(u64, u64),
    /// Eight bytes: a double.
    Fixed64(u64, u64),
    /// A text, bytes or a message.
    Bytes(u64, &'a [u8]),
}

/// Walks over the fields; `None` as an item says that the rest is no protobuf, and ends the walk.
#[derive(Clone, Debug)]
pub(crate) struct Wire<'a> {
    rest: &'a [u8],
}

impl<'a> Wire<'a> {
    /// The fields of a message.
    pub(crate) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    fn field(&mut self) -> Option<Field<'a>> {
        let tag = self.varint()?;
        let number = tag >> 3;
        match tag & 7 {
            0 => Some(Field::Varint(number, self.varint()?)),
            1 => {
                let (bits, rest) = self.rest.split_first_chunk()?;
                self.rest = rest;
                Some(Field::Fixed64(number, u64::from_le_bytes(*bits)))
            }
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                let (bytes, rest) = self.rest.split_at_checked(length)?;
                self.rest = rest;
                Some(Field::Bytes(number, bytes))
            }
            _ => None,
        }
    }

    fn varint(&mut self) -> Option<u64> {
        const MOST_BYTES: u32 = 10;
        let mut value = 0_u64;
        for place in 0..MOST_BYTES {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }
}

impl<'a> Iterator for Wire<'a> {
    type Item = Option<Field<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.rest = &[];
        }
        Some(field)
    }
}
