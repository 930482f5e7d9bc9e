//! Integers of variable length: seven bits a byte, the lowest first.

use alloc::vec::Vec;

/// The most bytes that an integer of 64 bits takes.
pub const MAXIMUM_BYTES: usize = 10;

/// Appends an integer.
pub fn write(mut value: u64, to: &mut Vec<u8>) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// Takes an integer off the front; `None` where it is cut or has more than ten bytes.
///
/// As protobuf does, this drops the bits of a tenth byte that exceed 64.
pub fn read(from: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for place in 0..MAXIMUM_BYTES {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        value |= u64::from(byte & 0x7f) << (7 * place);
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
            let mut bytes = Vec::new();
            write(value, &mut bytes);
            let mut rest = &bytes[..];
            assert_eq!((read(&mut rest), rest), (Some(value), &[][..]));
        }
    }

    #[test]
    fn a_cut_or_too_long_integer_is_refused() {
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
