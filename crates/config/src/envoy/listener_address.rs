//! The addresses of a listener.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use crate::{
    node::{Node, NodeValue},
    proto::{Message, Report, field_of},
};

/// The addresses at which Envoy finds the listener of a TCP connection.
pub(super) fn tcp_addresses(
    node: &Node<'_>,
    listener: &Message<'_, '_>,
    report: &mut Report,
) -> Vec<String> {
    let mut all = Vec::new();
    if listener.has("udp_listener_config") || is_udp(node) {
        return all;
    }
    let more = listener.list("additional_addresses", report);
    for node in core::iter::once(node).chain(more.map(|(_, node)| node)) {
        let text = address_text(node);
        let compatible = field_of(node, "address")
            .and_then(|address| field_of(address, "socket_address"))
            .and_then(|address| field_of(address, "ipv4_compat"))
            .is_some_and(|compatible| compatible.value == NodeValue::Bool(true));
        let both = text.strip_prefix("[::]:").filter(|_| compatible);
        all.extend(both.map(|port| format!("0.0.0.0:{port}")));
        all.push(text);
    }
    all
}

/// Whether a listener receives datagrams: its address says so.
pub(super) fn is_udp(listener: &Node<'_>) -> bool {
    let of_socket = |name| {
        field_of(
            field_of(field_of(listener, "address")?, "socket_address")?,
            name,
        )
    };
    match of_socket("protocol").map(|protocol| &protocol.value) {
        Some(NodeValue::String(protocol)) => protocol == "UDP",
        Some(NodeValue::Int(protocol)) => *protocol == 1,
        _ => false,
    }
}

/// The address of a listener, or an empty text. It has no effect on the routes, so it is not checked.
pub(super) fn address_text(listener: &Node<'_>) -> String {
    let text = |node: &Node<'_>| match &node.value {
        NodeValue::String(text) => text.to_string(),
        NodeValue::Int(number) => number.to_string(),
        _ => String::new(),
    };
    let Some(address) = field_of(listener, "address") else {
        return String::new();
    };
    if let Some(path) = field_of(address, "pipe").and_then(|pipe| field_of(pipe, "path")) {
        return text(path);
    }
    let of_socket = |name| Some(text(field_of(field_of(address, "socket_address")?, name)?));
    match (of_socket("address"), of_socket("port_value")) {
        (Some(host), Some(port)) if host.contains(':') => format!("[{host}]:{port}"),
        (Some(host), Some(port)) => format!("{host}:{port}"),
        _ => String::new(),
    }
}
