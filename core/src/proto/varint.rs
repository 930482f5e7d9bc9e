//! Variable-length integers of protobuf: seven bits in each byte, lowest bits first.
//!
//! # Examples
//! ```
//! use spillgate_core::proto::varint;
//!
//! let mut bytes = Vec::new();
//! varint::write(300, &mut bytes);
//! assert_eq!(bytes, [0xac, 0x02]);
//! assert_eq!(varint::read(&mut bytes.as_slice()), Some(300));
//! ```

use alloc::vec::Vec;

/// The maximum length of a 64-bit integer, in bytes.
pub const MAXIMUM_BYTES: usize = 10;

/// Appends an integer, in 1 to 10 bytes.
pub fn write(mut value: u64, to: &mut Vec<u8>) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// Reads an integer and removes it from the front. `None` if it is truncated or longer than ten
/// bytes.
///
/// As in protobuf, excess bits of a tenth byte are ignored.
pub fn read(from: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for index in 0..MAXIMUM_BYTES {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_every_length_round_trip() {
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
            let mut bytes = Vec::new();
            write(value, &mut bytes);
            let mut rest = &bytes[..];
            assert_eq!((read(&mut rest), rest), (Some(value), &[][..]));
        }
    }

    #[test]
    fn truncated_and_overlong_integers_are_rejected() {
        assert_eq!(read(&mut &[][..]), None);
        assert_eq!(read(&mut &[0x80][..]), None);
        assert_eq!(read(&mut &[0xff; 11][..]), None);
    }

    #[test]
    fn bits_beyond_64_are_dropped() {
        let bytes = [[0xff; 9].as_slice(), &[0x7f]].concat();
        assert_eq!(read(&mut &bytes[..]), Some(u64::MAX));
    }
}
