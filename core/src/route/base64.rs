//! Base64 as `header_to_metadata` decodes it.

use alloc::vec::Vec;

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
