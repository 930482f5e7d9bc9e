//! Integers of variable length, seven bits a byte, and texts and bytes behind their length.

use alloc::vec::Vec;

use crate::LinkError;

/// Writes a payload.
#[derive(Debug, Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    /// An integer.
    pub(super) fn integer(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// A count.
    pub(super) fn count(&mut self, value: usize) {
        self.integer(value as u64);
    }

    /// Bytes behind their number.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    /// A text.
    pub(super) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }
}

/// Reads a payload.
#[derive(Debug)]
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// From the first byte on.
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// An integer of at most ten bytes.
    pub(super) fn integer(&mut self, what: &'static str) -> Result<u64, LinkError> {
        let mut value: u64 = 0;
        for place in 0..10 {
            let (&byte, rest) = self.0.split_first().ok_or(LinkError::Payload(what))?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            if place == 9 && bits > 1 {
                break;
            }
            value |= bits << (7 * place);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(LinkError::Payload(what))
    }

    /// A count that is at most `most`.
    pub(super) fn count(&mut self, what: &'static str, most: usize) -> Result<usize, LinkError> {
        let value = self.integer(what)?;
        usize::try_from(value)
            .ok()
            .filter(|&count| count <= most)
            .ok_or(LinkError::Payload(what))
    }

    /// An integer that fits 32 bits.
    pub(super) fn small(&mut self, what: &'static str) -> Result<u32, LinkError> {
        u32::try_from(self.integer(what)?).map_err(|_| LinkError::Payload(what))
    }

    /// One byte.
    pub(super) fn byte(&mut self, what: &'static str) -> Result<u8, LinkError> {
        let (&byte, rest) = self.0.split_first().ok_or(LinkError::Payload(what))?;
        self.0 = rest;
        Ok(byte)
    }

    /// 0 or 1.
    pub(super) fn flag(&mut self, what: &'static str) -> Result<bool, LinkError> {
        match self.integer(what)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(LinkError::Payload(what)),
        }
    }

    /// As many bytes as stand before them.
    pub(super) fn bytes(&mut self, what: &'static str) -> Result<&'a [u8], LinkError> {
        let count = self.count(what, self.0.len())?;
        let (bytes, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(LinkError::Payload(what))?;
        self.0 = rest;
        Ok(bytes)
    }

    /// A text.
    pub(super) fn text(&mut self, what: &'static str) -> Result<&'a str, LinkError> {
        core::str::from_utf8(self.bytes(what)?).map_err(|_| LinkError::Payload(what))
    }

    /// Whether nothing is left.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_every_length_come_back() {
        for value in [
            0,
            1,
            127,
            128,
            16_383,
            16_384,
            u64::from(u32::MAX),
            u64::MAX,
        ] {
            let mut writer = Writer::default();
            writer.integer(value);
            assert_eq!(Reader::new(&writer.0).integer("value"), Ok(value));
        }
    }

    #[test]
    fn what_is_too_long_or_cut_is_refused() {
        let bad = Err(LinkError::Payload("value"));
        assert_eq!(Reader::new(&[0x80]).integer("value"), bad);
        assert_eq!(Reader::new(&[0xff; 11]).integer("value"), bad);
        assert!(Reader::new(&[5, 1, 2]).bytes("value").is_err());
        assert!(Reader::new(&[1, 0xff]).text("value").is_err());
    }
}
