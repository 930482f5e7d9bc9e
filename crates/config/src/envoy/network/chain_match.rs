//! `FilterChainMatch`: the connections of a filter chain.

use alloc::{borrow::ToOwned as _, string::String, vec::Vec};

use spillgate_core::route::{FilterChainMatch, SourceType};

use crate::{
    envoy::{common::read_ranges, schema::FILTER_CHAIN_MATCH},
    node::NodeValue,
    proto::{Message, Report},
};

const SOURCE_TYPE: [(&str, i64, SourceType); 3] = [
    ("ANY", 0, SourceType::Any),
    ("SAME_IP_OR_LOOPBACK", 1, SourceType::SameIpOrLoopback),
    ("EXTERNAL", 2, SourceType::External),
];

/// Reads the conditions of a filter chain; none without a message.
pub(in crate::envoy) fn read_match(
    chain: &Message<'_, '_>,
    report: &mut Report,
) -> FilterChainMatch {
    let Some(message) = chain.message("filter_chain_match", &FILTER_CHAIN_MATCH, report) else {
        return FilterChainMatch::default();
    };
    let port = message
        .wrapped_u32("destination_port", report)
        .map(u16::try_from);
    if let Some(Ok(0) | Err(_)) = port {
        message.out_of_range("destination_port", "a port from 1 to 65535", report);
    }
    let protocol = message.string("transport_protocol", report);
    FilterChainMatch {
        destination_port: port.and_then(Result::ok),
        destination: read_ranges(&message, "prefix_ranges", report),
        server_names: texts(&message, "server_names", report)
            .iter()
            .map(|name| name.to_ascii_lowercase())
            .collect(),
        transport_protocol: protocol.filter(|text| !text.is_empty()).map(str::to_owned),
        application_protocols: texts(&message, "application_protocols", report),
        direct_source: read_ranges(&message, "direct_source_prefix_ranges", report),
        source_type: message
            .enumeration("source_type", &SOURCE_TYPE, report)
            .unwrap_or_default(),
        source: read_ranges(&message, "source_prefix_ranges", report),
        source_ports: ports(&message, report),
    }
}

fn texts(message: &Message<'_, '_>, field: &'static str, report: &mut Report) -> Vec<String> {
    let nodes = message.strings(field, report).into_iter();
    let text = |node: &crate::node::Node<'_>| match &node.value {
        NodeValue::String(text) => Some(text.as_ref().to_owned()),
        _ => None,
    };
    nodes.filter_map(text).collect()
}

fn ports(message: &Message<'_, '_>, report: &mut Report) -> Vec<u16> {
    let mut ports = Vec::new();
    for (path, node) in message.list("source_ports", report) {
        let port = match node.value {
            NodeValue::Int(port) => u16::try_from(port).ok(),
            _ => None,
        };
        match port {
            Some(port) => ports.push(port),
            None => report.push(
                crate::Diagnostic::error("config/value", "out of range")
                    .at(path.text(), node.position)
                    .found(node.describe())
                    .expected("a port from 1 to 65535"),
            ),
        }
    }
    ports
}
