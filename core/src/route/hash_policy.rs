//! The hash of a request (`RouteAction.hash_policy`).

use alloc::{string::String, vec::Vec};

use super::{Headers, Pattern};
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
}

/// Replaces every match of a pattern (`RegexMatchAndSubstitute`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegexRewrite {
    /// What is replaced.
    pub pattern: Pattern,
    /// What stands in its place; `\\1` is the first group.
    pub substitution: String,
}

/// Where a request comes from.
#[derive(Debug, Default, Clone, Copy)]
pub struct Connection<'a> {
    /// The client's address, `ip:port`.
    pub remote: &'a str,
    /// The address that it connected to, `ip:port`.
    pub local: &'a str,
    /// Hashes of filter state objects, by key.
    pub filter_state: &'a [(&'a str, u64)],
}

/// The hash of a request, or `None` when no policy yields one.
#[must_use]
pub fn request_hash<H: Headers>(
    policies: &[HashPolicy],
    headers: &H,
    _: &Connection<'_>,
) -> Option<u64> {
    let mut hash: Option<u64> = None;
    for policy in policies {
        if let Some(new) = policy.source.hash(headers) {
            hash = Some(hash.unwrap_or(0).rotate_left(1) ^ new);
        }
        if policy.terminal && hash.is_some() {
            break;
        }
    }
    hash
}

impl HashSource {
    fn hash<H: Headers>(&self, headers: &H) -> Option<u64> {
        match self {
            Self::Header { name, rewrite } => header_hash(headers, name, rewrite.as_ref()),
        }
    }
}

fn header_hash<H: Headers>(headers: &H, name: &str, rewrite: Option<&RegexRewrite>) -> Option<u64> {
    let mut values = headers.values(name);
    let first = values.next()?;
    if let Some(rewrite) = rewrite {
        let rewritten: Vec<Vec<u8>> = core::iter::once(first)
            .chain(values)
            .map(|value| rewrite.pattern.replace_all(value, &rewrite.substitution))
            .collect();
        return Some(chained(rewritten.iter().map(Vec::as_slice)));
    }
    match values.next() {
        // The usual case needs no list.
        None => Some(xxh64(first, 0)),
        Some(second) => Some(chained([first, second].into_iter().chain(values))),
    }
}

/// Each value is hashed with the hash so far as seed; sorting makes their order irrelevant.
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

    fn header(name: &str) -> HashPolicy {
        HashPolicy {
            source: HashSource::Header {
                name: name.into(),
                rewrite: None,
            },
            terminal: false,
        }
    }

    #[test]
    fn the_order_of_repeated_headers_does_not_matter() {
        let policies = [header("x-a")];
        let hash = |headers: &[(&str, &str)]| {
            request_hash(&policies, &HeaderList(headers), &Connection::default())
        };
        assert_eq!(
            hash(&[("x-a", "1"), ("x-a", "2")]),
            hash(&[("x-a", "2"), ("x-a", "1")])
        );
        assert_ne!(hash(&[("x-a", "1"), ("x-a", "2")]), hash(&[("x-a", "1,2")]));
    }

    #[test]
    fn names_match_in_any_case() {
        let policies = [header("x-a")];
        assert!(
            request_hash(
                &policies,
                &HeaderList(&[("X-A", "1")]),
                &Connection::default()
            )
            .is_some()
        );
    }
}
