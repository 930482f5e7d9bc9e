//! Base64 as Envoy decodes it, which wraps the messages of headers and cookies.

use alloc::vec::Vec;

use base64::{Engine as _, prelude::BASE64_STANDARD_NO_PAD};

/// The decoded bytes; `None` for anything that is not base64.
///
/// As in Envoy's `decodeWithoutPadding`, at most two `=` at the end are dropped, whether they are
/// needed or not. Bits behind the last byte must be 0.
#[must_use]
pub fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"=").unwrap_or(text);
    let text = text.strip_suffix(b"=").unwrap_or(text);
    BASE64_STANDARD_NO_PAD.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_optional() {
        for (text, bytes) in [
            ("aGk=", Some(&b"hi"[..])),
            ("aGk", Some(b"hi")),
            ("aGk==", Some(b"hi")),
            ("aGk===", None),
            ("aGkh", Some(b"hi!")),
            ("aGkh==", Some(b"hi!")),
            ("/wA=", Some(b"\xff\0")),
            ("", Some(b"")),
            ("=", Some(b"")),
            ("aGl", None),
            ("a", None),
            ("a?", None),
            ("aG=k", None),
            ("_wA", None),
        ] {
            assert_eq!(decode_base64(text.as_bytes()).as_deref(), bytes, "{text}");
        }
    }
}
