//! Base64, decoded as `header_to_metadata` does it.

use alloc::{string::String, vec::Vec};

/// The decoded bytes; padding may be missing. `None` for anything that is no base64.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"=").unwrap_or(text);
    let text = text.strip_suffix(b"=").unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut have) = (0_u32, 0_u32);
    for &digit in text {
        bits = bits << 6 | u32::from(value(digit)?);
        have += 6;
        if have >= 8 {
            have -= 8;
            // The mask leaves one byte.
            bytes.push((bits >> have & 0xff) as u8);
            bits &= (1 << have) - 1;
        }
    }
    // One digit alone says too little for a byte, and left-over bits must be zero.
    (have < 6 && bits == 0).then_some(bytes)
}

/// The text of bytes, with padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk
            .iter()
            .fold(0, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = DIGITS.get((bits >> (18 - 6 * place) & 63) as usize);
            let digit = digit.filter(|_| place <= chunk.len()).unwrap_or(&b'=');
            text.push(char::from(*digit));
        }
    }
    text
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v")] {
            assert_eq!(encode(bytes.as_bytes()), text);
        }
        let all: Vec<u8> = (0..=255).collect();
        for length in 0..all.len() {
            let bytes = &all[length..];
            assert_eq!(decode(encode(bytes).as_bytes()).as_deref(), Some(bytes));
        }
    }

    #[test]
    fn padding_is_optional() {
        for (text, bytes) in [
            ("aGk=", Some(&b"hi"[..])),
            ("aGk", Some(b"hi")),
            ("aGkh", Some(b"hi!")),
            ("/wA=", Some(b"\xff\0")),
            ("", Some(b"")),
            ("aGl", None),
            ("a", None),
            ("a?", None),
            ("_wA", None),
        ] {
            assert_eq!(decode(text.as_bytes()).as_deref(), bytes, "{text}");
        }
    }
}
