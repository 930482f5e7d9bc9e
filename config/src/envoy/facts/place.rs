//! The place of a fact.

use alloc::{format, string::String};

use crate::Position;

/// A field of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPlace {
    /// Its path, such as `static_resources.clusters[0].lb_policy`.
    pub path: String,
    /// Its first character.
    pub position: Position,
}

impl FieldPlace {
    /// A field of this message, possibly absent; it has the position of the message.
    #[must_use]
    pub fn field(&self, name: &str) -> Self {
        let path = match self.path.as_str() {
            "" => name.into(),
            path => format!("{path}.{name}"),
        };
        Self {
            path,
            ..self.clone()
        }
    }

    /// An element of this list.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self {
            path: format!("{}[{index}]", self.path),
            ..self.clone()
        }
    }
}
