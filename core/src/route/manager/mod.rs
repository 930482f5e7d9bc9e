//! The HTTP connection manager: what it changes in a request before routing
//! (`envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`).

mod client;
mod connection;
mod headers;
mod host;
mod path;
mod target;

pub use client::{AddressDetection, ClientAddress};
pub use host::PortStripping;
pub use path::{EscapedSlashes, PathFragments};

use alloc::{string::String, vec::Vec};

use super::{AddressRange, ChangedHeaders, Connection, HeaderMutation, Headers};

/// The settings of a connection manager that change requests.
///
/// The default is that of Envoy for a listener without TLS.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConnectionManager {
    /// Whether clients use TLS: the filter chain has a transport socket with it.
    pub tls: bool,
    /// Where the client's address comes from.
    pub client: ClientAddress,
    /// The addresses of internal clients (`internal_address_config.cidr_ranges`).
    pub internal: Vec<AddressRange>,
    /// Whether `x-forwarded-port` is set (`append_x_forwarded_port`).
    pub append_x_forwarded_port: bool,
    /// The scheme of all requests (`scheme_header_transformation.scheme_to_overwrite`).
    pub scheme: Option<String>,
    /// Header changes before all others (`early_header_mutation_extensions`).
    pub early: Vec<HeaderMutation>,
    /// Whether dot segments are removed and escapes unified (`normalize_path`).
    pub normalize_path: bool,
    /// Whether several slashes become one (`merge_slashes`).
    pub merge_slashes: bool,
    /// What happens to a path with a fragment.
    pub fragments: PathFragments,
    /// What happens to a path with `%2F` or `%5C` (`path_with_escaped_slashes_action`).
    pub escaped_slashes: EscapedSlashes,
    /// Which port of the host is removed (`strip_matching_host_port`, `strip_any_host_port`).
    pub strip_port: PortStripping,
    /// Whether a dot at the end of the host is removed (`strip_trailing_host_dot`).
    pub strip_trailing_host_dot: bool,
    /// The text that is appended to `via`; may be empty (`via`).
    pub via: String,
    /// Whether `x-forwarded-client-cert` stays (`forward_client_cert_details: ALWAYS_FORWARD_ONLY`).
    pub keep_client_certificate: bool,
}

/// A request after the connection manager: what routes are matched against.
#[derive(Debug)]
pub struct ReceivedRequest<'r, H> {
    /// The headers.
    pub headers: ChangedHeaders<'r, H>,
    /// The connection, with the client's address.
    pub connection: Connection<'r>,
    /// The status of the connection manager's own response; `None` if the request is routed.
    pub refused: Option<u16>,
    /// Whether the client asks for an upgrade or a tunnel (`CONNECT`). Envoy allows them by
    /// `upgrade_configs`, which are not modeled.
    pub upgrades: bool,
}

impl<'r, H: Headers> ReceivedRequest<'r, H> {
    /// A request that no connection manager changes.
    #[must_use]
    pub fn unchanged(headers: &'r H, connection: Connection<'r>) -> Self {
        let mut headers = ChangedHeaders::new(headers);
        headers.combine();
        Self {
            headers,
            connection,
            refused: None,
            upgrades: false,
        }
    }
}

/// Whether a request asks for an upgrade or a tunnel.
fn asks_for_upgrade<H: Headers>(headers: &H) -> bool {
    let options = headers
        .values("connection")
        .flat_map(|value| value.split(|&byte| byte == b','));
    let mut options = options.map(<[u8]>::trim_ascii);
    let upgrade = options.any(|option| option.eq_ignore_ascii_case(b"upgrade"));
    let named = headers
        .first("upgrade")
        .is_some_and(|value| !value.is_empty());
    (upgrade && named) || headers.first(":method") == Some(b"CONNECT")
}

impl<H: Headers> Headers for ReceivedRequest<'_, H> {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        self.headers.values(name)
    }
}

impl ConnectionManager {
    /// The request as this connection manager passes it on; headers of external requests that are
    /// `internal_only` are removed (`RouteConfiguration.internal_only_headers`).
    #[must_use]
    pub fn receive<'r, H: Headers>(
        &self,
        headers: &'r H,
        connection: Connection<'r>,
        internal_only: &[String],
    ) -> ReceivedRequest<'r, H> {
        let mut request = ReceivedRequest::unchanged(headers, connection);
        request.upgrades = asks_for_upgrade(headers);
        let headers = &mut request.headers;
        let mut refused = target::split_url(headers);
        if !request.upgrades {
            refused = refused.or_else(|| connection::remove_named(headers));
        }
        request.refused = refused.or_else(|| self.change_path(headers));
        if request.refused.is_some() {
            return request;
        }
        self.change_host(&mut request.headers, connection.local);
        HeaderMutation::apply_all(&self.early, &mut request.headers, &connection);
        self.change_headers(&mut request, internal_only);
        request
    }
}
