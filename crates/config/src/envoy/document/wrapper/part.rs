//! A value of an input that is a message or a wrapper around messages.

use alloc::vec::Vec;

use super::Parts;
use crate::{
    node::{Node, NodeValue},
    proto::{Path, field_of},
};

/// A value with its path, and with its type if the wrapper names it.
#[derive(Debug, Clone)]
pub(in crate::envoy::document) struct Part<'n, 'a> {
    pub(in crate::envoy::document) node: &'n Node<'a>,
    pub(in crate::envoy::document) path: Path,
    /// The name of the message's type, as in `envoy.config.cluster.v3.Cluster`; the value's own
    /// `@type` has precedence.
    pub(in crate::envoy::document) type_name: Option<&'n str>,
    /// Whether the value may be of another program, so that an unknown shape is no error.
    pub(in crate::envoy::document) is_foreign: bool,
}

impl<'n, 'a> Part<'n, 'a> {
    /// A document of an input.
    pub(in crate::envoy::document) const fn new(node: &'n Node<'a>, path: Path) -> Self {
        Self {
            node,
            path,
            type_name: None,
            is_foreign: false,
        }
    }

    /// A value below this part, of the same type.
    pub(super) fn inner(&self, node: &'n Node<'a>, path: Path) -> Self {
        Self {
            node,
            path,
            type_name: self.type_name,
            is_foreign: self.is_foreign,
        }
    }

    /// The same part, with its type.
    pub(super) fn typed(self, type_name: &'n str) -> Self {
        Self {
            type_name: Some(type_name),
            ..self
        }
    }

    /// The same part, which may be of another program.
    pub(super) fn foreign(self) -> Self {
        Self {
            is_foreign: true,
            ..self
        }
    }

    /// The value of a field, if it has one, in either spelling of its name.
    pub(super) fn field(&self, name: &'static str) -> Option<Self> {
        let node = field_of(self.node, name)?;
        Some(self.inner(node, self.path.field(name)))
    }

    /// The value of a field whose name begins with a capital letter, as Go exports fields.
    pub(super) fn exported(&self, name: &'static str) -> Option<Self> {
        let mut entries = self.entries().into_iter();
        let (_, part) = entries.find(|(exported, _)| {
            exported.starts_with(|c: char| c.is_ascii_uppercase())
                && exported.eq_ignore_ascii_case(name)
        })?;
        Some(part)
    }

    /// The string in a field.
    pub(super) fn text(&self, name: &'static str) -> Option<&'n str> {
        match &field_of(self.node, name)?.value {
            NodeValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list; `None` for other values.
    pub(super) fn items(&self) -> Option<Parts<'n, 'a>> {
        let NodeValue::List(items) = &self.node.value else {
            return None;
        };
        let items = items.iter().enumerate();
        Some(
            items
                .map(|(index, node)| self.inner(node, self.path.index(index)))
                .collect(),
        )
    }

    /// The values of an object with their names; none for other values.
    pub(super) fn entries(&self) -> Vec<(&'n str, Self)> {
        let NodeValue::Map(entries) = &self.node.value else {
            return Vec::new();
        };
        let entries = entries.iter();
        entries
            .map(|entry| {
                let name = entry.key.name.as_ref();
                let path = self.path.field(alloc::string::String::from(name));
                (name, self.inner(&entry.node, path))
            })
            .collect()
    }

    /// Whether the value is an object.
    pub(super) const fn is_map(&self) -> bool {
        matches!(self.node.value, NodeValue::Map(_))
    }
}
