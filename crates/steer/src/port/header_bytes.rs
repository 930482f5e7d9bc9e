//! All headers of a request in one allocation: copying each header would cost more than the rest of
//! the request path.
//!
//! Every request searches headers a dozen times, so these functions are inlined: in the filter, only the crate of
//! the callbacks is optimized for more than size.

use alloc::vec::Vec;

use spillgate_core::route::Headers;

use super::NameLengths;

/// The size of the lengths of a name and its value: four bytes each.
const LENGTHS: usize = 8;

/// The headers, with every value of a repeated header.
///
/// The encoding is that of proxy-wasm: the number of headers, the lengths of each name and value, then
/// all names and values in turn, each followed by a zero byte. In truncated bytes, the headers before
/// the end are read.
#[derive(Debug, Default)]
pub struct HeaderBytes {
    bytes: Vec<u8>,
    name_lengths: NameLengths,
}

impl HeaderBytes {
    /// The headers in these bytes.
    #[must_use]
    #[inline]
    pub fn new(bytes: Vec<u8>) -> Self {
        let (lengths, _) = split(&bytes);
        let (lengths, _) = lengths.as_chunks::<LENGTHS>();
        let mut name_lengths = NameLengths::default();
        for &[a, b, c, d, ..] in lengths {
            let length = u32::from_le_bytes([a, b, c, d]);
            name_lengths.add(usize::try_from(length).unwrap_or(usize::MAX));
        }
        Self {
            name_lengths,
            bytes,
        }
    }
}

/// The lengths of all names and values, and their texts.
#[inline]
fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let split = || {
        let (count, rest) = bytes.split_first_chunk()?;
        let count = usize::try_from(u32::from_le_bytes(*count)).ok()?;
        rest.split_at_checked(count.checked_mul(LENGTHS)?)
    };
    split().unwrap_or_default()
}

impl Headers for HeaderBytes {
    #[inline]
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        let (lengths, texts) = if self.name_lengths.may_contain(name.len()) {
            split(&self.bytes)
        } else {
            <(&[u8], &[u8])>::default()
        };
        Values {
            name: name.as_bytes(),
            lengths,
            texts,
            at: 0,
        }
    }
}

/// The values of one header.
struct Values<'a> {
    name: &'a [u8],
    /// The lengths of the remaining headers.
    lengths: &'a [u8],
    texts: &'a [u8],
    /// Where the texts of the remaining headers begin.
    at: usize,
}

impl<'a> Iterator for Values<'a> {
    type Item = &'a [u8];

    /// Looks at the text of a name only if its length fits: this runs for every header of every
    /// request, several times.
    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        while let Some((&[a, b, c, d, e, f, g, h], rest)) = self.lengths.split_first_chunk() {
            let [name, value] = [[a, b, c, d], [e, f, g, h]]
                .map(|length| usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX));
            let start = self.at;
            let value_start = start.saturating_add(name).saturating_add(1);
            let end = value_start.saturating_add(value);
            self.at = end.saturating_add(1);
            self.lengths = if self.at <= self.texts.len() {
                rest
            } else {
                return None;
            };
            if name == self.name.len()
                && let Some(known) = self.texts.get(start..value_start - 1)
                && known.eq_ignore_ascii_case(self.name)
            {
                return self.texts.get(value_start..end);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;

    fn wire(headers: &[(&str, &str)]) -> Vec<u8> {
        let length = |text: &str| u32::try_from(text.len()).unwrap().to_le_bytes();
        let mut bytes = u32::try_from(headers.len()).unwrap().to_le_bytes().to_vec();
        for (name, value) in headers {
            bytes.extend([length(name), length(value)].concat());
        }
        for text in headers.iter().flat_map(|(name, value)| [name, value]) {
            bytes.extend(text.as_bytes());
            bytes.push(0);
        }
        bytes
    }

    fn values(headers: &HeaderBytes, name: &str) -> Vec<Vec<u8>> {
        headers.values(name).map(<[u8]>::to_vec).collect()
    }

    #[test]
    fn every_value_is_found_in_any_case() {
        let sent = [("X-A", "1"), ("x-b", ""), ("x-a", "2"), ("", "3")];
        let headers = HeaderBytes::new(wire(&sent));
        assert_eq!(values(&headers, "x-a"), [b"1", b"2"]);
        assert_eq!(values(&headers, "X-B"), [b""]);
        assert_eq!(headers.first("x-a"), Some(&b"1"[..]));
        assert_eq!(headers.first("x-"), None);
        assert_eq!(HeaderBytes::default().first("x-a"), None);
        let long = "n".repeat(100);
        let headers = HeaderBytes::new(wire(&[(&long, "1"), ("x", "2")]));
        assert_eq!(values(&headers, &long), [b"1"]);
        assert_eq!(headers.first(&"n".repeat(99)), None);
    }

    #[test]
    fn truncated_bytes_and_wrong_lengths_end_the_list() {
        let whole = wire(&[("x-a", "1"), ("x-b", "2")]);
        assert_eq!(values(&HeaderBytes::new(whole.clone()), "x-b"), [b"2"]);
        for length in 0..whole.len() {
            let headers = HeaderBytes::new(whole[..length].to_vec());
            let found = values(&headers, "x-a").len() + values(&headers, "x-b").len();
            assert!(found < 2, "{length} of {} bytes", whole.len());
        }
        for at in 0..4 + 2 * LENGTHS {
            let mut wrong = whole.clone();
            wrong[at] = 0xff;
            values(&HeaderBytes::new(wrong), "x-b");
        }
    }
}
