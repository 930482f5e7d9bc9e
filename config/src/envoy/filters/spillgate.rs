//! A Spillgate filter in a chain: the configuration text of its plugin.

use alloc::string::String;

use crate::{
    Position,
    node::{self, Node, NodeValue},
    proto::{Any, field_of},
};

/// The type of Wasm filters, after the prefix of HTTP filters.
pub(crate) const WASM_TYPE: &str = "wasm.v3.Wasm";

const STRING_VALUE: &str = "google.protobuf.StringValue";

/// A Spillgate filter of a listener. [`steered`](crate::steered) reads its configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpillgateFilter {
    /// Its name in the chain.
    pub name: String,
    /// Its configuration as JSON.
    pub json: String,
    /// The path of the configuration in the text.
    pub path: String,
    /// Where the configuration begins in the text.
    pub position: Position,
}

/// The configuration of a Wasm filter, if it is a Spillgate filter.
pub(super) fn read_spillgate(any: &Any<'_, '_>) -> Option<SpillgateFilter> {
    let configuration = field_of(any.node, "config")?;
    let configuration = field_of(configuration, "configuration")?;
    let type_url = field_of(configuration, "@type").map(|node| &node.value);
    let is_text = matches!(type_url, Some(NodeValue::String(url)) if url.ends_with(STRING_VALUE));
    let value = field_of(configuration, "value").unwrap_or(configuration);
    let json = match &value.value {
        NodeValue::String(text) if is_text => {
            let document = node::read_json(text).ok()?;
            is_ours(document.roots.first()?).then(|| text.clone().into_owned())?
        }
        _ => is_ours(value).then(|| node::to_json(value))?,
    };
    Some(SpillgateFilter {
        name: String::new(),
        json,
        path: any.path.field("config").field("configuration").text(),
        position: value.position,
    })
}

/// Whether a plugin's configuration is Spillgate's: other plugins have no target and no clusters or
/// output headers.
fn is_ours(configuration: &Node<'_>) -> bool {
    let has = |name| configuration.get(name).is_some();
    (has("target") || has("targets") || has("weighted")) && (has("clusters") || has("output"))
}
