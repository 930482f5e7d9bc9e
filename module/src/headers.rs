//! All headers of a request, copied: Envoy lends them only until a header changes.
//!
//! The request path strips headers before it decides, so all of them are copied, into two
//! allocations.

use spillgate_core::route::Headers;
use spillgate_steer::port::NameLengths;

/// The headers, with every value of a repeated header.
///
/// Two allocations hold all of them: copying each text on its own would cost more than the rest of the
/// request path.
#[derive(Debug, Default)]
pub(crate) struct CopiedHeaders {
    /// The names and values in turn.
    texts: Vec<u8>,
    places: Vec<HeaderPlace>,
    name_lengths: NameLengths,
}

/// The place of a name among the texts. Its value follows.
#[derive(Debug)]
struct HeaderPlace {
    start: usize,
    name: usize,
    value: usize,
}

impl CopiedHeaders {
    /// Copies headers.
    pub(crate) fn new<'a>(
        headers: impl ExactSizeIterator<Item = (&'a [u8], &'a [u8])> + Clone,
    ) -> Self {
        let sizes = headers
            .clone()
            .map(|(name, value)| name.len() + value.len());
        let mut copied = Self {
            texts: Vec::with_capacity(sizes.sum()),
            places: Vec::with_capacity(headers.len()),
            name_lengths: NameLengths::default(),
        };
        for (name, value) in headers {
            copied.name_lengths.add(name.len());
            copied.places.push(HeaderPlace {
                start: copied.texts.len(),
                name: name.len(),
                value: value.len(),
            });
            copied.texts.extend_from_slice(name);
            copied.texts.extend_from_slice(value);
        }
        copied
    }

    fn value(&self, place: &HeaderPlace, name: &str) -> Option<&[u8]> {
        let (found, rest) = self
            .texts
            .get(place.start..)?
            .split_at_checked(place.name)?;
        let is_it = found == name.as_bytes() || found.eq_ignore_ascii_case(name.as_bytes());
        is_it.then(|| rest.get(..place.value))?
    }
}

impl Headers for CopiedHeaders {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        let places: &[HeaderPlace] = if self.name_lengths.may_contain(name.len()) {
            &self.places
        } else {
            &[]
        };
        let of_length = places.iter().filter(|place| place.name == name.len());
        of_length.filter_map(|place| self.value(place, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(headers: &[(&str, &str)]) -> CopiedHeaders {
        let texts = headers
            .iter()
            .map(|(name, value)| (name.as_bytes(), value.as_bytes()));
        CopiedHeaders::new(texts)
    }

    #[test]
    fn every_value_is_found_in_any_case() {
        let headers = copied(&[("X-A", "1"), ("x-b", ""), ("x-a", "2"), ("", "3")]);
        let values: Vec<&[u8]> = headers.values("x-a").collect();
        assert_eq!(values, [b"1", b"2"]);
        assert_eq!(headers.first("X-B"), Some(&b""[..]));
        assert_eq!(headers.first(""), Some(&b"3"[..]));
        assert_eq!(headers.first("x-"), None);
        assert_eq!(headers.first("x-c"), None);
        assert_eq!(CopiedHeaders::default().first("x-a"), None);
    }

    #[test]
    fn long_names_share_a_bit_and_stay_apart() {
        let long = "n".repeat(100);
        let headers = copied(&[(&long, "1"), ("x", "2")]);
        assert_eq!(headers.first(&long), Some(&b"1"[..]));
        assert_eq!(headers.first(&"n".repeat(99)), None);
        assert_eq!(headers.first(&"m".repeat(100)), None);
    }
}
