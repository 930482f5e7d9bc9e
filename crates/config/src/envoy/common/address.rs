//! Addresses in the form that Envoy prints and hashes.

use alloc::{format, string::String};
use core::net::{IpAddr, SocketAddr};

use crate::{
    Diagnostic,
    envoy::schema::{ADDRESS, INTERNAL_ADDRESS, PIPE, SOCKET_ADDRESS},
    proto::{Message, Report},
};

/// An address and its host.
pub(crate) struct ReadAddress {
    /// `ip:port`, `[ip6]:port`, `name:port`, or a path.
    pub(crate) text: String,
    /// The part before the port, if it has one.
    pub(crate) host: Option<String>,
    /// Whether that is a name that DNS must resolve.
    pub(crate) is_name: bool,
}

/// Reads the `address` of an endpoint. `names`: whether DNS names are allowed.
pub(crate) fn read_address(
    endpoint: &Message<'_, '_>,
    names: bool,
    report: &mut Report,
) -> Option<ReadAddress> {
    if !endpoint.has("address") {
        report.push(endpoint.error("address", "config/missing", "endpoint without an address"));
        return None;
    }
    let address = endpoint.message("address", &ADDRESS, report)?;
    address.one_of(
        &["socket_address", "pipe", "envoy_internal_address"],
        report,
    );
    if address.has("pipe") {
        let pipe = address.message("pipe", &PIPE, report)?;
        let text = pipe.required_string("path", report)?.into();
        return Some(ReadAddress::without_host(text));
    }
    if address.has("envoy_internal_address") {
        let internal = address.message("envoy_internal_address", &INTERNAL_ADDRESS, report)?;
        let listener = internal.required_string("server_listener_name", report)?;
        let id = internal.string("endpoint_id", report).unwrap_or_default();
        let text = format!("envoy://{listener}/{id}");
        return Some(ReadAddress::without_host(text));
    }
    if !address.has("socket_address") {
        report.push(address.error("socket_address", "config/missing", "empty address"));
        return None;
    }
    let socket = address.message("socket_address", &SOCKET_ADDRESS, report)?;
    socket_address(&socket, names, report)
}

impl ReadAddress {
    const fn without_host(text: String) -> Self {
        Self {
            text,
            host: None,
            is_name: false,
        }
    }
}

/// Whether an address of a host is a DNS name with a port.
#[must_use]
pub fn is_dns_name(address: &str) -> bool {
    let path = address.starts_with(['/', '@']) || address.starts_with("envoy://");
    !path && address.parse::<SocketAddr>().is_err()
}

fn socket_address(
    socket: &Message<'_, '_>,
    names: bool,
    report: &mut Report,
) -> Option<ReadAddress> {
    let host = socket.required_string("address", report);
    let port = port(socket, report);
    let host = host?;
    let ip = host.parse::<IpAddr>().ok();
    if ip.is_none() && !names {
        let fault = socket
            .error("address", "config/address", "not an IP address")
            .expected("an IP address (DNS names require type STRICT_DNS or LOGICAL_DNS)");
        if !report.is_accepted() {
            report.push(fault);
            return None;
        }
        // A tool has replaced the address; the host remains one.
        report.tolerate(fault);
    }
    let port = port?;
    Some(ReadAddress {
        text: match ip {
            Some(IpAddr::V4(ip)) => format!("{ip}:{port}"),
            Some(IpAddr::V6(ip)) => format!("[{ip}]:{port}"),
            None => format!("{host}:{port}"),
        },
        host: Some(host.into()),
        is_name: ip.is_none(),
    })
}

fn port(socket: &Message<'_, '_>, report: &mut Report) -> Option<u16> {
    if !socket.has("port_value") {
        if !socket.has("named_port") {
            report.push(Diagnostic {
                found: None,
                ..socket
                    .error("port_value", "config/missing", "address without a port")
                    .expected("a port from 0 to 65535")
            });
        }
        return Some(0).filter(|_| socket.has("named_port"));
    }
    let port = socket.u32("port_value", report)?;
    if let Ok(port) = u16::try_from(port) {
        return Some(port);
    }
    socket.out_of_range("port_value", "a port from 0 to 65535", report);
    None
}
