//! Variable-length integers, and length-prefixed strings and bytes.

use alloc::vec::Vec;

use spillgate_core::proto::varint;

/// Appends values.
#[derive(Debug, Default)]
pub struct ByteWriter(pub(crate) Vec<u8>);

impl ByteWriter {
    /// Appends one byte.
    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Appends an integer.
    pub(crate) fn integer(&mut self, value: u64) {
        varint::write(value, &mut self.0);
    }

    /// Appends a count.
    pub(crate) fn count(&mut self, value: usize) {
        self.integer(value as u64);
    }

    /// A string after its length in bytes.
    pub(crate) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }
}

/// Reads values; `None` if the bytes are not such a value.
#[derive(Debug)]
pub struct ByteReader<'b>(&'b [u8]);

impl<'b> ByteReader<'b> {
    /// Starts at the first byte.
    pub(crate) const fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    /// Whether all bytes have been read.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads one byte.
    pub fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    /// Reads an integer of at most 64 bits.
    pub(crate) fn integer(&mut self) -> Option<u64> {
        let before = self.0;
        let value = varint::read(&mut self.0)?;
        // The tenth byte has one bit.
        let last = before.get(varint::MAXIMUM_BYTES - 1);
        let all = before.len() - self.0.len() == varint::MAXIMUM_BYTES;
        (!all || last.is_some_and(|last| *last <= 1)).then_some(value)
    }

    /// Reads 0 or 1.
    pub(crate) fn flag(&mut self) -> Option<bool> {
        match self.integer()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// Reads this number of bytes.
    pub(crate) fn chunk<const LENGTH: usize>(&mut self) -> Option<[u8; LENGTH]> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*bytes)
    }

    /// A string after its length in bytes.
    pub(crate) fn text(&mut self) -> Option<&'b str> {
        let length = usize::try_from(self.integer()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        core::str::from_utf8(bytes).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_64_bits_at_most() {
        let mut writer = ByteWriter::default();
        writer.integer(u64::MAX);
        assert_eq!(ByteReader::new(&writer.0).integer(), Some(u64::MAX));
        assert_eq!(ByteReader::new(&[0x80]).integer(), None);
        assert_eq!(ByteReader::new(&[0xff; 11]).integer(), None);
        let excess = [[0xff; 9].as_slice(), &[2]].concat();
        assert_eq!(ByteReader::new(&excess).integer(), None);
    }

    #[test]
    fn texts_are_whole_and_utf_8() {
        assert_eq!(ByteReader::new(&[2, b'h', b'i', 0]).text(), Some("hi"));
        assert_eq!(ByteReader::new(&[5, 1, 2]).text(), None);
        assert_eq!(ByteReader::new(&[1, 0xff]).text(), None);
    }
}
