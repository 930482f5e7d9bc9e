//! Lookup of request headers.

/// Lookup of request headers. Names are lower case; `:path`, `:method` and `:authority` are headers
/// as well.
pub trait Headers {
    /// All values of a header, in request order.
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a;

    /// The first value of a header.
    fn first<'a>(&'a self, name: &'a str) -> Option<&'a [u8]> {
        self.values(name).next()
    }
}

/// Headers as a list of names and values. Names match in any case.
///
/// # Examples
/// ```
/// use spillgate_core::route::{HeaderList, Headers};
///
/// let headers = HeaderList(&[("X-User", "ann"), ("x-user", "bob")]);
/// assert_eq!(headers.first("x-user"), Some(&b"ann"[..]));
/// assert_eq!(headers.values("x-user").count(), 2);
/// ```
#[derive(Debug)]
pub struct HeaderList<'h, N, V>(pub &'h [(N, V)]);

// It is a reference, whatever names and values are.
impl<N, V> Copy for HeaderList<'_, N, V> {}

impl<N, V> Clone for HeaderList<'_, N, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N: AsRef<str>, V: AsRef<[u8]>> Headers for HeaderList<'_, N, V> {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        self.0
            .iter()
            .filter(move |(have, _)| is_named(have.as_ref(), name))
            .map(|(_, value)| value.as_ref())
    }
}

/// The value of a header field without the white space around it, which no recipient gets (RFC 9110, 5.5).
///
/// # Examples
/// ```
/// use spillgate_core::route::field_value;
///
/// assert_eq!(field_value("\t ann b "), "ann b");
/// ```
#[must_use]
pub fn field_value(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}

/// Most names are lower case already; an exact comparison is several times faster.
fn is_named(have: &str, name: &str) -> bool {
    have.len() == name.len() && (have == name || have.eq_ignore_ascii_case(name))
}
