//! The routes of a Redis proxy (`envoy.extensions.filters.network.redis_proxy.v3.RedisProxy`).

use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::hash::murmur2_64;

/// From a Redis key to a cluster and the hash for its load balancer.
///
/// # Examples
/// ```
/// use spillgate_core::route::{RedisRoute, RedisRoutes};
///
/// let routes = RedisRoutes {
///     catch_all: Some(RedisRoute { cluster: "cache".into(), ..RedisRoute::default() }),
///     hash_tags: true,
///     ..RedisRoutes::default()
/// };
/// let hash = |key: &str| routes.target(key.as_bytes()).unwrap().hash;
/// assert_eq!(hash("{user:1}:cart"), hash("user:1"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RedisRoutes {
    /// The routes by prefix; the longest matching one applies (`prefix_routes.routes`).
    pub prefixes: Vec<RedisRoute>,
    /// The route of all other keys (`prefix_routes.catch_all_route`). Its prefix is empty.
    pub catch_all: Option<RedisRoute>,
    /// Whether prefixes match in any case (`prefix_routes.case_insensitive`).
    pub case_insensitive: bool,
    /// Whether only the part in the first braces is hashed (`settings.enable_hashtagging`).
    pub hash_tags: bool,
}

/// One route (`RedisProxy.PrefixRoutes.Route`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RedisRoute {
    /// The beginning of the keys.
    pub prefix: String,
    /// Whether the prefix is removed before the key is hashed (`remove_prefix`).
    pub remove_prefix: bool,
    /// The new key, with `%KEY%` for the key so far (`key_formatter`).
    pub key_formatter: Option<String>,
    /// The cluster.
    pub cluster: String,
}

/// The cluster of a key, and the hash for its load balancer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedisTarget<'r> {
    /// The cluster.
    pub cluster: &'r str,
    /// The part of the key that is hashed.
    pub hashed: Vec<u8>,
    /// MurmurHash2 of that part.
    pub hash: u64,
}

impl RedisRoutes {
    /// The clusters that keys can reach.
    pub fn clusters(&self) -> impl Iterator<Item = &str> {
        let routes = self.prefixes.iter().chain(&self.catch_all);
        routes.map(|route| route.cluster.as_str())
    }

    /// The target of a key; `None` if no route has it.
    #[must_use]
    pub fn target(&self, key: &[u8]) -> Option<RedisTarget<'_>> {
        let starts = |route: &&RedisRoute| {
            let start = key.get(..route.prefix.len()).unwrap_or_default();
            if self.case_insensitive {
                start.eq_ignore_ascii_case(route.prefix.as_bytes())
            } else {
                start == route.prefix.as_bytes()
            }
        };
        let found = self
            .prefixes
            .iter()
            .filter(starts)
            .max_by_key(|route| route.prefix.len());
        let route = found.or(self.catch_all.as_ref())?;
        let rest = if route.remove_prefix {
            key.get(route.prefix.len()..).unwrap_or_default()
        } else {
            key
        };
        let sent = match &route.key_formatter {
            Some(format) => Cow::Owned(formatted(format, rest)),
            None => Cow::Borrowed(rest),
        };
        let hashed = if self.hash_tags {
            hash_tag(&sent)
        } else {
            &sent
        };
        Some(RedisTarget {
            cluster: &route.cluster,
            hash: murmur2_64(hashed),
            hashed: hashed.to_vec(),
        })
    }
}

/// The key in a format.
fn formatted(format: &str, key: &[u8]) -> Vec<u8> {
    let mut parts = format.split("%KEY%").map(str::as_bytes);
    let mut text = parts.next().unwrap_or_default().to_vec();
    for part in parts {
        text.extend_from_slice(key);
        text.extend_from_slice(part);
    }
    text
}

/// The text between the first `{` and the next `}`, unless it is empty.
fn hash_tag(key: &[u8]) -> &[u8] {
    let tag = || {
        let (_, rest) = split_at_byte(key, b'{')?;
        let (tag, _) = split_at_byte(rest, b'}')?;
        (!tag.is_empty()).then_some(tag)
    };
    tag().unwrap_or(key)
}

fn split_at_byte(text: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|&have| have == byte)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn only_the_first_tag_counts() {
        for (key, hashed) in [
            ("{a}b", "a"),
            ("x{a}{b}", "a"),
            ("{}a{b}", "{}a{b}"),
            ("{a", "{a"),
            ("a}b{c}", "c"),
            ("{{a}}", "{a"),
        ] {
            assert_eq!(hash_tag(key.as_bytes()), hashed.as_bytes(), "{key}");
        }
    }

    #[test]
    fn the_longest_prefix_applies_and_can_be_removed() {
        let route = |prefix: &str, remove_prefix, cluster: &str| RedisRoute {
            prefix: prefix.into(),
            remove_prefix,
            cluster: cluster.into(),
            ..RedisRoute::default()
        };
        let mut routes = RedisRoutes {
            prefixes: vec![route("a", false, "a"), route("ab:", true, "ab")],
            ..RedisRoutes::default()
        };
        let target = |routes: &RedisRoutes, key: &str| {
            let found = routes.target(key.as_bytes())?;
            let hashed = String::from_utf8(found.hashed).unwrap();
            Some((String::from(found.cluster), hashed))
        };
        let expected = |cluster: &str, key: &str| Some((cluster.into(), key.into()));
        assert_eq!(target(&routes, "ab:c"), expected("ab", "c"));
        assert_eq!(target(&routes, "ab"), expected("a", "ab"));
        assert_eq!(target(&routes, "AB:c"), None);
        routes.case_insensitive = true;
        assert_eq!(target(&routes, "AB:c"), expected("ab", "c"));
        routes.prefixes[1].key_formatter = Some("{%KEY%}:x".into());
        assert_eq!(target(&routes, "ab:c"), expected("ab", "{c}:x"));
    }
}
