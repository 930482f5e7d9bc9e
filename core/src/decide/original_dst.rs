//! The destination of a request to an `ORIGINAL_DST` cluster.

use alloc::{format, string::String};
use core::net::SocketAddr;

use crate::{
    model::OriginalDstCluster,
    route::{Connection, Headers},
};

/// The destination as `ip:port`; `None` if there is no valid address.
///
/// If the cluster reads a header ([`OriginalDstCluster::http_header`]) and the request has it, the
/// header must be an address. Otherwise the destination is the local address of the connection.
/// [`OriginalDstCluster::upstream_port`] replaces the port.
///
/// # Examples
/// ```
/// use spillgate_core::decide::original_destination;
/// use spillgate_core::model::OriginalDstCluster;
/// use spillgate_core::route::{Connection, HeaderList};
///
/// let cluster = OriginalDstCluster {
///     http_header: Some("x-envoy-original-dst-host".into()),
///     upstream_port: Some(8080),
/// };
/// let headers = HeaderList(&[("x-envoy-original-dst-host", "10.0.0.1:80")]);
/// let found = original_destination(&cluster, &headers, &Connection::default());
/// assert_eq!(found.as_deref(), Some("10.0.0.1:8080"));
/// ```
#[must_use]
pub fn original_destination<H: Headers>(
    cluster: &OriginalDstCluster,
    headers: &H,
    connection: &Connection<'_>,
) -> Option<String> {
    let parse =
        |text: &[u8]| -> Option<SocketAddr> { core::str::from_utf8(text).ok()?.parse().ok() };
    let header = cluster.http_header.as_ref();
    let header = header.and_then(|name| headers.first(name));
    let mut address = match header {
        // An invalid header address leaves the request without a host.
        Some(text) => parse(text)?,
        None => parse(connection.local.as_bytes())?,
    };
    if let Some(port) = cluster.upstream_port {
        address.set_port(port);
    }
    Some(format!("{address}"))
}
