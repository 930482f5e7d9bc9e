//! The wire format of protobuf, as far as descriptors use it.

/// One field of a message.
pub(super) struct WireField<'a> {
    pub(super) number: u64,
    pub(super) value: WireValue<'a>,
}

/// Its value.
pub(super) enum WireValue<'a> {
    Varint(u64),
    Bytes(&'a [u8]),
    /// 32 or 64 bits; descriptors use them only in options.
    Fixed,
}

/// The fields of a message; ends at the first byte outside a field.
pub(super) struct WireFields<'a> {
    rest: &'a [u8],
}

impl<'a> WireFields<'a> {
    pub(super) const fn new(message: &'a [u8]) -> Self {
        Self { rest: message }
    }

    /// The number of bytes that are not read yet.
    pub(super) const fn left(&self) -> usize {
        self.rest.len()
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for place in 0..10 {
            let (&byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << (7 * place);
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(usize::try_from(length).ok()?)?;
        self.rest = rest;
        Some(taken)
    }
}

impl<'a> Iterator for WireFields<'a> {
    type Item = WireField<'a>;

    fn next(&mut self) -> Option<WireField<'a>> {
        let tag = self.varint()?;
        let value = match tag & 7 {
            0 => WireValue::Varint(self.varint()?),
            1 => self.take(8).map(|_| WireValue::Fixed)?,
            2 => {
                let length = self.varint()?;
                WireValue::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(|_| WireValue::Fixed)?,
            _ => return None,
        };
        let number = tag >> 3;
        Some(WireField { number, value })
    }
}

impl<'a> WireField<'a> {
    /// The bytes of this field, if it is the one of this number.
    pub(super) const fn bytes(&self, number: u64) -> Option<&'a [u8]> {
        match self.value {
            WireValue::Bytes(bytes) if self.number == number => Some(bytes),
            _ => None,
        }
    }

    /// The integer of this field, if it is the one of this number.
    pub(super) const fn integer(&self, number: u64) -> Option<u64> {
        match self.value {
            WireValue::Varint(value) if self.number == number => Some(value),
            _ => None,
        }
    }
}

/// The last field of this number, as text.
pub(super) fn text(message: &[u8], number: u64) -> String {
    let found = WireFields::new(message).filter_map(|field| field.bytes(number));
    found.last().map_or_else(String::new, |bytes| {
        String::from_utf8_lossy(bytes).into_owned()
    })
}

/// The last integer of this number, or 0.
pub(super) fn integer(message: &[u8], number: u64) -> u64 {
    let found = WireFields::new(message).filter_map(|field| field.integer(number));
    found.last().unwrap_or(0)
}

/// The messages of a repeated field.
pub(super) fn messages(message: &[u8], number: u64) -> impl Iterator<Item = &[u8]> {
    WireFields::new(message).filter_map(move |field| field.bytes(number))
}
