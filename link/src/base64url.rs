//! Base64 with the alphabet for URLs and without padding (RFC 4648, section 5).

use alloc::{string::String, vec::Vec};

use crate::LinkError;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Six bits a character.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 4 / 3 + 3);
    for chunk in bytes.chunks(3) {
        let mut bits: u32 = 0;
        for place in 0..3 {
            bits = bits << 8 | chunk.get(place).map_or(0, |&byte| u32::from(byte));
        }
        for place in 0..=chunk.len() {
            let index = bits >> (18 - 6 * place) & 63;
            let letter = ALPHABET.get(index as usize).copied().unwrap_or(b'A');
            out.push(char::from(letter));
        }
    }
    out
}

/// The bytes behind the characters. Bits that make no whole byte must be 0.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, LinkError> {
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut have) = (0_u32, 0_u32);
    for c in text.chars() {
        let value = ALPHABET
            .iter()
            .position(|&letter| char::from(letter) == c)
            .ok_or(LinkError::Character(c))?;
        bits = bits << 6 | value as u32;
        have += 6;
        if have >= 8 {
            have -= 8;
            out.push((bits >> have) as u8);
            bits &= (1 << have) - 1;
        }
    }
    // A lone last character, or bits behind the last byte: something is missing.
    if have >= 6 || bits != 0 {
        return Err(LinkError::Checksum);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_rfc_without_padding() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).unwrap(), bytes.as_bytes());
        }
        assert_eq!(encode(&[0xfb, 0xff]), "-_8");
        assert_eq!(decode("Zg=="), Err(LinkError::Character('=')));
        assert_eq!(decode("Zm9vY"), Err(LinkError::Checksum));
        assert_eq!(decode("Zh"), Err(LinkError::Checksum));
    }
}
