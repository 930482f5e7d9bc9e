//! A value of the input with its path, read without reports.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use super::FieldPlace;
use crate::{
    node::{Node, NodeValue},
    proto::{Path, read_duration, same_name},
};

/// Messages that contain another message and name its type.
const TYPED_STRUCTS: [&str; 2] = ["xds.type.v3.TypedStruct", "udpa.type.v1.TypedStruct"];

/// A value and its path.
#[derive(Debug, Clone)]
pub(in crate::envoy) struct View<'n, 'a> {
    pub(super) node: &'n Node<'a>,
    pub(super) path: Path,
}

impl<'n, 'a> View<'n, 'a> {
    pub(in crate::envoy) const fn new(node: &'n Node<'a>, path: Path) -> Self {
        Self { node, path }
    }

    /// Its place.
    pub(super) fn place(&self) -> FieldPlace {
        FieldPlace {
            path: self.path.text(),
            position: self.node.position,
        }
    }

    /// A field that is not null, in either spelling; of duplicates the last one.
    pub(super) fn get(&self, field: &'static str) -> Option<Self> {
        let NodeValue::Map(entries) = &self.node.value else {
            return None;
        };
        let entry = entries.iter().rfind(|e| same_name(&e.key.name, field))?;
        (entry.node.value != NodeValue::Null)
            .then(|| Self::new(&entry.node, self.path.field(field)))
    }

    /// A field of a field.
    pub(super) fn at(&self, fields: &[&'static str]) -> Option<Self> {
        let mut view = self.clone();
        for field in fields {
            view = view.get(field)?;
        }
        Some(view)
    }

    /// The entries of an object, such as a map field, by name.
    pub(super) fn entries(&self) -> Vec<(&'n str, Self)> {
        let NodeValue::Map(entries) = &self.node.value else {
            return Vec::new();
        };
        let view = |name: &str, node| Self::new(node, self.path.field(String::from(name)));
        entries
            .iter()
            .map(|entry| (&*entry.key.name, view(&entry.key.name, &entry.node)))
            .collect()
    }

    /// The elements of a list; another value is read as a list of one.
    pub(super) fn list(&self, field: &'static str) -> Vec<Self> {
        let Some(list) = self.get(field) else {
            return Vec::new();
        };
        let nodes = match &list.node.value {
            NodeValue::List(nodes) => nodes.as_slice(),
            _ => core::slice::from_ref(list.node),
        };
        let views = nodes.iter().enumerate();
        views
            .map(|(index, node)| Self::new(node, list.path.index(index)))
            .collect()
    }

    /// This value as a string.
    pub(super) fn as_text(&self) -> Option<&'n str> {
        match &self.node.value {
            NodeValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// The string in a field, unless it is empty.
    pub(in crate::envoy) fn text(&self, field: &'static str) -> Option<&'n str> {
        self.get(field)?.as_text().filter(|text| !text.is_empty())
    }

    /// The strings of a list.
    pub(super) fn texts(&self, field: &'static str) -> Vec<String> {
        let items = self.list(field).into_iter();
        items.filter_map(|v| v.as_text().map(Into::into)).collect()
    }

    /// Whether a Boolean is true: bare, as a string or wrapped.
    pub(super) fn flag(&self, field: &'static str) -> bool {
        self.get(field).is_some_and(|view| {
            let view = view.get("value").unwrap_or(view);
            view.node.value == NodeValue::Bool(true) || view.as_text() == Some("true")
        })
    }

    /// An unsigned integer: bare, as a string or wrapped.
    pub(super) fn number(&self, field: &'static str) -> Option<u64> {
        let view = self.get(field)?;
        let view = view.get("value").unwrap_or(view);
        match &view.node.value {
            NodeValue::Int(value) => u64::try_from(*value).ok(),
            NodeValue::Uint(value) => Some(*value),
            NodeValue::String(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// A duration.
    pub(super) fn duration(&self, field: &'static str) -> Option<Duration> {
        read_duration(self.text(field)?)
    }

    /// A typed message in a field: its type name without prefix, and the message, unpacked.
    pub(super) fn any(&self, field: &'static str) -> Option<(&'n str, Self)> {
        self.get(field)?.typed()
    }

    /// This value as a typed message.
    pub(super) fn typed(self) -> Option<(&'n str, Self)> {
        let name = |url: &'n str| url.rsplit('/').next().unwrap_or_default();
        let found = name(self.text("@type")?);
        if TYPED_STRUCTS.contains(&found) {
            return Some((name(self.text("type_url")?), self.get("value")?));
        }
        Some((found, self))
    }
}
