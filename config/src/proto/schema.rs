//! Which fields a message has and what becomes of them.

use super::names::{nearest, same_name};
use crate::node::{Entry, Node, Value};

/// The fields of one message. All of them are listed, so that a field that is not can be refused
/// as Envoy refuses it.
#[derive(Debug)]
pub struct Schema {
    /// The message's name, for diagnostics.
    pub name: &'static str,
    /// Fields that are read.
    pub read: &'static [&'static str],
    /// Fields that change how load is balanced and that the engine does not model.
    pub unmodelled: &'static [&'static str],
    /// Fields that have nothing to do with balancing.
    pub ignored: &'static [&'static str],
}

/// What becomes of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Accepted,
    Unmodelled(&'static str),
    Unknown,
}

impl Schema {
    /// A message whose fields are all read.
    pub const fn new(name: &'static str, read: &'static [&'static str]) -> Self {
        Self {
            name,
            read,
            unmodelled: &[],
            ignored: &[],
        }
    }

    /// With fields that are named in a warning.
    pub const fn unmodelled(self, fields: &'static [&'static str]) -> Self {
        Self {
            unmodelled: fields,
            ..self
        }
    }

    /// With fields that are ignored.
    pub const fn ignored(self, fields: &'static [&'static str]) -> Self {
        Self {
            ignored: fields,
            ..self
        }
    }

    /// How many of a value's keys are fields of this message; of a huge value the first ones do.
    pub fn known_fields(&self, node: &Node<'_>) -> usize {
        let Value::Map(entries) = &node.value else {
            return 0;
        };
        let known = |entry: &&Entry<'_>| self.fate(&entry.key.name) != Fate::Unknown;
        entries.iter().take(1000).filter(known).count()
    }

    pub(super) fn fate(&self, name: &str) -> Fate {
        let find =
            |fields: &[&'static str]| fields.iter().copied().find(|field| same_name(name, field));
        if find(self.read).or_else(|| find(self.ignored)).is_some() {
            return Fate::Accepted;
        }
        find(self.unmodelled).map_or(Fate::Unknown, Fate::Unmodelled)
    }

    /// The field whose name is nearest to this one, if any is near.
    pub(super) fn nearest(&self, name: &str) -> Option<&'static str> {
        let fields = [self.read, self.unmodelled, self.ignored];
        nearest(name, fields.into_iter().flatten().copied())
    }
}
