//! The headers of an evaluated request.

use spillgate_core::route::Headers;

/// The headers of a request, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct OwnedHeaders(pub(super) Vec<(String, String)>);

impl Headers for OwnedHeaders {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        let named = self.0.iter().filter(move |(have, _)| have == name);
        named.map(|(_, value)| value.as_bytes())
    }
}

impl OwnedHeaders {
    /// Replaces a header.
    pub(super) fn set(&mut self, name: &str, value: &str) -> bool {
        self.remove(name);
        self.0.push((name.to_owned(), value.to_owned()));
        true
    }

    /// Removes all headers of a name.
    pub(super) fn remove(&mut self, name: &str) {
        self.0.retain(|(have, _)| have != name);
    }
}
