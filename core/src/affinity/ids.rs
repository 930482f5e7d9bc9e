//! The ids in a token: keyed hashes of hosts, clusters, scopes and subsets.
//!
//! Without the key, an id does not reveal its name, and the id of a name cannot be computed.
//! `SipHash` is fast enough to hash ten thousand host addresses after each change of the hosts.
//!
//! The ids are SipHash under a key derived from the secret: the filter hashes its known hosts once
//! and looks an id up, so it needs no list of ids and cannot reverse them. A rotation hashes the
//! hosts again. A token is bound to the criteria of its request, so a token of one tenant is not
//! valid for another, even if both may use the host.

use core::{fmt, hash::Hasher as _};

use siphasher::sip128::{Hasher128 as _, SipHasher24};

use super::TokenKey;

/// The id of a host in a cluster, 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostId(pub(super) u128);

/// The id of a cluster, 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenClusterId(pub(super) u64);

/// The id of a token scope, 64 bits: an authority, or a configured name that several authorities
/// share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(pub(super) u64);

/// The id of the subset criteria of a session, 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubsetId(pub(super) u64);

impl fmt::Display for HostId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl TokenKey {
    /// The id of the host with this address (`ip:port`, as configured) in this cluster.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::affinity::TokenKey;
    ///
    /// let key = TokenKey::new(1, b"32 secret bytes of this example!").unwrap();
    /// let id = key.host_id("shop", "10.0.0.1:80");
    /// assert_eq!(id, key.host_id("shop", "10.0.0.1:80"));
    /// assert_ne!(id, key.host_id("blog", "10.0.0.1:80"));
    /// ```
    #[must_use]
    pub fn host_id(&self, cluster: &str, address: &str) -> HostId {
        HostId(self.hashed(b'h', &[cluster.as_bytes(), address.as_bytes()]))
    }

    /// The id of the cluster with this name.
    #[must_use]
    pub fn cluster_id(&self, name: &str) -> TokenClusterId {
        TokenClusterId(half(self.hashed(b'c', &[name.as_bytes()])))
    }

    /// The id of a scope; authorities must be lowercase.
    #[must_use]
    pub fn scope_id(&self, scope: &str) -> ScopeId {
        ScopeId(half(self.hashed(b's', &[scope.as_bytes()])))
    }

    /// The id of subset criteria, in their [canonical bytes](crate::model::Metadata::canonical).
    #[must_use]
    pub fn subset_id(&self, criteria: &[u8]) -> SubsetId {
        SubsetId(half(self.hashed(b'u', &[criteria])))
    }

    /// The session id of a client that is identified by a hash. A client that chooses its own hash
    /// still cannot predict the session id, and thus not its host.
    #[must_use]
    pub fn session_id(&self, hash: u64) -> u64 {
        half(self.hashed(b'k', &[&hash.to_le_bytes()]))
    }

    /// `kind` separates names of different kinds; the lengths separate the parts.
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

/// Truncates: any half of a keyed hash is a keyed hash.
const fn half(hash: u128) -> u64 {
    hash as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ_between_kinds_and_keys() {
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
