//! The fields of a message and how they are handled.

use super::names::{nearest, same_name};
use crate::node::{Entry, Node, NodeValue};

/// The fields of one message. All fields are listed, so that unknown ones are rejected as in Envoy.
/// A list is one string with spaces between the names.
#[derive(Debug)]
pub struct Schema {
    /// The message's name, for diagnostics.
    pub(crate) name: &'static str,
    /// Fields that are read.
    read: &'static str,
    /// Fields that affect load balancing and that the engine does not model.
    not_modeled: &'static str,
    /// Fields unrelated to load balancing.
    ignored: &'static str,
}

/// The list of ignored fields of a message that accepts any field.
#[cfg(feature = "mesh")]
const ALL: &str = "*";

/// How a field is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Accepted,
    NotModeled(&'static str),
    Unknown,
}

impl Schema {
    /// A message of which all fields are read.
    pub const fn new(name: &'static str, read: &'static str) -> Self {
        Self {
            name,
            read,
            not_modeled: "",
            ignored: "",
        }
    }

    /// A message of which any field is accepted.
    #[cfg(feature = "mesh")]
    pub(super) const fn partial(name: &'static str) -> Self {
        Self {
            ignored: ALL,
            ..Self::new(name, "")
        }
    }

    /// Whether any field is accepted.
    #[cfg(feature = "mesh")]
    pub(super) fn is_partial(&self) -> bool {
        self.ignored == ALL
    }

    /// With fields that get a warning.
    pub const fn not_modeled(self, fields: &'static str) -> Self {
        Self {
            not_modeled: fields,
            ..self
        }
    }

    /// With fields that are ignored.
    pub const fn ignored(self, fields: &'static str) -> Self {
        Self {
            ignored: fields,
            ..self
        }
    }

    /// The fields that are read, in order.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> {
        names(self.read)
    }

    /// The number of a value's keys that are fields of this message, among its first 1000.
    pub fn known_fields(&self, node: &Node<'_>) -> usize {
        let known = |entry: &&Entry<'_>| self.fate(&entry.key.name) != Fate::Unknown;
        counted(node).iter().filter(known).count()
    }

    /// The number of a value's keys, at most 1000.
    pub fn counted_fields(node: &Node<'_>) -> usize {
        counted(node).len()
    }

    /// Whether one of a value's first keys is a misspelled field of this message.
    pub fn is_near(&self, node: &Node<'_>) -> bool {
        const TRIED: usize = 20;
        let mut keys = counted(node)
            .iter()
            .take(TRIED)
            .map(|entry| &entry.key.name);
        keys.any(|name| self.fate(name) == Fate::Unknown && self.nearest(name).is_some())
    }

    /// How a field of this name is handled.
    pub(super) fn fate(&self, name: &str) -> Fate {
        let find = |fields| names(fields).find(|field| same_name(name, field));
        if find(self.read).or_else(|| find(self.ignored)).is_some() {
            return Fate::Accepted;
        }
        find(self.not_modeled).map_or(Fate::Unknown, Fate::NotModeled)
    }

    /// The field with the nearest name, if one is near.
    pub(super) fn nearest(&self, name: &str) -> Option<&'static str> {
        let fields = [self.read, self.not_modeled, self.ignored];
        nearest(name, fields.into_iter().flat_map(names))
    }
}

/// The first entries of an object, which suffice to recognize it.
fn counted<'n, 'a>(node: &'n Node<'a>) -> &'n [Entry<'a>] {
    const COUNTED: usize = 1000;
    let NodeValue::Map(entries) = &node.value else {
        return &[];
    };
    entries.get(..COUNTED).unwrap_or(entries)
}

fn names(fields: &'static str) -> impl Iterator<Item = &'static str> {
    fields.split_ascii_whitespace()
}
