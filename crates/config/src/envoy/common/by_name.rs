//! Messages that other messages refer to by name.

use alloc::vec::Vec;

use spillgate_core::names::Names;

use crate::{
    node::{Node, NodeValue},
    proto::{Path, field_of},
};

/// Messages by name; of several with one name, the last.
pub(crate) struct ByName<'n, 'a> {
    names: Names,
    nodes: Vec<(Path, &'n Node<'a>)>,
}

impl<'n, 'a> ByName<'n, 'a> {
    /// An empty set.
    pub(crate) fn none() -> Self {
        Self::of(&[], "")
    }

    /// The messages by the string in a field.
    pub(crate) fn of(nodes: &[(Path, &'n Node<'a>)], field: &'static str) -> Self {
        let mut names = Names::default();
        for (at, (_, node)) in nodes.iter().enumerate() {
            if let Some(name) = name_of(node, field) {
                names.insert(name, at);
            }
        }
        Self {
            names,
            nodes: nodes.to_vec(),
        }
    }

    /// The message of that name.
    pub(crate) fn get(&self, name: &str) -> Option<(&'n Node<'a>, Path)> {
        let (path, node) = self.nodes.get(self.names.get(name)?)?;
        Some((node, path.clone()))
    }
}

/// The string in a field, in either spelling of its name.
pub(crate) fn name_of<'n>(node: &'n Node<'_>, field: &'static str) -> Option<&'n str> {
    match &field_of(node, field)?.value {
        NodeValue::String(name) => Some(name),
        _ => None,
    }
}
