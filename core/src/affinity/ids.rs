//! What a token calls hosts, clusters, scopes and subsets: hashes under a key of their own.
//!
//! Without the key nobody learns a name from its hash, nor which name has a given hash. `SipHash`
//! is quick enough to know ten thousand hosts by their hashes whenever they change.

use core::{fmt, hash::Hasher as _};

use siphasher::sip128::{Hasher128 as _, SipHasher24};

use super::TokenKey;

/// A host of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostId(pub(super) u128);

/// A cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenClusterId(pub(super) u64);

/// Where a token may be used: an authority, or a name that several share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(pub(super) u64);

/// The criteria of the subset that a session lives in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubsetId(pub(super) u64);

impl fmt::Display for HostId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl TokenKey {
    /// The host of that address (`ip:port`, as the configuration has it) in that cluster.
    #[must_use]
    pub fn host_id(&self, cluster: &str, address: &str) -> HostId {
        HostId(self.hashed(b'h', &[cluster.as_bytes(), address.as_bytes()]))
    }

    /// The cluster of that name.
    #[must_use]
    pub fn cluster_id(&self, name: &str) -> TokenClusterId {
        TokenClusterId(half(self.hashed(b'c', &[name.as_bytes()])))
    }

    /// The scope of that name; the letters of an authority must be small ones already.
    #[must_use]
    pub fn scope_id(&self, scope: &str) -> ScopeId {
        ScopeId(half(self.hashed(b's', &[scope.as_bytes()])))
    }

    /// The subset whose criteria these bytes write down, always in one way.
    #[must_use]
    pub fn subset_id(&self, criteria: &[u8]) -> SubsetId {
        SubsetId(half(self.hashed(b'u', &[criteria])))
    }

    /// The number of the session of a client that is known by a hash, which it may have chosen
    /// itself: it cannot foresee the number, and so not where its session goes.
    #[must_use]
    pub fn session_id(&self, hash: u64) -> u64 {
        half(self.hashed(b'k', &[&hash.to_le_bytes()]))
    }

    /// The kind keeps names of different kinds apart, the lengths where one name ends.
    pub(super) fn hashed(&self, kind: u8, parts: &[&[u8]]) -> u128 {
        let mut hasher = SipHasher24::new_with_key(&self.ids);
        hasher.write(&[kind]);
        for part in parts {
            hasher.write(&(part.len() as u64).to_le_bytes());
            hasher.write(part);
        }
        hasher.finish128().as_u128()
    }
}

/// A truncation: any half of a keyed hash is one.
const fn half(hash: u128) -> u64 {
    hash as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_kinds_and_keys_are_apart() {
        let key = TokenKey::new(1, b"0123456789abcdef0123456789abcdeF").unwrap();
        let other = TokenKey::new(1, b"0123456789abcdef0123456789abcdeG").unwrap();
        assert_eq!(key.host_id("c", "a:1"), key.host_id("c", "a:1"));
        assert_ne!(key.host_id("c", "a:1"), other.host_id("c", "a:1"));
        assert_ne!(key.host_id("c", "a:1"), key.host_id("ca", ":1"));
        let (cluster, scope) = (key.cluster_id("x").0, key.scope_id("x").0);
        assert_ne!(cluster, scope);
        assert_ne!(scope, key.subset_id(b"x").0);
    }
}
