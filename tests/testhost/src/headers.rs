//! Header maps.

use std::fmt;

/// A header map as Envoy keeps it: ordered, with duplicates, names in lower case.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct HeaderMap(Vec<(String, Vec<u8>)>);

impl HeaderMap {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a value, keeping those that are there. The name is put in lower case, as Envoy's
    /// codecs do before any filter sees it.
    pub fn add(&mut self, name: &str, value: impl AsRef<[u8]>) {
        self.0
            .push((name.to_ascii_lowercase(), value.as_ref().to_vec()));
    }

    /// Removes every copy of `name` and appends this one.
    pub fn replace(&mut self, name: &str, value: impl AsRef<[u8]>) {
        self.remove(name);
        self.add(name, value);
    }

    /// Removes every copy of `name`.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(have, _)| !have.eq_ignore_ascii_case(name));
    }

    /// The first value of `name`: all that a single look-up in Envoy gives.
    #[must_use]
    pub fn first(&self, name: &str) -> Option<&[u8]> {
        self.0
            .iter()
            .find(|(have, _)| have.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_slice())
    }

    /// Every value of `name`, in order.
    pub fn values<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a [u8]> {
        self.0
            .iter()
            .filter(move |(have, _)| have.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_slice())
    }

    /// The first value of `name` where it is UTF-8.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.first(name)
            .and_then(|value| std::str::from_utf8(value).ok())
    }

    /// Whether any copy of `name` is there.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.first(name).is_some()
    }

    /// Name and value pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_slice()))
    }

    /// How many pairs there are, duplicates counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the map is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The form in which a map crosses into the guest: count, all lengths, then the texts, each
    /// followed by a zero byte; all numbers 32 bits, little endian.
    pub(crate) fn to_wire(&self) -> Vec<u8> {
        let mut wire = Vec::new();
        wire.extend_from_slice(&length(self.0.len()));
        for (name, value) in &self.0 {
            wire.extend_from_slice(&length(name.len()));
            wire.extend_from_slice(&length(value.len()));
        }
        for (name, value) in &self.0 {
            wire.extend_from_slice(name.as_bytes());
            wire.push(0);
            wire.extend_from_slice(value);
            wire.push(0);
        }
        wire
    }

    /// Reads what [`Self::to_wire`] writes; `None` when the bytes do not add up.
    pub(crate) fn from_wire(wire: &[u8]) -> Option<Self> {
        let mut headers = Self::new();
        if wire.is_empty() {
            return Some(headers);
        }
        let count = number(wire, 0)?;
        let mut at = count.checked_mul(8)?.checked_add(4)?;
        for index in 0..count {
            let name = text(wire, &mut at, number(wire, 4 + index * 8)?)?;
            let value = text(wire, &mut at, number(wire, 8 + index * 8)?)?;
            headers.add(std::str::from_utf8(name).ok()?, value);
        }
        Some(headers)
    }
}

fn length(length: usize) -> [u8; 4] {
    u32::try_from(length)
        .expect("a header map of less than 4 GiB")
        .to_le_bytes()
}

fn number(wire: &[u8], at: usize) -> Option<usize> {
    let bytes = wire.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
}

fn text<'a>(wire: &'a [u8], at: &mut usize, length: usize) -> Option<&'a [u8]> {
    let text = wire.get(*at..at.checked_add(length)?)?;
    *at += length + 1;
    Some(text)
}

impl fmt::Debug for HeaderMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(
                self.iter()
                    .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value))),
            )
            .finish()
    }
}

impl<N: AsRef<str>, V: AsRef<[u8]>> FromIterator<(N, V)> for HeaderMap {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut headers = Self::new();
        for (name, value) in pairs {
            headers.add(name.as_ref(), value);
        }
        headers
    }
}

#[cfg(test)]
mod tests {
    use super::HeaderMap;

    fn sample() -> HeaderMap {
        [("X-A", "1"), ("x-b", ""), ("x-a", "2")]
            .into_iter()
            .collect()
    }

    #[test]
    fn duplicates_and_order_are_kept() {
        let headers = sample();
        let values: Vec<_> = headers.values("x-a").collect();
        assert_eq!(values, [b"1", b"2"]);
        assert_eq!(headers.text("X-B"), Some(""));
        assert_eq!(headers.len(), 3);
    }

    #[test]
    fn a_replacement_removes_every_copy() {
        let mut headers = sample();
        headers.replace("X-a", "3");
        assert_eq!(headers.values("x-a").collect::<Vec<_>>(), [b"3"]);
        assert_eq!(headers.iter().last(), Some(("x-a", &b"3"[..])));
    }

    #[test]
    fn the_wire_form_reads_back() {
        assert_eq!(HeaderMap::from_wire(&sample().to_wire()), Some(sample()));
    }

    #[test]
    fn a_wire_form_cut_anywhere_is_refused() {
        let wire = sample().to_wire();
        // The last byte is the zero after the last value, which is not read.
        for end in 1..wire.len() - 1 {
            assert_eq!(HeaderMap::from_wire(&wire[..end]), None, "cut at {end}");
        }
    }

    #[test]
    fn a_count_that_overflows_is_refused() {
        assert_eq!(HeaderMap::from_wire(&[0xff; 4]), None);
    }
}
