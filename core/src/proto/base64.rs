//! Base64 as Envoy decodes it, for messages in headers and cookies.

use alloc::vec::Vec;

use base64::{Engine as _, prelude::BASE64_STANDARD_NO_PAD};

/// The decoded bytes; `None` for invalid base64.
///
/// As Envoy's `decodeWithoutPadding`, this removes at most two trailing `=`, whether they are
/// required or not. Unused bits of the last character must be 0.
///
/// # Examples
/// ```
/// use spillgate_core::proto::decode_base64;
///
/// assert_eq!(decode_base64(b"MTAuMC4wLjE6ODA=").unwrap(), b"10.0.0.1:80");
/// assert_eq!(decode_base64(b"MTAuMC4wLjE6ODA").unwrap(), b"10.0.0.1:80");
/// assert_eq!(decode_base64(b"10.0.0.1:80"), None);
/// ```
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
