//! Which requests a route is for (`RouteMatch`).

use alloc::{string::String, vec::Vec};

use super::Headers;

/// A route's conditions; all must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteMatch {
    /// The condition on the path.
    pub path: PathMatch,
    /// Whether the path is compared with case.
    pub case_sensitive: bool,
    /// The conditions on headers.
    pub headers: Vec<HeaderMatch>,
}

/// A condition on the path without its query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathMatch {
    /// It begins with this.
    Prefix(String),
    /// It is this.
    Exact(String),
}

/// A condition on one header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderMatch {
    /// The lower-case name.
    pub name: String,
    /// What must hold for its value.
    pub matcher: HeaderMatcher,
    /// Turns the answer around (`invert_match`).
    pub invert: bool,
    /// An absent header is compared as an empty one (`treat_missing_header_as_empty`).
    pub missing_as_empty: bool,
}

/// What must hold for a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderMatcher {
    /// It is there, or with `false`: it is not.
    Present(bool),
    /// Its value compares so.
    Text {
        /// How.
        text: TextMatch,
        /// Without regard to case.
        ignore_case: bool,
    },
}

/// A comparison of texts (`StringMatcher`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextMatch {
    /// Equal.
    Exact(String),
    /// Begins with.
    Prefix(String),
    /// Ends with.
    Suffix(String),
    /// Contains.
    Contains(String),
}

impl RouteMatch {
    /// Whether a request meets all conditions.
    #[must_use]
    pub fn matches<H: Headers>(&self, headers: &H) -> bool {
        let path = headers.first(":path").unwrap_or_default();
        self.path.matches(without_query(path), self.case_sensitive)
            && self.headers.iter().all(|header| header.matches(headers))
    }
}

impl PathMatch {
    fn matches(&self, path: &[u8], case_sensitive: bool) -> bool {
        match self {
            Self::Prefix(prefix) => starts_with(path, prefix.as_bytes(), !case_sensitive),
            Self::Exact(exact) => equal(path, exact.as_bytes(), !case_sensitive),
        }
    }
}

impl HeaderMatch {
    fn matches<H: Headers>(&self, headers: &H) -> bool {
        let value = joined(headers, &self.name);
        let value = match value {
            None if self.missing_as_empty => Some(Vec::new()),
            value => value,
        };
        match (&self.matcher, value) {
            (HeaderMatcher::Present(present), value) => {
                (value.is_some() == *present) != self.invert
            }
            (HeaderMatcher::Text { text, ignore_case }, Some(value)) => {
                text.matches(&value, *ignore_case) != self.invert
            }
            // Envoy: a comparison with an absent header fails, and inverted it holds.
            (HeaderMatcher::Text { .. }, None) => self.invert,
        }
    }
}

impl TextMatch {
    fn matches(&self, value: &[u8], ignore_case: bool) -> bool {
        match self {
            Self::Exact(text) => equal(value, text.as_bytes(), ignore_case),
            Self::Prefix(text) => starts_with(value, text.as_bytes(), ignore_case),
            Self::Suffix(text) => value
                .len()
                .checked_sub(text.len())
                .and_then(|start| value.get(start..))
                .is_some_and(|end| equal(end, text.as_bytes(), ignore_case)),
            Self::Contains(text) => {
                text.is_empty()
                    || value
                        .windows(text.len())
                        .any(|part| equal(part, text.as_bytes(), ignore_case))
            }
        }
    }
}

/// Several headers of a name are compared as one, joined by commas.
fn joined<H: Headers>(headers: &H, name: &str) -> Option<Vec<u8>> {
    let mut values = headers.values(name);
    let mut all = values.next()?.to_vec();
    for value in values {
        all.push(b',');
        all.extend_from_slice(value);
    }
    Some(all)
}

fn without_query(path: &[u8]) -> &[u8] {
    path.split(|&byte| byte == b'?' || byte == b'#')
        .next()
        .unwrap_or_default()
}

fn starts_with(text: &[u8], prefix: &[u8], ignore_case: bool) -> bool {
    text.get(..prefix.len())
        .is_some_and(|start| equal(start, prefix, ignore_case))
}

fn equal(a: &[u8], b: &[u8], ignore_case: bool) -> bool {
    if ignore_case {
        a.eq_ignore_ascii_case(b)
    } else {
        a == b
    }
}
