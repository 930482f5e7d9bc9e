//! All headers of a request, in the encoding of the host: copying each header would cost more than
//! the rest of the request path.

use spillgate_core::route::Headers;

/// The size of the lengths of a name and its value: four bytes each.
const LENGTHS: usize = 8;

/// The headers, with every value of a repeated header.
///
/// The encoding: the number of headers, the lengths of each name and value, then all names and
/// values in turn, each followed by a zero byte. In truncated bytes, the headers before the end are
/// read.
#[derive(Default)]
pub(crate) struct RequestHeaders {
    bytes: Vec<u8>,
}

impl RequestHeaders {
    /// The headers in these bytes.
    pub(crate) const fn new(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }

    fn pairs(&self) -> Pairs<'_> {
        let split = || {
            let (count, rest) = self.bytes.split_first_chunk()?;
            let count = usize::try_from(u32::from_le_bytes(*count)).ok()?;
            rest.split_at_checked(count.checked_mul(LENGTHS)?)
        };
        let (lengths, texts) = split().unwrap_or_default();
        Pairs { lengths, texts }
    }
}

impl Headers for RequestHeaders {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        self.pairs()
            .filter(move |(known, _)| known.eq_ignore_ascii_case(name.as_bytes()))
            .map(|(_, value)| value)
    }
}

/// Names and values in order.
struct Pairs<'a> {
    lengths: &'a [u8],
    texts: &'a [u8],
}

impl<'a> Pairs<'a> {
    fn text(&mut self, length: [u8; 4]) -> Option<&'a [u8]> {
        let length = usize::try_from(u32::from_le_bytes(length)).ok()?;
        let (text, rest) = self.texts.split_at_checked(length)?;
        (_, self.texts) = rest.split_first()?;
        Some(text)
    }
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, rest) = self.lengths.split_first_chunk()?;
        let (value, rest) = rest.split_first_chunk()?;
        self.lengths = rest;
        Some((self.text(*name)?, self.text(*value)?))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;

    fn wire(headers: &[(&str, &str)]) -> Vec<u8> {
        let mut bytes = (headers.len() as u32).to_le_bytes().to_vec();
        for (name, value) in headers {
            bytes.extend((name.len() as u32).to_le_bytes());
            bytes.extend((value.len() as u32).to_le_bytes());
        }
        for text in headers.iter().flat_map(|(name, value)| [name, value]) {
            bytes.extend(text.as_bytes());
            bytes.push(0);
        }
        bytes
    }

    fn values(headers: &RequestHeaders, name: &str) -> Vec<Vec<u8>> {
        headers.values(name).map(<[u8]>::to_vec).collect()
    }

    #[test]
    fn every_value_is_found_in_any_case() {
        let sent = [("X-A", "1"), ("x-b", ""), ("x-a", "2"), ("", "3")];
        let headers = RequestHeaders::new(wire(&sent));
        assert_eq!(values(&headers, "x-a"), [b"1", b"2"]);
        assert_eq!(values(&headers, "X-B"), [b""]);
        assert_eq!(headers.first("x-a"), Some(&b"1"[..]));
        assert_eq!(headers.first("x-"), None);
        assert_eq!(RequestHeaders::default().first("x-a"), None);
    }

    #[test]
    fn truncated_bytes_and_wrong_lengths_end_the_list() {
        let whole = wire(&[("x-a", "1"), ("x-b", "2")]);
        for length in 0..whole.len() {
            let headers = RequestHeaders::new(whole[..length].to_vec());
            let found = values(&headers, "x-a").len() + values(&headers, "x-b").len();
            assert!(found < 2, "{length} of {} bytes", whole.len());
        }
        for at in 0..4 + 2 * LENGTHS {
            let mut wrong = whole.clone();
            wrong[at] = 0xff;
            values(&RequestHeaders::new(wrong), "x-b");
        }
    }
}
