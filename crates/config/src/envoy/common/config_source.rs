//! The file in a `ConfigSource`.

use crate::{
    Position,
    node::{Node, NodeValue},
    proto::field_of,
};

/// The path in a `ConfigSource`: in `path_config_source`, or in the older `path`.
pub(crate) fn file_of<'n>(config_source: &'n Node<'_>) -> Option<(&'n str, Position)> {
    let source = field_of(config_source, "path_config_source").unwrap_or(config_source);
    let node = field_of(source, "path")?;
    match &node.value {
        NodeValue::String(path) if !path.is_empty() => Some((path, node.position)),
        _ => None,
    }
}
