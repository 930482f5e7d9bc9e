//! Lists of address ranges (`envoy.config.core.v3.CidrRange`).

use alloc::{format, vec::Vec};
use core::net::IpAddr;

use spillgate_core::route::AddressRange;

use crate::{
    envoy::schema::CIDR_RANGE,
    node::{Node, quote},
    proto::{Message, Path, Report},
};

/// The largest `prefix_len`.
const LONGEST: u8 = 128;

/// The ranges of a field.
pub(crate) fn read_ranges(
    message: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Vec<AddressRange> {
    let ranges = message.list(field, report);
    ranges
        .filter_map(|(path, node)| read_range(node, path, report))
        .collect()
}

fn read_range(node: &Node<'_>, path: Path, report: &mut Report) -> Option<AddressRange> {
    let range = Message::open(node, path, &CIDR_RANGE, report)?;
    let field = "address_prefix";
    let text = range.required_string(field, report)?;
    let length = range.wrapped_u32("prefix_len", report).unwrap_or(0);
    let Ok(address) = text.parse::<IpAddr>() else {
        range
            .error(field, "config/address", "not an IP address")
            .found(quote(text))
            .push_to(report);
        return None;
    };
    let length = u8::try_from(length)
        .ok()
        .filter(|length| *length <= LONGEST);
    let Some(length) = length else {
        range.out_of_range("prefix_len", format!("at most {LONGEST}"), report);
        return None;
    };
    // Envoy uses 32 for a longer prefix of an IPv4 address.
    let length = if address.is_ipv4() {
        length.min(32)
    } else {
        length
    };
    Some(AddressRange { address, length })
}
