//! Request headers with changes, without a copy of the whole request.

use alloc::{string::String, vec::Vec};

use super::{
    Headers,
    combined_headers::{COMBINED, is_combined},
};

/// Changed headers, each with all its values; no value if the header was removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeaderChanges {
    changed: Vec<(String, Vec<Vec<u8>>)>,
}

/// Request headers with changes.
///
/// # Examples
/// ```
/// use spillgate_core::route::{ChangedHeaders, HeaderList, Headers};
///
/// let sent = HeaderList(&[("x-user", "ann"), ("accept", "a")]);
/// let mut headers = ChangedHeaders::new(&sent);
/// headers.add("x-user", b"bob".to_vec());
/// headers.add("accept", b"b".to_vec());
/// assert_eq!(headers.values("x-user").count(), 2);
/// // Envoy keeps well-known headers as one value.
/// assert_eq!(headers.first("accept"), Some(&b"a,b"[..]));
/// headers.remove("x-user");
/// assert_eq!(headers.first("x-user"), None);
/// ```
#[derive(Debug)]
pub struct ChangedHeaders<'h, H> {
    headers: &'h H,
    changes: HeaderChanges,
}

impl HeaderChanges {
    /// The values of a changed header; `None` if it has not changed.
    #[must_use]
    pub fn values(&self, name: &str) -> Option<&[Vec<u8>]> {
        let mut changed = self.changed.iter();
        let found = changed.find(|(have, _)| have == name);
        found.map(|(_, values)| values.as_slice())
    }

    /// The names of the changed headers, in the order of their first change.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.changed.iter().map(|(name, _)| name.as_str())
    }

    fn put(&mut self, name: &str, values: Vec<Vec<u8>>) {
        match self.changed.iter_mut().find(|(have, _)| have == name) {
            Some((_, old)) => *old = values,
            None => self.changed.push((name.into(), values)),
        }
    }
}

impl<'h, H: Headers> ChangedHeaders<'h, H> {
    /// The headers without changes.
    #[must_use]
    pub const fn new(headers: &'h H) -> Self {
        let changed = Vec::new();
        let changes = HeaderChanges { changed };
        Self { headers, changes }
    }

    /// The changes so far.
    #[must_use]
    pub const fn changes(&self) -> &HeaderChanges {
        &self.changes
    }

    /// Whether the request has a header.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.first(name).is_some()
    }

    /// Replaces all values of a header.
    pub fn set(&mut self, name: &str, value: Vec<u8>) {
        self.changes.put(name, Vec::from([value]));
    }

    /// Adds a value. Well-known headers, of which Envoy keeps one value, get it after a comma.
    pub fn add(&mut self, name: &str, value: Vec<u8>) {
        self.add_after(name, b",", &value);
    }

    /// Adds a value; in a header with one value after this separator.
    pub(crate) fn add_after(&mut self, name: &str, separator: &[u8], value: &[u8]) {
        let mut values: Vec<Vec<u8>> = self.values(name).map(<[u8]>::to_vec).collect();
        match values.first_mut() {
            Some(first) if is_combined(name) => {
                if !first.is_empty() {
                    first.extend_from_slice(separator);
                }
                first.extend_from_slice(value);
            }
            _ => values.push(value.to_vec()),
        }
        self.changes.put(name, values);
    }

    /// Removes a header.
    pub fn remove(&mut self, name: &str) {
        if self.has(name) {
            self.changes.put(name, Vec::new());
        }
    }

    /// Joins the values of each header that has at most one in Envoy.
    pub(crate) fn combine(&mut self) {
        for name in COMBINED {
            if self.values(name).nth(1).is_some() {
                let values: Vec<&[u8]> = self.values(name).collect();
                let joined = values.join(&b","[..]);
                self.set(name, joined);
            }
        }
    }
}

impl<H: Headers> Headers for ChangedHeaders<'_, H> {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        // In Envoy, both names are the same header.
        let name = if name == "host" { ":authority" } else { name };
        let changed = self.changes.values(name);
        let own = changed.is_none().then(|| self.headers.values(name));
        let changed = changed.unwrap_or_default().iter().map(Vec::as_slice);
        changed.chain(own.into_iter().flatten())
    }
}
