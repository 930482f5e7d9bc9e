//! Reads the values of a link payload; an error names the value.

use super::LinkError;
use crate::bytes::ByteReader;

/// Reads a payload.
#[derive(Debug)]
pub(super) struct Payload<'a>(ByteReader<'a>);

impl<'a> Payload<'a> {
    /// Starts at the first byte.
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self(ByteReader::new(bytes))
    }

    /// Reads an integer.
    pub(super) fn integer(&mut self, what: &'static str) -> Result<u64, LinkError> {
        self.0.integer().ok_or(LinkError::Payload(what))
    }

    /// Reads a count of at most `most`.
    pub(super) fn count(&mut self, what: &'static str, most: usize) -> Result<usize, LinkError> {
        let count = usize::try_from(self.integer(what)?).ok();
        count
            .filter(|&count| count <= most)
            .ok_or(LinkError::Payload(what))
    }

    /// Reads an integer of at most 32 bits.
    pub(super) fn small(&mut self, what: &'static str) -> Result<u32, LinkError> {
        u32::try_from(self.integer(what)?).map_err(|_| LinkError::Payload(what))
    }

    /// Reads one byte.
    pub(super) fn byte(&mut self, what: &'static str) -> Result<u8, LinkError> {
        self.0.byte().ok_or(LinkError::Payload(what))
    }

    /// Reads 0 or 1.
    pub(super) fn flag(&mut self, what: &'static str) -> Result<bool, LinkError> {
        self.0.flag().ok_or(LinkError::Payload(what))
    }

    /// Reads a string.
    pub(super) fn text(&mut self, what: &'static str) -> Result<&'a str, LinkError> {
        self.0.text().ok_or(LinkError::Payload(what))
    }

    /// Whether all bytes have been read.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
