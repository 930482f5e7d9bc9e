//! Which fields a message has and what becomes of them.

use super::names::{nearest, same_name};
use crate::node::{Entry, Node, NodeValue};

/// The fields of one message. All of them are listed, so that a field that is not can be refused
/// as Envoy refuses it. A list is one text with spaces between the names.
#[derive(Debug)]
pub struct Schema {
    /// The message's name, for diagnostics.
    pub(crate) name: &'static str,
    /// Fields that are read.
    read: &'static str,
    /// Fields that change how load is balanced and that the engine does not model.
    unmodeled: &'static str,
    /// Fields that have nothing to do with balancing.
    ignored: &'static str,
}

/// What becomes of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Accepted,
    Unmodeled(&'static str),
    Unknown,
}

impl Schema {
    /// A message whose fields are all read.
    pub const fn new(name: &'static str, read: &'static str) -> Self {
        Self {
            name,
            read,
            unmodeled: "",
            ignored: "",
        }
    }

    /// With fields that are named in a warning.
    pub const fn unmodeled(self, fields: &'static str) -> Self {
        Self {
            unmodeled: fields,
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

    /// How many of a value's keys are fields of this message; of a huge value the first ones do.
    pub fn known_fields(&self, node: &Node<'_>) -> usize {
        let NodeValue::Map(entries) = &node.value else {
            return 0;
        };
        let known = |entry: &&Entry<'_>| self.fate(&entry.key.name) != Fate::Unknown;
        entries.iter().take(1000).filter(known).count()
    }

    /// What becomes of a field of this name.
    pub(super) fn fate(&self, name: &str) -> Fate {
        let find = |fields| names(fields).find(|field| same_name(name, field));
        if find(self.read).or_else(|| find(self.ignored)).is_some() {
            return Fate::Accepted;
        }
        find(self.unmodeled).map_or(Fate::Unknown, Fate::Unmodeled)
    }

    /// The field whose name is nearest to this one, if any is near.
    pub(super) fn nearest(&self, name: &str) -> Option<&'static str> {
        let fields = [self.read, self.unmodeled, self.ignored];
        nearest(name, fields.into_iter().flat_map(names))
    }
}

fn names(fields: &'static str) -> impl Iterator<Item = &'static str> {
    fields.split_ascii_whitespace()
}
