//! The connection of a request: addresses and filter state.

use core::{fmt, net::IpAddr, str::FromStr};

use super::Headers;
use crate::hash::xxh64_parts;

/// The connection of a request. Addresses have Envoy's text form, `10.0.0.1:80` or `[::1]:80`; an
/// empty text is unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Connection<'a> {
    /// The downstream remote address: the client's end.
    pub remote: &'a str,
    /// The downstream local address: the proxy's end.
    pub local: &'a str,
    /// The client address from a header ([`Connection::behind`]). It replaces `remote` everywhere
    /// except in generated cookies.
    pub client: Option<IpAddr>,
    /// Hashable filter state objects: their keys and hashes.
    pub filter_state: &'a [(&'a str, u64)],
}

impl Connection<'_> {
    /// The connection behind trusted proxies that append to `x-forwarded-for`: the client is the
    /// last address after skipping `skip` addresses from the end (`xff_num_trusted_hops`). Without
    /// such an address, the client stays unchanged.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::route::{Connection, HeaderList};
    ///
    /// let connection = Connection { remote: "10.9.9.9:5000", ..Connection::default() };
    /// let headers = HeaderList(&[("x-forwarded-for", "192.0.2.1, 198.51.100.7")]);
    /// let client = |skip| connection.behind(&headers, skip).client.map(|ip| ip.to_string());
    /// assert_eq!(client(0).as_deref(), Some("198.51.100.7"));
    /// assert_eq!(client(1).as_deref(), Some("192.0.2.1"));
    /// assert_eq!(client(2), None);
    /// ```
    #[must_use]
    pub fn behind<H: Headers>(self, headers: &H, skip: u32) -> Self {
        Self {
            client: forwarded_for(headers, skip).or(self.client),
            ..self
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

/// Repeated headers are one list.
fn forwarded_for<H: Headers>(headers: &H, skip: u32) -> Option<IpAddr> {
    let elements = || {
        let values = headers.values("x-forwarded-for");
        values.flat_map(|value| value.split(|&byte| byte == b','))
    };
    let skip = usize::try_from(skip).ok()?;
    let at = elements().count().checked_sub(skip)?.checked_sub(1)?;
    let text = core::str::from_utf8(elements().nth(at)?).ok()?;
    IpAddr::from_str(text.trim_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c'])).ok()
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

    use super::super::HeaderList;
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

    #[test]
    fn forwarded_addresses_are_counted_from_the_end() {
        let connection = Connection {
            remote: "127.0.0.1:1",
            ..Connection::default()
        };
        let seen = |values: &[&str], skip| {
            let headers: alloc::vec::Vec<_> =
                values.iter().map(|v| ("x-forwarded-for", *v)).collect();
            source(connection.behind(&HeaderList(&headers), skip)).unwrap()
        };
        assert_eq!(seen(&["1.2.3.4, 9.9.9.9"], 0), "9.9.9.9");
        assert_eq!(seen(&["1.2.3.4, 9.9.9.9"], 1), "1.2.3.4");
        assert_eq!(seen(&["1.2.3.4", " 2001:DB8::1 "], 0), "2001:db8::1");
        for (values, skip) in [(&["1.2.3.4:80"][..], 0), (&["1.2.3.4"], 1), (&[], 0)] {
            assert_eq!(seen(values, skip), "127.0.0.1");
        }
    }
}
