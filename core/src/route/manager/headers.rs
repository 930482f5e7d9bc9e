//! The headers that a connection manager sets and removes.

use alloc::{format, string::String};
use core::net::SocketAddr;

use super::{
    ConnectionManager, Headers, ReceivedRequest,
    client::{Client, FORWARDED_FOR, ip_of},
    connection::reduce_te,
};

/// Headers that no request keeps.
const HOP_BY_HOP: [&str; 4] = [
    "x-envoy-internal",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
];

/// Headers that only requests for an upgrade keep.
const OF_UPGRADES: [&str; 2] = ["connection", "upgrade"];

/// Headers that only internal requests keep.
const INTERNAL: [&str; 14] = [
    "x-envoy-retriable-status-codes",
    "x-envoy-retriable-header-names",
    "x-envoy-retry-on",
    "x-envoy-retry-grpc-on",
    "x-envoy-max-retries",
    "x-envoy-upstream-alt-stat-name",
    "x-envoy-upstream-rq-timeout-ms",
    "x-envoy-upstream-rq-per-try-timeout-ms",
    "x-envoy-upstream-rq-timeout-alt-response",
    "x-envoy-expected-rq-timeout-ms",
    "x-envoy-force-trace",
    "x-envoy-ip-tags",
    "x-envoy-original-url",
    "x-envoy-hedge-on-per-try-timeout",
];

/// Headers that a proxy removes from external requests if it is the first to see them.
const AT_THE_EDGE: [&str; 5] = [
    "x-envoy-decorator-operation",
    "x-envoy-downstream-service-cluster",
    "x-envoy-downstream-service-node",
    "x-envoy-original-path",
    "x-envoy-original-host",
];

/// The status of a request without a route.
const NOT_FOUND: u16 = 404;

const PROTO: &str = "x-forwarded-proto";
const PORT: &str = "x-forwarded-port";
const SCHEME: &str = ":scheme";

impl ConnectionManager {
    /// Sets and removes headers, in Envoy's order, and finds the client.
    pub(super) fn change_headers<H: Headers>(
        &self,
        request: &mut ReceivedRequest<'_, H>,
        internal_only: &[String],
    ) {
        let headers = &mut request.headers;
        for name in HOP_BY_HOP {
            headers.remove(name);
        }
        if !request.upgrades {
            OF_UPGRADES.iter().for_each(|name| headers.remove(name));
        }
        reduce_te(headers);
        let Client {
            address,
            may_be_internal,
            append,
            refused,
        } = self.client.find(headers, &request.connection);
        request.refused = refused;
        if append {
            self.append_address(request);
        }
        let headers = &mut request.headers;
        let untrusted = self.client.untrusted();
        if untrusted || !headers.has(PROTO) {
            headers.set(PROTO, self.own_scheme().into());
        }
        if self.append_x_forwarded_port
            && (untrusted || !headers.has(PORT))
            && let Ok(local) = request.connection.local.parse::<SocketAddr>()
        {
            headers.set(PORT, format!("{}", local.port()).into_bytes());
        }
        if let Some(scheme) = &self.scheme {
            headers.set(SCHEME, scheme.clone().into_bytes());
            headers.set(PROTO, scheme.clone().into_bytes());
        }
        // Envoy finds no route without it.
        if headers.first(PROTO).is_none_or(<[u8]>::is_empty) {
            request.refused = request.refused.or(Some(NOT_FOUND));
        }
        if !headers.has(SCHEME) {
            let sent = headers.first(PROTO).unwrap_or_default();
            let scheme = sent.to_ascii_lowercase();
            let scheme = match scheme.as_slice() {
                b"http" | b"https" => scheme,
                _ => self.own_scheme().into(),
            };
            headers.set(SCHEME, scheme);
        }
        let is_internal = |address| self.internal.iter().any(|range| range.contains(address));
        let internal = may_be_internal && address.is_some_and(is_internal);
        let edge = !internal && self.client.is_connection();
        if internal {
            headers.set("x-envoy-internal", b"true".to_vec());
        } else {
            let at_edge = AT_THE_EDGE.into_iter().filter(|_| edge);
            let own = internal_only.iter().map(String::as_str);
            for name in at_edge.chain(INTERNAL).chain(own) {
                headers.remove(name);
            }
        }
        if !self.via.is_empty() {
            headers.add_after("via", b", ", self.via.as_bytes());
        }
        if let Some(address) = address.filter(|_| edge) {
            headers.set(
                "x-envoy-external-address",
                format!("{address}").into_bytes(),
            );
        }
        if !self.keep_client_certificate {
            headers.remove("x-forwarded-client-cert");
        }
        let connection = &mut request.connection;
        if address.is_some() && address != ip_of(connection.remote) {
            connection.client = address;
        }
    }

    /// Appends the connection's address to `x-forwarded-for`. Instead of a loopback address, Envoy
    /// writes that of its machine; the nearest to it is the local one of the connection.
    fn append_address<H: Headers>(&self, request: &mut ReceivedRequest<'_, H>) {
        let connection = &request.connection;
        let remote = ip_of(connection.remote);
        let written = match remote.filter(|address| !address.is_loopback()) {
            Some(address) => Some(address),
            None => ip_of(connection.local),
        };
        if let Some(address) = written {
            let text = format!("{address}");
            request.headers.add(FORWARDED_FOR, text.into_bytes());
        }
    }

    const fn own_scheme(&self) -> &'static [u8] {
        if self.tls { b"https" } else { b"http" }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::ClientAddress;
    use super::*;
    use crate::route::{AddressRange, Connection, HeaderList};

    fn edge() -> ConnectionManager {
        ConnectionManager {
            client: ClientAddress::Connection {
                trusted_hops: 0,
                append: true,
            },
            ..ConnectionManager::default()
        }
    }

    /// The values of these headers after a connection manager, and the client.
    fn received<const N: usize>(
        manager: &ConnectionManager,
        sent: &[(&str, &str)],
        names: [&str; N],
    ) -> [Option<String>; N] {
        let sent = HeaderList(sent);
        let connection = Connection {
            remote: "192.0.2.9:40000",
            local: "192.0.2.1:10000",
            ..Connection::default()
        };
        let request = manager.receive(&sent, connection, &["x-secret".into()]);
        names.map(|name| {
            let values: Vec<&[u8]> = request.values(name).collect();
            let text = |value: &[u8]| String::from_utf8(value.to_vec()).unwrap();
            (!values.is_empty()).then(|| values.iter().map(|v| text(v)).collect())
        })
    }

    /// Headers that Envoy 1.40 forwarded.
    #[test]
    fn the_scheme_is_that_of_the_connection_or_of_a_trusted_proxy() {
        let tls = |manager: ConnectionManager| ConnectionManager {
            tls: true,
            ..manager
        };
        let hops = |trusted_hops| ConnectionManager {
            client: ClientAddress::Connection {
                trusted_hops,
                append: true,
            },
            ..ConnectionManager::default()
        };
        let overwritten = ConnectionManager {
            scheme: Some("https".into()),
            ..ConnectionManager::default()
        };
        let default = ConnectionManager::default;
        for (manager, sent, proto, scheme) in [
            (default(), "", "http", "http"),
            (default(), "https", "https", "https"),
            (default(), "ftp", "ftp", "http"),
            (tls(default()), "", "https", "https"),
            (tls(default()), "ftp", "ftp", "https"),
            (edge(), "https", "http", "http"),
            (tls(edge()), "http", "https", "https"),
            (hops(1), "https", "https", "https"),
            (hops(1), "", "http", "http"),
            (overwritten, "http", "https", "https"),
        ] {
            let sent: &[_] = match sent {
                "" => &[],
                sent => &[(PROTO, sent)],
            };
            let [found_proto, found_scheme] = received(&manager, sent, [PROTO, SCHEME]);
            let found = (found_proto.as_deref(), found_scheme.as_deref());
            assert_eq!(found, (Some(proto), Some(scheme)), "{manager:?} {sent:?}");
        }
    }

    /// Envoy 1.40 found no route, or forwarded what is left.
    #[test]
    fn headers_of_the_connection_are_left_out_and_an_empty_scheme_has_no_route() {
        let manager = ConnectionManager::default();
        let refused = |sent: &[(&str, &str)]| {
            let sent = HeaderList(sent);
            let request = manager.receive(&sent, Connection::default(), &[]);
            request.refused
        };
        assert_eq!(refused(&[(PROTO, "")]), Some(404));
        assert_eq!(refused(&[(PROTO, "foo")]), None);
        assert_eq!(refused(&[("connection", "host")]), Some(400));
        assert_eq!(refused(&[(":path", "ftp://a/")]), Some(400));
        let sent = [("connection", "x-u"), ("x-u", "b"), ("te", "gzip")];
        assert_eq!(received(&manager, &sent, ["x-u", "te"]), [None, None]);
        // Upgrades keep what they name.
        let sent = [
            ("connection", "upgrade, x-u"),
            ("upgrade", "websocket"),
            ("x-u", "b"),
        ];
        assert_eq!(received(&manager, &sent, ["x-u"]), [Some("b".into())]);
        let sent = [(":path", "https://a.example/b"), (":authority", "h")];
        let found = received(&manager, &sent, [":path", ":authority", SCHEME, PROTO]);
        let expected = ["/b", "a.example", "https", "http"];
        assert_eq!(found.map(Option::unwrap_or_default), expected);
    }

    #[test]
    fn the_first_proxy_names_external_clients() {
        let names = [
            FORWARDED_FOR,
            "x-envoy-external-address",
            "x-envoy-internal",
        ];
        let of = |manager: &ConnectionManager, sent: &[(&str, &str)]| {
            received(manager, sent, names).map(Option::unwrap_or_default)
        };
        let forwarded = [(FORWARDED_FOR, "1.2.3.4")];
        assert_eq!(of(&edge(), &[]), ["192.0.2.9", "192.0.2.9", ""]);
        assert_eq!(
            of(&edge(), &forwarded),
            ["1.2.3.4,192.0.2.9", "192.0.2.9", ""]
        );
        let internal = ConnectionManager {
            internal: [AddressRange {
                address: "192.0.2.0".parse().unwrap(),
                length: 24,
            }]
            .into(),
            ..edge()
        };
        assert_eq!(of(&internal, &[]), ["192.0.2.9", "", "true"]);
        // A client that sends addresses is not internal.
        assert_eq!(
            of(&internal, &forwarded),
            ["1.2.3.4,192.0.2.9", "192.0.2.9", ""]
        );
    }

    #[test]
    fn only_internal_requests_keep_internal_headers() {
        let sent = [
            ("x-secret", "1"),
            ("x-envoy-retry-on", "5xx"),
            ("x-envoy-original-path", "/p"),
            ("x-envoy-internal", "true"),
            ("x-forwarded-client-cert", "c"),
            ("via", "you"),
        ];
        let names = sent.map(|(name, _)| name);
        let manager = ConnectionManager {
            via: "me".into(),
            ..ConnectionManager::default()
        };
        let kept = |manager: &ConnectionManager| received(manager, &sent, names);
        let text = |text: &str| Some(String::from(text));
        assert_eq!(
            kept(&manager),
            [None, None, text("/p"), None, None, text("you, me")]
        );
        assert_eq!(kept(&edge())[2], None);
    }
}
