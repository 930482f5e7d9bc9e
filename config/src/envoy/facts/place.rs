//! Where a fact stands.

use alloc::{format, string::String};

use crate::Position;

/// A field of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPlace {
    /// The way to it, such as `static_resources.clusters[0].lb_policy`.
    pub path: String,
    /// Its first character.
    pub position: Position,
}

impl FieldPlace {
    /// A field that could stand here and does not; it has the position of what it would be in.
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
