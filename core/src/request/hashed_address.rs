//! Which addresses of the connection decide the request hash.

use alloc::vec::Vec;

use super::{Connection, CookieSource, HashPolicy, HashSource, Headers};

/// An address of the connection that decides a request hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HashedAddress<'p> {
    /// The client's address, without its port (`connection_properties.source_ip`).
    SourceIp,
    /// Both addresses with their ports, in a cookie that Envoy generates.
    GeneratedCookie(&'p CookieSource),
}

/// The addresses of the connection that decide the request hash, in the order of the policies.
///
/// # Examples
/// ```
/// use spillgate_core::route::{
///     Connection, HashPolicy, HashSource, HashedAddress, HeaderList, hashed_addresses,
/// };
///
/// let policies = [HashPolicy { source: HashSource::SourceIp, terminal: false }];
/// let connection = Connection { remote: "10.0.0.1:4000", ..Connection::default() };
/// let headers = HeaderList::<&str, &str>(&[]);
/// let found = hashed_addresses(&policies, &headers, &connection);
/// assert_eq!(found, [HashedAddress::SourceIp]);
/// ```
#[must_use]
pub fn hashed_addresses<'p, H: Headers>(
    policies: &'p [HashPolicy],
    headers: &H,
    connection: &Connection<'_>,
) -> Vec<HashedAddress<'p>> {
    let mut found = Vec::new();
    let mut has_hash = false;
    for policy in policies {
        let mut address = None;
        let hash = policy.source.hash(headers, connection, &mut |cookie| {
            address = Some(HashedAddress::GeneratedCookie(cookie));
            true
        });
        if hash.is_some() {
            has_hash = true;
            let is_source = policy.source == HashSource::SourceIp;
            found.extend(address.or(is_source.then_some(HashedAddress::SourceIp)));
        }
        if policy.terminal && has_hash {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::HeaderList;
    use super::*;

    fn policy(source: HashSource, terminal: bool) -> HashPolicy {
        HashPolicy { source, terminal }
    }

    #[test]
    fn only_policies_that_yield_a_hash_depend_on_addresses() {
        let cookie = CookieSource {
            name: "sid".into(),
            ttl: Some(0),
            ..CookieSource::default()
        };
        let made = HashedAddress::GeneratedCookie(&cookie);
        let policies = [
            policy(HashSource::Cookie(cookie.clone()), true),
            policy(HashSource::SourceIp, false),
        ];
        let found = |policies, headers: &[(&str, &str)], remote| {
            let connection = Connection {
                remote,
                ..Connection::default()
            };
            let found = hashed_addresses(policies, &HeaderList(headers), &connection);
            found.into_iter().map(|one| one == made).collect::<Vec<_>>()
        };
        let (all, client) = (policies.as_slice(), "10.0.0.1:4000");
        assert_eq!(found(all, &[], client), [true]);
        assert!(found(all, &[("cookie", "sid=1")], client).is_empty());
        assert_eq!(found(&all[1..], &[], client), [false]);
        assert!(found(&all[1..], &[], "").is_empty());
    }
}
