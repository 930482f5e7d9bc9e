//! Where a request goes that names its own destination.

use alloc::{format, string::String};
use core::net::SocketAddr;

use crate::{
    model::OriginalDstCluster,
    route::{Connection, Headers},
};

/// The destination as `ip:port`: the header's, where the cluster reads one and it is an address,
/// or else the address that the client had connected to. `None` where there is neither.
#[must_use]
pub fn original_destination<H: Headers>(
    cluster: &OriginalDstCluster,
    headers: &H,
    connection: &Connection<'_>,
) -> Option<String> {
    let parse =
        |text: &[u8]| -> Option<SocketAddr> { core::str::from_utf8(text).ok()?.parse().ok() };
    let named = cluster.http_header.as_ref();
    let named = named.and_then(|name| headers.first(name));
    let mut address = match named {
        // A header that is no address leaves the request without a host.
        Some(text) => parse(text)?,
        None => parse(connection.local.as_bytes())?,
    };
    if let Some(port) = cluster.upstream_port {
        address.set_port(port);
    }
    Some(format!("{address}"))
}
