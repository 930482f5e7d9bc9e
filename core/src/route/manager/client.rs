//! The client's address: the connection's, or one in a header.

use alloc::{string::String, vec::Vec};
use core::{
    net::{IpAddr, SocketAddr},
    str::FromStr,
};

use super::{ChangedHeaders, Connection, Headers};
use crate::route::AddressRange;

/// The header with the addresses of client and proxies.
pub(super) const FORWARDED_FOR: &str = "x-forwarded-for";

/// Where the client's address comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientAddress {
    /// The connection, which this proxy is the first to see (`use_remote_address`).
    Connection {
        /// How many proxies before this one are trusted (`xff_num_trusted_hops`).
        trusted_hops: u32,
        /// Whether its address is appended to `x-forwarded-for` (not `skip_xff_append`).
        append: bool,
    },
    /// The first of these that finds one (`original_ip_detection_extensions`), else the connection.
    Headers(Vec<AddressDetection>),
}

/// How an address is found in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressDetection {
    /// The last address in `x-forwarded-for` after some at the end.
    Hops {
        /// How many at the end are skipped (`xff_num_trusted_hops`).
        skip: u32,
        /// Whether the connection's address is appended (`skip_xff_append: false`).
        append: bool,
    },
    /// The last address in `x-forwarded-for` that is in none of these ranges
    /// (`xff_trusted_cidrs`); the connection's must be in one.
    Trusted {
        /// The ranges.
        ranges: Vec<AddressRange>,
        /// Whether the connection's address is appended (`skip_xff_append: false`).
        append: bool,
    },
    /// The address in another header (`custom_header`).
    Header {
        /// The lower-case name.
        name: String,
        /// Whether the address can make a request internal
        /// (`allow_extension_to_set_address_as_trusted`).
        trusted: bool,
        /// The status for requests without an address (`reject_with_status`).
        refuse: Option<u16>,
    },
}

/// What is known about the client.
pub(super) struct Client {
    /// The address, if one was found.
    pub(super) address: Option<IpAddr>,
    /// Whether it may be compared with internal addresses.
    pub(super) may_be_internal: bool,
    /// Whether the connection's address is appended to `x-forwarded-for`.
    pub(super) append: bool,
    /// The status of a refused request.
    pub(super) refused: Option<u16>,
}

impl Default for ClientAddress {
    fn default() -> Self {
        Self::forwarded(0)
    }
}

impl ClientAddress {
    /// The default of a proxy behind others: `x-forwarded-for` without its last `skip` addresses.
    #[must_use]
    pub fn forwarded(skip: u32) -> Self {
        let append = false;
        Self::Headers(Vec::from([AddressDetection::Hops { skip, append }]))
    }

    /// Whether this proxy is the first to see requests.
    pub(super) const fn is_connection(&self) -> bool {
        matches!(self, Self::Connection { .. })
    }

    /// Whether no proxy before this one may have set `x-forwarded-proto` or `x-forwarded-port`.
    pub(super) const fn untrusted(&self) -> bool {
        matches!(
            self,
            Self::Connection {
                trusted_hops: 0,
                ..
            }
        )
    }

    pub(super) fn find<H: Headers>(
        &self,
        headers: &ChangedHeaders<'_, H>,
        connection: &Connection<'_>,
    ) -> Client {
        match self {
            Self::Connection {
                trusted_hops,
                append,
            } => {
                let skip = trusted_hops.checked_sub(1);
                let before = skip.and_then(|skip| forwarded(headers, skip));
                Client {
                    address: before.or_else(|| ip_of(connection.remote)),
                    may_be_internal: !headers.has(FORWARDED_FOR),
                    append: *append,
                    refused: None,
                }
            }
            Self::Headers(detections) => {
                let mut client = Client {
                    address: None,
                    may_be_internal: false,
                    append: false,
                    refused: None,
                };
                for detection in detections {
                    let found = detection.find(headers, connection);
                    client.append |= found.append;
                    if found.address.is_some() || found.refused.is_some() {
                        let append = client.append;
                        return Client { append, ..found };
                    }
                }
                client
            }
        }
    }
}

impl AddressDetection {
    fn find<H: Headers>(
        &self,
        headers: &ChangedHeaders<'_, H>,
        connection: &Connection<'_>,
    ) -> Client {
        let found = |address, may_be_internal, append| Client {
            address,
            may_be_internal,
            append,
            refused: None,
        };
        match self {
            Self::Hops { skip, append } => {
                let single = *skip == 0 && elements(headers).nth(1).is_none();
                found(forwarded(headers, *skip), single, *append)
            }
            Self::Trusted { ranges, append } => {
                let is_trusted =
                    |address: IpAddr| ranges.iter().any(|range| range.contains(address));
                if !ip_of(connection.remote).is_some_and(is_trusted) {
                    return found(None, false, true);
                }
                let single = elements(headers).nth(1).is_none();
                found(untrusted(headers, is_trusted), single, *append)
            }
            Self::Header {
                name,
                trusted,
                refuse,
            } => {
                let address = headers.first(name).and_then(parse);
                Client {
                    refused: refuse.filter(|_| address.is_none()),
                    ..found(address, *trusted, false)
                }
            }
        }
    }
}

/// The address without port of a connection's end.
pub(super) fn ip_of(address: &str) -> Option<IpAddr> {
    let address: SocketAddr = address.parse().ok()?;
    Some(address.ip())
}

fn parse(text: &[u8]) -> Option<IpAddr> {
    let text = core::str::from_utf8(text).ok()?;
    IpAddr::from_str(text.trim_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c'])).ok()
}

/// The elements of `x-forwarded-for`.
fn elements<'h, H: Headers>(
    headers: &'h ChangedHeaders<'_, H>,
) -> impl Iterator<Item = &'h [u8]> + 'h {
    let values = headers.values(FORWARDED_FOR);
    values.flat_map(|value| value.split(|&byte| byte == b','))
}

/// The last address after skipping some at the end.
fn forwarded<H: Headers>(headers: &ChangedHeaders<'_, H>, skip: u32) -> Option<IpAddr> {
    let skip = usize::try_from(skip).ok()?;
    let count = elements(headers).count();
    let at = count.checked_sub(skip)?.checked_sub(1)?;
    parse(elements(headers).nth(at)?)
}

/// The last address that is not trusted; the first one if all are.
fn untrusted<H: Headers>(
    headers: &ChangedHeaders<'_, H>,
    is_trusted: impl Fn(IpAddr) -> bool,
) -> Option<IpAddr> {
    let all: Vec<&[u8]> = elements(headers).collect();
    let mut last = None;
    for text in all.iter().rev() {
        let address = parse(text)?;
        if !is_trusted(address) {
            return Some(address);
        }
        last = Some(address);
    }
    last
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString as _, vec};

    use super::super::super::HeaderList;
    use super::*;

    fn found(client: &ClientAddress, forwarded: &str) -> Option<String> {
        let sent = match forwarded {
            "" => vec![],
            text => vec![(FORWARDED_FOR, text)],
        };
        let sent = HeaderList(&sent);
        let connection = Connection {
            remote: "127.0.0.1:40000",
            ..Connection::default()
        };
        let found = client.find(&ChangedHeaders::new(&sent), &connection);
        found.address.map(|address| address.to_string())
    }

    /// Addresses that Envoy 1.40 found for a connection from 127.0.0.1.
    #[test]
    fn addresses_are_those_of_envoy() {
        let own = |trusted_hops| ClientAddress::Connection {
            trusted_hops,
            append: true,
        };
        let trusted = |ranges: &[&str]| {
            let range = |text: &&str| AddressRange {
                address: text.parse().unwrap(),
                length: 8,
            };
            ClientAddress::Headers(vec![AddressDetection::Trusted {
                ranges: ranges.iter().map(range).collect(),
                append: false,
            }])
        };
        let local = "127.0.0.1";
        let both = &["127.0.0.0", "20.0.0.0"][..];
        for (client, forwarded, expected) in [
            (ClientAddress::forwarded(0), "", None),
            (ClientAddress::forwarded(0), "1.2.3.4", Some("1.2.3.4")),
            (ClientAddress::forwarded(0), "1.2.3.4,", None),
            (ClientAddress::forwarded(0), "1.2.3.4:80", None),
            (
                ClientAddress::forwarded(0),
                "10.0.0.1, 20.0.0.2",
                Some("20.0.0.2"),
            ),
            (
                ClientAddress::forwarded(1),
                "10.0.0.1, 20.0.0.2",
                Some("10.0.0.1"),
            ),
            (ClientAddress::forwarded(1), "1.2.3.4", None),
            (own(0), "1.2.3.4", Some(local)),
            (own(1), "1.2.3.4", Some("1.2.3.4")),
            (own(1), "bad", Some(local)),
            (own(2), "1.2.3.4", Some(local)),
            (own(2), "10.0.0.1, 20.0.0.2", Some("10.0.0.1")),
            (
                trusted(both),
                "10.0.0.1,20.0.0.1,20.0.0.2",
                Some("10.0.0.1"),
            ),
            (trusted(both), "10.0.0.1,bad,20.0.0.1", None),
            (trusted(both), "20.0.0.1,20.0.0.3", Some("20.0.0.1")),
            (trusted(both), "9.9.9.9,8.8.8.8", Some("8.8.8.8")),
            (trusted(&["20.0.0.0"]), "10.0.0.1,20.0.0.2", None),
        ] {
            let address = found(&client, forwarded);
            assert_eq!(address.as_deref(), expected, "{client:?} {forwarded}");
        }
    }
}
