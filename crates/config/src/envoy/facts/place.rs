//! The place of a fact.

use alloc::{format, string::String};

use crate::{
    Position,
    proto::{Message, Path},
};

/// A field of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPlace {
    /// Its path, such as `static_resources.clusters[0].lb_policy`.
    pub path: String,
    /// Its first character.
    pub position: Position,
}

impl Default for FieldPlace {
    /// The start of the input.
    fn default() -> Self {
        Self::new(&Path::root(), Position::START)
    }
}

impl FieldPlace {
    pub(in crate::envoy) fn new(path: &Path, position: Position) -> Self {
        let path = path.text();
        Self { path, position }
    }

    /// A message.
    pub(in crate::envoy) fn of(message: &Message<'_, '_>) -> Self {
        Self::new(&message.path, message.position)
    }

    /// A field of a message, if it has a value.
    pub(in crate::envoy) fn of_field(
        message: &Message<'_, '_>,
        field: &'static str,
    ) -> Option<Self> {
        let node = message.get(field)?;
        Some(Self::new(&message.path.field(field), node.position))
    }

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
