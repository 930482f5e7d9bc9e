//! The hash of a request (`RouteAction.hash_policy`).

use alloc::{string::String, vec::Vec};

use super::{
    Connection, Headers, RegexRewrite,
    cookie::{cookie, query_parameter},
};
use crate::hash::xxh64;

/// One policy of a route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashPolicy {
    /// What is hashed.
    pub source: HashSource,
    /// No further policy is looked at once there is a hash (`HashPolicy.terminal`).
    pub terminal: bool,
}

/// What a policy hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HashSource {
    /// All values of a header, sorted; a header without a value counts, an absent one does not.
    Header {
        /// The lower-case name; `:path` includes the query.
        name: String,
        /// Changes each value before it is hashed (`regex_rewrite`).
        rewrite: Option<RegexRewrite>,
    },
    /// The value of a cookie, which Envoy makes up where it may.
    Cookie(CookieSource),
    /// The first value of a query parameter, as it stands in the path.
    QueryParameter {
        /// Its name; case counts.
        name: String,
    },
    /// The client's address (`connection_properties.source_ip`).
    SourceIp,
    /// The hash of an object of the filter state.
    FilterState {
        /// Its key.
        key: String,
    },
}

/// A cookie that is hashed (`RouteAction.HashPolicy.Cookie`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CookieSource {
    /// Its name; case counts.
    pub name: String,
    /// The life of a cookie that Envoy makes up, in seconds, 0 for the browser's session.
    /// `None`: none is made up.
    pub ttl: Option<u64>,
    /// Its path; may be empty.
    pub path: String,
    /// Its further attributes; a value may be empty.
    pub attributes: Vec<(String, String)>,
}

/// The hash of a request, or `None` when no policy yields one.
#[must_use]
pub fn request_hash<H: Headers>(
    policies: &[HashPolicy],
    headers: &H,
    connection: &Connection<'_>,
) -> Option<u64> {
    combined(policies, headers, connection, |_| true)
}

/// Combines what the policies yield. `generate` is asked before a cookie is made up.
pub(crate) fn combined<H: Headers>(
    policies: &[HashPolicy],
    headers: &H,
    connection: &Connection<'_>,
    mut generate: impl FnMut(&CookieSource) -> bool,
) -> Option<u64> {
    let mut hash: Option<u64> = None;
    for policy in policies {
        if let Some(new) = policy.source.hash(headers, connection, &mut generate) {
            hash = Some(hash.unwrap_or(0).rotate_left(1) ^ new);
        }
        if policy.terminal && hash.is_some() {
            break;
        }
    }
    hash
}

impl HashSource {
    fn hash<H: Headers>(
        &self,
        headers: &H,
        connection: &Connection<'_>,
        generate: &mut impl FnMut(&CookieSource) -> bool,
    ) -> Option<u64> {
        match self {
            Self::Header { name, rewrite } => header_hash(headers, name, rewrite.as_ref()),
            Self::Cookie(source) => cookie_hash(source, headers, connection, generate),
            Self::QueryParameter { name } => {
                let path = headers.first(":path")?;
                query_parameter(path, name).map(|value| xxh64(value, 0))
            }
            Self::SourceIp => connection.with_source(|text| xxh64(text, 0)),
            Self::FilterState { key } => {
                let mut objects = connection.filter_state.iter();
                objects.find(|(have, _)| have == key).map(|(_, hash)| *hash)
            }
        }
    }
}

/// Not inlined: hashing a header, the usual case, stays a few instructions.
#[inline(never)]
fn cookie_hash<H: Headers>(
    source: &CookieSource,
    headers: &H,
    connection: &Connection<'_>,
    generate: &mut impl FnMut(&CookieSource) -> bool,
) -> Option<u64> {
    match cookie(headers, &source.name) {
        Some(value) if !value.is_empty() => Some(xxh64(value, 0)),
        _ if source.ttl.is_some() && generate(source) => Some(xxh64(&connection.cookie_value(), 0)),
        _ => None,
    }
}

fn header_hash<H: Headers>(headers: &H, name: &str, rewrite: Option<&RegexRewrite>) -> Option<u64> {
    let mut values = headers.values(name);
    let first = values.next()?;
    if let Some(rewrite) = rewrite {
        return Some(rewritten_hash(
            core::iter::once(first).chain(values),
            rewrite,
        ));
    }
    match values.next() {
        // The usual case needs no list.
        None => Some(xxh64(first, 0)),
        Some(second) => Some(chained([first, second].into_iter().chain(values))),
    }
}

#[inline(never)]
fn rewritten_hash<'v>(values: impl Iterator<Item = &'v [u8]>, rewrite: &RegexRewrite) -> u64 {
    let rewritten: Vec<Vec<u8>> = values.map(|value| rewrite.replace_all(value)).collect();
    chained(rewritten.iter().map(Vec::as_slice))
}

/// Each value is hashed with the hash so far as seed; sorting makes their order irrelevant.
#[inline(never)]
fn chained<'v>(values: impl Iterator<Item = &'v [u8]>) -> u64 {
    // Envoy accepts a hundred headers by default, so inserting in place is cheap enough.
    let mut sorted: Vec<&[u8]> = Vec::new();
    for value in values {
        let at = sorted.partition_point(|have| *have < value);
        sorted.insert(at, value);
    }
    sorted.iter().fold(0, |seed, value| xxh64(value, seed))
}

#[cfg(test)]
mod tests {
    use super::super::HeaderList;
    use super::*;

    fn policy(source: HashSource) -> HashPolicy {
        HashPolicy {
            source,
            terminal: false,
        }
    }

    fn header(name: &str) -> HashPolicy {
        policy(HashSource::Header {
            name: name.into(),
            rewrite: None,
        })
    }

    fn hash(policies: &[HashPolicy], headers: &[(&str, &str)]) -> Option<u64> {
        request_hash(policies, &HeaderList(headers), &Connection::default())
    }

    #[test]
    fn the_order_of_repeated_headers_does_not_matter() {
        let policies = [header("x-a")];
        assert_eq!(
            hash(&policies, &[("x-a", "1"), ("x-a", "2")]),
            hash(&policies, &[("x-a", "2"), ("x-a", "1")])
        );
        assert_ne!(
            hash(&policies, &[("x-a", "1"), ("x-a", "2")]),
            hash(&policies, &[("x-a", "1,2")])
        );
    }

    #[test]
    fn names_match_in_any_case() {
        assert!(hash(&[header("x-a")], &[("X-A", "1")]).is_some());
    }

    #[test]
    fn a_terminal_policy_ends_the_list_once_there_is_a_hash() {
        let mut policies = [header("x-a"), header("x-b"), header("x-c")];
        policies[1].terminal = true;
        let c = ("x-c", "3");
        let without_c = |headers: &[(&str, &str)]| {
            let with_c: Vec<_> = headers.iter().copied().chain([c]).collect();
            hash(&policies, headers) == hash(&policies, &with_c)
        };
        assert!(without_c(&[("x-b", "2")]));
        // The terminal policy itself need not yield one.
        assert!(without_c(&[("x-a", "1")]));
        assert!(!without_c(&[]));
    }

    #[test]
    fn the_filter_state_gives_its_own_hash() {
        let policies = [policy(HashSource::FilterState { key: "k".into() })];
        let of = |filter_state| {
            let connection = Connection {
                filter_state,
                ..Connection::default()
            };
            request_hash(&policies, &HeaderList::<&str, &str>(&[]), &connection)
        };
        assert_eq!(of(&[("j", 1), ("k", 2)]), Some(2));
        assert_eq!(of(&[("j", 1)]), None);
    }

    #[test]
    fn a_cookie_without_a_value_counts_as_missing() {
        let mut source = CookieSource {
            name: "u".into(),
            ..CookieSource::default()
        };
        let of = |source: &CookieSource, headers: &[(&str, &str)]| {
            hash(&[policy(HashSource::Cookie(source.clone()))], headers)
        };
        assert_eq!(of(&source, &[("cookie", "u=\"\"")]), None);
        source.ttl = Some(0);
        assert_eq!(of(&source, &[("cookie", "u=")]), of(&source, &[]));
        assert_ne!(of(&source, &[]), None);
    }
}
