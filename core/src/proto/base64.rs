//! Base64: of tokens, of links, and as Envoy decodes it for messages in headers and cookies.
//!
//! The crate `base64` takes six kilobytes of the filter and of every module of the playground; the tests compare
//! both.

use alloc::{string::String, vec, vec::Vec};

/// One alphabet. Without padding, each content has exactly one valid text.
///
/// # Examples
/// ```
/// use spillgate_core::proto::Base64;
///
/// assert_eq!(Base64::URL_SAFE.encode(b"hi?"), "aGk_");
/// assert_eq!(Base64::STANDARD.decode(b"aGk/").unwrap(), b"hi?");
/// assert_eq!(Base64::STANDARD.encode_padded(b"hi"), "aGk=");
/// ```
#[derive(Debug)]
pub struct Base64 {
    digits: &'static [u8; 64],
    /// The value of every digit, and [`NO_DIGIT`].
    values: &'static [u8; 256],
}

/// In place of the value of what is no digit: a bit that no value has is set.
const NO_DIGIT: u8 = 0xff;

/// The bytes of eight digits, which are converted at once.
const BYTES: usize = 6;
const DIGITS: usize = 8;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
static STANDARD_VALUES: [u8; 256] = values(STANDARD);
static URL_SAFE_VALUES: [u8; 256] = values(URL_SAFE);

#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const fn values(mut digits: &[u8]) -> [u8; 256] {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while let [digit, rest @ ..] = digits {
        values[*digit as usize] = value;
        (digits, value) = (rest, value + 1);
    }
    values
}

impl Base64 {
    /// The alphabet that ends with `+` and `/`.
    pub const STANDARD: Self = Self {
        digits: STANDARD,
        values: &STANDARD_VALUES,
    };
    /// The alphabet that ends with `-` and `_`.
    pub const URL_SAFE: Self = Self {
        digits: URL_SAFE,
        values: &URL_SAFE_VALUES,
    };

    /// The text without padding.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "base64 is ASCII")]
    pub fn encode(&self, bytes: &[u8]) -> String {
        let length = encoded_len(bytes);
        // With room for padding: a second allocation would cost more than the rest.
        let mut text = Vec::with_capacity(length.next_multiple_of(4));
        text.resize(length, 0);
        self.encode_slice(bytes, &mut text);
        String::from_utf8(text).unwrap_or_default()
    }

    /// The text with padding.
    #[must_use]
    pub fn encode_padded(&self, bytes: &[u8]) -> String {
        let mut text = self.encode(bytes);
        while !text.len().is_multiple_of(4) {
            text.push('=');
        }
        text
    }

    /// Writes the text without padding, as far as there is room.
    pub fn encode_slice(&self, bytes: &[u8], text: &mut [u8]) {
        let (whole, rest) = bytes.as_chunks::<BYTES>();
        let (groups, _) = text.as_chunks_mut();
        for (bytes, group) in whole.iter().zip(groups) {
            *group = self.encoded(bytes);
        }
        let digits = self.encoded(rest);
        let places = text.iter_mut().skip(whole.len() * DIGITS);
        for (place, digit) in places.zip(digits).take(encoded_len(rest)) {
            *place = digit;
        }
    }

    /// The decoded bytes; `None` for invalid text, and for padding.
    #[must_use]
    pub fn decode(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = vec![0; decoded_len(text)];
        self.decode_slice(text, &mut bytes)?;
        Some(bytes)
    }

    /// Writes the decoded bytes and returns their number; `None` for invalid text, for padding, and if
    /// there is not enough room.
    #[must_use]
    pub fn decode_slice(&self, text: &[u8], bytes: &mut [u8]) -> Option<usize> {
        let length = decoded_len(text);
        let (whole, rest) = text.as_chunks::<DIGITS>();
        let (groups, last) = bytes.get_mut(..length)?.as_chunks_mut::<BYTES>();
        let mut marks = 0;
        for (digits, group) in whole.iter().zip(groups) {
            let (word, values) = self.decoded(digits);
            let [a, b, c, d, e, f, ..] = word.to_be_bytes();
            *group = [a, b, c, d, e, f];
            marks |= values;
        }
        let (mut word, values) = self.decoded(rest);
        marks |= values;
        for byte in last {
            *byte = (word >> 56) as u8;
            word <<= 8;
        }
        // One digit has no byte. Bits beyond the last byte must be 0, so that no other text has the same
        // content.
        let is_whole = text.len() % 4 != 1 && word == 0;
        (marks != NO_DIGIT && is_whole).then_some(length)
    }

    /// The digits of at most six bytes, followed by others.
    fn encoded(&self, bytes: &[u8]) -> [u8; DIGITS] {
        let mut word = 0;
        for &byte in bytes {
            word = word << 8 | u64::from(byte);
        }
        word <<= 8 * (BYTES - bytes.len().min(BYTES));
        [42, 36, 30, 24, 18, 12, 6, 0].map(|shift| {
            let digit = self.digits.get((word >> shift) as usize & 0x3f);
            digit.copied().unwrap_or_default()
        })
    }

    /// The bytes of at most eight digits, in the highest bits, and all bits of the values.
    fn decoded(&self, digits: &[u8]) -> (u64, u8) {
        let (mut word, mut marks) = (0, 0);
        for &digit in digits {
            let value = self.values.get(usize::from(digit)).copied();
            let value = value.unwrap_or(NO_DIGIT);
            word = word << 6 | u64::from(value);
            marks |= value;
        }
        (
            word << 16 << (6 * (DIGITS - digits.len().min(DIGITS))),
            marks,
        )
    }
}

/// The number of digits of these bytes.
const fn encoded_len(bytes: &[u8]) -> usize {
    (bytes.len() * 4).div_ceil(3)
}

/// The number of bytes in this many digits.
const fn decoded_len(text: &[u8]) -> usize {
    text.len() / 4 * 3 + text.len() % 4 * 3 / 4
}

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
    Base64::STANDARD.decode(text)
}

#[cfg(test)]
mod tests {
    use base64::{
        Engine as _,
        prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD},
    };

    use super::*;
    use crate::hash::mix;

    #[test]
    fn texts_are_those_of_the_crate() {
        let bytes: Vec<u8> = (0..200).map(|at| mix(at) as u8).collect();
        for length in 0..bytes.len() {
            let bytes = &bytes[..length];
            let (standard, url_safe) = (
                Base64::STANDARD.encode(bytes),
                Base64::URL_SAFE.encode(bytes),
            );
            assert_eq!(standard, BASE64_STANDARD_NO_PAD.encode(bytes));
            assert_eq!(url_safe, BASE64_URL_SAFE_NO_PAD.encode(bytes));
            let padded = Base64::STANDARD.encode_padded(bytes);
            assert_eq!(padded, BASE64_STANDARD.encode(bytes));
            let decoded = Base64::STANDARD.decode(standard.as_bytes());
            assert_eq!(decoded.as_deref(), Some(bytes));
            assert_eq!(Base64::URL_SAFE.decode(url_safe.as_bytes()), decoded);
            let mut room = [0; 200];
            let exact = &mut room[..length];
            assert_eq!(
                Base64::URL_SAFE.decode_slice(url_safe.as_bytes(), exact),
                Some(length)
            );
            if let Some(less) = length.checked_sub(1) {
                let found = Base64::URL_SAFE.decode_slice(url_safe.as_bytes(), &mut room[..less]);
                assert_eq!(found, None);
            }
        }
    }

    #[test]
    fn the_same_texts_are_valid_as_for_the_crate() {
        let digits = b"AQgw19Zz+/-_= \xff";
        for length in 0..=9_u32 {
            for seed in 0..4_000_u64 {
                let text: Vec<u8> = (0..length)
                    .map(|at| digits[mix(seed * 16 + u64::from(at)) as usize % digits.len()])
                    .collect();
                let standard = BASE64_STANDARD_NO_PAD.decode(&text).ok();
                let url_safe = BASE64_URL_SAFE_NO_PAD.decode(&text).ok();
                assert_eq!(Base64::STANDARD.decode(&text), standard, "{text:?}");
                assert_eq!(Base64::URL_SAFE.decode(&text), url_safe, "{text:?}");
            }
        }
    }

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
