//! The request hash of a route's hash policies (`RouteAction.hash_policy`).
//!
//! Each policy hashes its value with XXH64, seed 0. The hashes are combined in order: `hash =
//! rotate_left(hash, 1) ^ new`, starting with 0. Policies without a value are skipped. After a
//! terminal policy no further policy applies if there is a hash. Without any hash, hash policies
//! choose a host at random.

use alloc::{string::String, vec::Vec};

use super::{
    Connection, Headers, RegexRewrite,
    cookie::{cookie, query_parameter},
};
use crate::hash::xxh64;

/// One hash policy (`RouteAction.HashPolicy`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashPolicy {
    /// The hashed value.
    pub source: HashSource,
    /// Whether no further policy applies once there is a hash (`HashPolicy.terminal`).
    pub terminal: bool,
}

/// The value that a policy hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HashSource {
    /// All values of a header, sorted (`header`). An empty header has a hash, a missing one does
    /// not.
    Header {
        /// The lower-case name. `:path` includes the query.
        name: String,
        /// A rewrite of each value before hashing (`regex_rewrite`).
        rewrite: Option<RegexRewrite>,
    },
    /// The value of a cookie, which Envoy may generate (`cookie`).
    Cookie(CookieSource),
    /// The first value of a query parameter, without percent-decoding (`query_parameter`).
    QueryParameter {
        /// The case-sensitive name.
        name: String,
    },
    /// The client address without port (`connection_properties.source_ip`).
    SourceIp,
    /// The hash of a filter state object (`filter_state`).
    FilterState {
        /// The key of the object.
        key: String,
    },
    /// The same text for all (`UdpProxyConfig.HashPolicy.key`).
    Constant {
        /// The text.
        text: String,
    },
}

/// The cookie of a hash policy (`RouteAction.HashPolicy.Cookie`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CookieSource {
    /// The case-sensitive name.
    pub name: String,
    /// The lifetime of a generated cookie in seconds; 0 for a session cookie without `Max-Age`.
    /// `None`: Envoy generates no cookie.
    pub ttl: Option<u64>,
    /// The `Path` attribute of a generated cookie; may be empty.
    pub path: String,
    /// Further attributes of a generated cookie; a value may be empty.
    pub attributes: Vec<(String, String)>,
}

/// The request hash; `None` if no policy yields one, or a generated cookie decides whose value is random
/// ([`Connection::any_port`]).
///
/// # Examples
/// ```
/// use spillgate_core::route::{Connection, HashPolicy, HashSource, HeaderList, request_hash};
///
/// let source = HashSource::Header { name: "x-user".into(), rewrite: None };
/// let policies = [HashPolicy { source, terminal: false }];
/// let hash = |user| {
///     let headers = HeaderList(&[(user, "ann")]);
///     request_hash(&policies, &headers, &Connection::default())
/// };
/// assert_eq!(hash("x-user"), Some(spillgate_core::hash::xxh64(b"ann", 0)));
/// assert_eq!(hash("x-other"), None);
/// ```
#[must_use]
pub fn request_hash<H: Headers>(
    policies: &[HashPolicy],
    headers: &H,
    connection: &Connection<'_>,
) -> Option<u64> {
    let mut is_random = false;
    let hash = combined(policies, headers, connection, |_| {
        is_random = connection.any_port;
        true
    });
    hash.filter(|_| !is_random)
}

/// Combines the hashes of the policies. `generate` returns whether a missing cookie is generated.
pub(crate) fn combined<'p, H: Headers>(
    policies: &'p [HashPolicy],
    headers: &H,
    connection: &Connection<'_>,
    mut generate: impl FnMut(&'p CookieSource) -> bool,
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
    pub(super) fn hash<'p, H: Headers>(
        &'p self,
        headers: &H,
        connection: &Connection<'_>,
        generate: &mut impl FnMut(&'p CookieSource) -> bool,
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
            Self::Constant { text } => Some(xxh64(text.as_bytes(), 0)),
        }
    }
}

/// Not inlined, so that the common case, hashing a header, stays short.
#[inline(never)]
fn cookie_hash<'p, H: Headers>(
    source: &'p CookieSource,
    headers: &H,
    connection: &Connection<'_>,
    generate: &mut impl FnMut(&'p CookieSource) -> bool,
) -> Option<u64> {
    match cookie(headers, &source.name) {
        Some(value) if !value.is_empty() => Some(xxh64(value, 0)),
        _ if source.ttl.is_some() && connection.proxy.is_http() && generate(source) => {
            Some(xxh64(&connection.cookie_value(), 0))
        }
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
        // The common case, one value, needs no list.
        None => Some(xxh64(first, 0)),
        Some(second) => Some(chained([first, second].into_iter().chain(values))),
    }
}

#[inline(never)]
fn rewritten_hash<'v>(values: impl Iterator<Item = &'v [u8]>, rewrite: &RegexRewrite) -> u64 {
    let rewritten: Vec<Vec<u8>> = values.map(|value| rewrite.replace_all(value)).collect();
    chained(rewritten.iter().map(Vec::as_slice))
}

/// Hashes each value with the hash so far as the seed. Sorting makes the order of the values
/// irrelevant.
#[inline(never)]
fn chained<'v>(values: impl Iterator<Item = &'v [u8]>) -> u64 {
    // Envoy accepts 100 headers by default, so insertion sort is cheap enough.
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
        // The terminal policy itself may yield no hash.
        assert!(without_c(&[("x-a", "1")]));
        assert!(!without_c(&[]));
    }

    #[test]
    fn a_filter_state_object_provides_its_own_hash() {
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
    fn a_generated_cookie_of_any_connection_leaves_the_hash_to_chance() {
        let source = CookieSource {
            name: "u".into(),
            ttl: Some(0),
            ..CookieSource::default()
        };
        let policies = [header("x-a"), policy(HashSource::Cookie(source))];
        let of = |headers: &[(&str, &str)], any_port| {
            let connection = Connection {
                any_port,
                ..Connection::default()
            };
            request_hash(&policies, &HeaderList(headers), &connection)
        };
        assert_eq!(of(&[("x-a", "1")], true), None);
        let kept = [("x-a", "1"), ("cookie", "u=1")];
        assert_eq!(of(&kept, true), of(&kept, false));
        assert_ne!(of(&kept, true), None);
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
