//! `envoy.filters.http.set_metadata`.

use alloc::vec::Vec;

use spillgate_core::route::SetMetadata;

use crate::{
    envoy::{
        common::read_struct,
        schema::{SET_METADATA, SET_METADATA_ENTRY},
    },
    proto::{Any, Message, Report},
};

/// The type of `set_metadata`, after the prefix.
pub(crate) const SET_METADATA_TYPE: &str = "set_metadata.v3.Config";

/// Reads its values, in order.
pub(super) fn read_set_metadata(any: Any<'_, '_>, report: &mut Report) -> Vec<SetMetadata> {
    let mut values = Vec::new();
    let Some(message) = any.open(&SET_METADATA, report) else {
        return values;
    };
    // The deprecated fields come first and overwrite.
    if message.has("value") {
        values.extend(read_value(&message, true, report));
    }
    for (path, node) in message.list("metadata", report) {
        let Some(entry) = Message::open(node, path, &SET_METADATA_ENTRY, report) else {
            continue;
        };
        entry.required_string("metadata_namespace", report);
        let overwrite = entry.bool("allow_overwrite", report).unwrap_or(false);
        values.extend(read_value(&entry, overwrite, report));
    }
    values
}

fn read_value(
    message: &Message<'_, '_>,
    allow_overwrite: bool,
    report: &mut Report,
) -> Option<SetMetadata> {
    let value = read_struct(message.get("value")?, &message.path.field("value"), report);
    let namespace = message.string("metadata_namespace", report)?;
    Some(SetMetadata {
        namespace: namespace.into(),
        value,
        allow_overwrite,
    })
}
