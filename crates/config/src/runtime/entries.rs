//! The runtime values in effect, by key.

use alloc::{string::String, vec::Vec};

use spillgate_core::names::Names;

use super::RuntimeValue;
use crate::Position;

/// The runtime values in effect: the final values of all layers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Runtime {
    /// The indices of the entries, by key.
    keys: Names,
    entries: Vec<RuntimeEntry>,
    known: bool,
}

/// One runtime value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct RuntimeEntry {
    /// The value.
    pub value: RuntimeValue,
    /// The path in the input.
    pub path: String,
    /// The position in the input.
    pub position: Position,
}

impl Runtime {
    /// The same values, of an input that has the layers or the final values of an Envoy.
    #[must_use]
    pub fn known(self) -> Self {
        Self {
            known: true,
            ..self
        }
    }

    /// Whether the input has the layers or the final values of an Envoy.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        self.known
    }

    /// Sets the value of a key; a later layer replaces the value of an earlier one.
    pub fn set(&mut self, key: &str, entry: RuntimeEntry) {
        self.keys.insert(key, self.entries.len());
        self.entries.push(entry);
    }

    /// The value of a key. An empty key has none, as in Envoy.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&RuntimeEntry> {
        self.entry(key).filter(|_| !key.is_empty())
    }

    /// The keys with their values, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RuntimeEntry)> {
        let keys = self.keys.iter();
        keys.filter_map(|key| Some((key, self.entry(key)?)))
    }

    fn entry(&self, key: &str) -> Option<&RuntimeEntry> {
        self.entries.get(self.keys.get(key)?)
    }
}
