//! The connection of a request: addresses and filter state.

use core::{fmt, net::IpAddr};

use crate::hash::xxh64_parts;

/// The connection of a request. Addresses have Envoy's text form, `10.0.0.1:80` or `[::1]:80`; an
/// empty text is unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Connection<'a> {
    /// The downstream remote address: the client's end.
    pub remote: &'a str,
    /// The downstream local address: the proxy's end.
    pub local: &'a str,
    /// Whether a listener filter restored `local`: it is the original destination.
    pub restored: bool,
    /// The client address from a header, which the connection manager found. It replaces `remote` everywhere
    /// except in generated cookies.
    pub client: Option<IpAddr>,
    /// Hashable filter state objects: their keys and hashes.
    pub filter_state: &'a [(&'a str, u64)],
    /// Whether the port of `remote` is not known: the hash of a generated cookie is random then.
    pub any_port: bool,
    /// The filter that asks for a host.
    pub proxy: ProxyFilter,
}

/// The filter that asks a cluster for a host. It decides what a load balancer knows of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ProxyFilter {
    /// `http_connection_manager`: headers, the connection and the number of the attempt.
    #[default]
    Http,
    /// `tcp_proxy`: the connection.
    Tcp,
    /// `udp_proxy`: the hash of a session.
    Udp,
    /// `redis_proxy`: the hash of a key.
    Redis,
}

impl ProxyFilter {
    /// Whether it balances HTTP requests: only these are dropped (`drop_overloads`), and only their attempts
    /// have a number, without which a composite cluster has no host.
    pub(crate) const fn is_http(self) -> bool {
        matches!(self, Self::Http)
    }
}

impl Connection<'_> {
    /// What a load balancer knows of the connection, for its policy's own hash policies
    /// (`ConsistentHashingLbConfig.hash_policy`): an aggregate cluster passes on none, and neither do proxies
    /// for UDP and Redis.
    #[must_use]
    pub fn passed_on(self, in_aggregate: bool) -> Self {
        match self.proxy {
            ProxyFilter::Http | ProxyFilter::Tcp if !in_aggregate => self,
            // Like a key: without addresses, and without a cookie for them.
            _ => Self {
                proxy: ProxyFilter::Redis,
                ..Self::default()
            },
        }
    }

    /// The value of a cookie that Envoy generates: 16 hexadecimal digits of the hash of both
    /// addresses. All requests on one connection get the same value.
    pub(super) fn cookie_value(&self) -> [u8; 16] {
        let hash = xxh64_parts(&[self.remote.as_bytes(), self.local.as_bytes()]);
        let mut text = [0; 16];
        for (digit, shift) in text.iter_mut().rev().zip((0..64).step_by(4)) {
            // A digit is below 16.
            let value = (hash >> shift) as u8 & 15;
            *digit = value + if value < 10 { b'0' } else { b'a' - 10 };
        }
        text
    }

    /// Calls `use_it` with the client address as text, without port.
    pub(super) fn with_source<T>(&self, use_it: impl FnOnce(&[u8]) -> T) -> Option<T> {
        if let Some(client) = self.client {
            let mut text = AddressText::default();
            fmt::write(&mut text, format_args!("{client}")).ok()?;
            return text.bytes.get(..text.len).map(use_it);
        }
        let (address, _) = self.remote.rsplit_once(':')?;
        let address = address.strip_prefix('[').unwrap_or(address);
        let address = address.strip_suffix(']').unwrap_or(address);
        (!address.is_empty()).then(|| use_it(address.as_bytes()))
    }
}

/// A buffer for the longest address, so that no memory is allocated.
struct AddressText {
    bytes: [u8; 48],
    len: usize,
}

impl Default for AddressText {
    fn default() -> Self {
        Self {
            bytes: [0; 48],
            len: 0,
        }
    }
}

impl fmt::Write for AddressText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len.saturating_add(text.len());
        let room = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    fn source(connection: Connection<'_>) -> Option<String> {
        connection.with_source(|text| String::from_utf8_lossy(text).into())
    }

    #[test]
    fn the_source_is_the_address_without_port() {
        for (remote, expected) in [
            ("127.0.0.1:40000", Some("127.0.0.1")),
            ("[2001:db8::1]:40000", Some("2001:db8::1")),
            ("", None),
        ] {
            let connection = Connection {
                remote,
                ..Connection::default()
            };
            assert_eq!(source(connection).as_deref(), expected, "{remote}");
        }
    }
}
