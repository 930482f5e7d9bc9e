//! Spillgate filters, recognized by their configuration.

use alloc::{string::String, vec::Vec};

use super::view::View;
use crate::{
    node::{self, Document},
    proto::Path,
};

/// The facts of a Spillgate filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpillgateFacts {
    /// The headers that it drops from client requests, lowercase.
    pub dropped: Vec<String>,
}

const STRING_VALUE: &str = "google.protobuf.StringValue";

/// Reads the `Wasm` message of an HTTP filter; `None` for another filter.
pub(super) fn read(wasm: &View<'_, '_>) -> Option<SpillgateFacts> {
    let (type_name, configuration) = wasm.get("config")?.any("configuration")?;
    if type_name != STRING_VALUE {
        let inner = configuration.get("value").unwrap_or(configuration);
        return of_configuration(&inner);
    }
    let document: Document<'_> = node::read_json(configuration.text("value")?).ok()?;
    let root = document.roots.first()?;
    of_configuration(&View::new(root, Path::root()))
}

fn of_configuration(view: &View<'_, '_>) -> Option<SpillgateFacts> {
    view.get("target").or(view.get("targets"))?;
    let output = view.get("output");
    view.get("clusters").or(output.clone())?;
    let name = |field, default: &str| {
        let stated = output.as_ref().and_then(|output| output.text(field));
        stated.unwrap_or(default).to_ascii_lowercase()
    };
    let mut dropped = Vec::from([
        name("host_header", "x-spillgate-host"),
        name("cluster_header", "x-spillgate-cluster"),
    ]);
    let reserved = view.texts("reserved_headers").into_iter();
    dropped.extend(reserved.map(|name| name.to_ascii_lowercase()));
    Some(SpillgateFacts { dropped })
}
