//! The wrappers that control planes and their tools put around Envoy's messages.
//!
//! Each family opens a wrapper into parts, which may be wrappers again; a message of Envoy belongs
//! to no family. `docs/inputs.md` lists the commands that print each shape.
//!
//! A family opens one layer, until a part is a message: no family knows another, the reader of
//! messages knows no wrapper, and every diagnostic has its path in the file. A wrapper is
//! recognized by its own fields, not by the name of its tool: tools rename their commands more
//! often than their output.

mod embedded;
mod kubernetes;
mod part;
mod patches;
mod proxies;
mod resources;
mod statuses;

use alloc::{string::String, vec::Vec};

pub(crate) use embedded::expand;
#[cfg(feature = "mesh")]
pub(crate) use kubernetes::universal_kind;
pub(super) use part::Part;
pub(super) use statuses::is_status;

use crate::proto::Report;

/// The parts of a wrapper, in input order.
type Parts<'n, 'a> = Vec<Part<'n, 'a>>;

/// What the wrappers of an input say about it.
#[derive(Debug, Default)]
pub(super) struct Wrapped {
    /// The documents that are not read, for the error if nothing else is left.
    pub(super) skipped: Vec<String>,
    /// Whether the messages are additions to others, which the input does not contain.
    pub(super) partial: bool,
}

/// Opens a wrapper; `None` for a message.
pub(super) fn open<'n, 'a>(
    part: &Part<'n, 'a>,
    found: &mut Wrapped,
    report: &mut Report,
) -> Option<Parts<'n, 'a>> {
    list(part, report)
        .or_else(|| kubernetes::open(part, found, report))
        .or_else(|| resources::open(part, report))
        .or_else(|| statuses::open(part))
        .or_else(|| proxies::open(part, report))
}

/// The elements of a list. Envoy reads no lists of messages; those in camelCase are what
/// `istioctl proxy-config` prints of a running Envoy.
fn list<'n, 'a>(part: &Part<'n, 'a>, report: &mut Report) -> Option<Parts<'n, 'a>> {
    const PRINTED: [&str; 4] = [
        "virtualHosts",
        "filterChains",
        "connectTimeout",
        "loadAssignment",
    ];
    let items = part.items()?;
    let is_printed = |item: &Part<'_, '_>| PRINTED.iter().any(|name| item.node.get(name).is_some());
    if items.iter().any(is_printed) {
        report.found_delivered();
    }
    Some(items)
}
