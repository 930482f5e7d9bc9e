//! An endpoint's address, parsed from the form that Envoy prints.

use core::net::IpAddr;

use super::super::tree::{Fields, within};

/// A parsed host address.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Address<'a> {
    Socket { host: &'a str, port: u16 },
    Pipe(&'a str),
    Internal { listener: &'a str, id: &'a str },
}

impl<'a> Address<'a> {
    /// `None` for an invalid address.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        if let Some(internal) = text.strip_prefix("envoy://") {
            let (listener, id) = internal.split_once('/')?;
            return (!listener.is_empty()).then_some(Self::Internal { listener, id });
        }
        // An abstract socket begins with @, a relative path with a dot.
        if text.starts_with(['/', '@', '.']) {
            return Some(Self::Pipe(text));
        }
        let (host, port) = text.rsplit_once(':')?;
        let host = match host.strip_prefix('[') {
            Some(v6) => v6.strip_suffix(']')?,
            None => host,
        };
        let port = port.parse().ok().filter(|_| !host.is_empty())?;
        Some(Self::Socket { host, port })
    }

    /// Whether DNS must resolve it.
    pub(super) fn is_name(&self) -> bool {
        matches!(self, Self::Socket { host, .. } if host.parse::<IpAddr>().is_err())
    }

    /// The host name that a hash policy uses for a host from DNS.
    pub(super) const fn looked_up(&self) -> Option<&'a str> {
        match self {
            Self::Socket { host, .. } => Some(host),
            _ => None,
        }
    }

    /// The `core.v3.Address` of a listener for datagrams.
    pub(super) fn datagrams(&self) -> Fields {
        match self {
            Self::Socket { host, port } => within(
                "socket_address",
                within("protocol", "UDP")
                    .with("address", *host)
                    .with("port_value", *port),
            ),
            other => other.message(),
        }
    }

    /// The `core.v3.Address`.
    pub(super) fn message(&self) -> Fields {
        match self {
            Self::Socket { host, port } => within(
                "socket_address",
                Fields::new()
                    .with("address", *host)
                    .with("port_value", *port),
            ),
            Self::Pipe(path) => within("pipe", within("path", *path)),
            Self::Internal { listener, id } => within(
                "envoy_internal_address",
                Fields::new()
                    .with("server_listener_name", *listener)
                    .with_text("endpoint_id", id),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_split() {
        let socket = |host, port| Some(Address::Socket { host, port });
        for (text, expected) in [
            ("10.0.0.1:80", socket("10.0.0.1", 80)),
            ("[2001:db8::1]:443", socket("2001:db8::1", 443)),
            ("shop.local:0", socket("shop.local", 0)),
            ("/run/a:b.sock", Some(Address::Pipe("/run/a:b.sock"))),
            ("./admin.sock", Some(Address::Pipe("./admin.sock"))),
            ("@abstract", Some(Address::Pipe("@abstract"))),
            (
                "envoy://inner/",
                Some(Address::Internal {
                    listener: "inner",
                    id: "",
                }),
            ),
            ("10.0.0.1", None),
            ("10.0.0.1:65536", None),
            (":80", None),
            ("[::1:80", None),
            ("", None),
        ] {
            assert_eq!(Address::of(text), expected, "{text}");
        }
    }
}
