//! The messages of an input as they are: gRPC reads some fields differently than Envoy's readers do.

use std::collections::HashMap;

use crate::input::Faults;
use spillgate_config::{
    NamedText, Position, SourceMap,
    envoy::facts::FieldPlace,
    node::{Document, Node, NodeValue},
    proto::field_of,
};

/// The parsed texts of an input.
pub struct ParsedTexts<'t>(Vec<Document<'t>>);

impl<'t> ParsedTexts<'t> {
    /// Parses texts that readers have accepted.
    ///
    /// # Errors
    /// Those of the readers.
    pub fn of(texts: &'t [NamedText]) -> Result<Self, Faults> {
        let parse = |text: &'t NamedText| {
            let parsed = text.source().format.parse(&text.text);
            parsed.map_err(|fault| Faults::one(&text.name, &fault))
        };
        texts.iter().map(parse).collect::<Result<_, _>>().map(Self)
    }

    /// No texts.
    pub(crate) const fn none() -> Self {
        Self(Vec::new())
    }
}

impl<'t> ParsedTexts<'t> {
    /// The values of a text.
    pub(super) fn roots_of(&self, file: usize) -> &[Node<'t>] {
        self.0.get(file).map_or(&[], |document| &document.roots)
    }
}

/// The messages by position.
pub(super) struct Messages<'d> {
    files: &'d SourceMap,
    by_place: HashMap<(usize, u32, u32), &'d Node<'d>>,
}

impl<'d> Messages<'d> {
    pub(super) fn of(parsed: &'d ParsedTexts<'_>, files: &'d SourceMap) -> Self {
        let mut messages = Self {
            files,
            by_place: HashMap::new(),
        };
        for (file, document) in parsed.0.iter().enumerate() {
            for root in &document.roots {
                messages.add(file, root);
            }
        }
        messages
    }

    /// Recursive: the parser limits the depth.
    fn add(&mut self, file: usize, node: &'d Node<'d>) {
        match &node.value {
            NodeValue::Map(entries) => {
                let Position { line, column } = node.position;
                self.by_place.entry((file, line, column)).or_insert(node);
                for entry in entries {
                    self.add(file, &entry.node);
                }
            }
            NodeValue::List(items) => items.iter().for_each(|item| self.add(file, item)),
            _ => {}
        }
    }

    /// The message of a fact; `None` for a message inside a text of another format.
    pub(super) fn at(&self, place: &FieldPlace) -> Option<&'d Node<'d>> {
        let found = self.files.place(place.position);
        let Position { line, column } = found.position;
        self.by_place.get(&(found.file, line, column)).copied()
    }
}

/// A field inside a message, by the names of the fields that lead to it.
pub(super) fn inside<'n, 'a>(node: &'n Node<'a>, path: &[&str]) -> Option<&'n Node<'a>> {
    path.iter()
        .try_fold(node, |node, name| field_of(node, name))
}

/// The text of a value.
pub(super) fn text_of<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    match &node.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}

/// The value of an unsigned field: a number, or its text.
pub(super) fn number_of(node: &Node<'_>) -> Option<u64> {
    match &node.value {
        NodeValue::Uint(value) => Some(*value),
        NodeValue::Int(value) => u64::try_from(*value).ok(),
        NodeValue::String(text) | NodeValue::Decimal(text) => text.parse().ok(),
        _ => None,
    }
}

/// The value of an enum: its name, or that of its number in this list.
pub(super) fn name_of<'n>(node: &'n Node<'_>, names: &'n [&'n str]) -> Option<&'n str> {
    match text_of(node) {
        Some(name) => Some(name),
        None => names.get(usize::try_from(number_of(node)?).ok()?).copied(),
    }
}

/// The type of an extension's `typed_config`, without the part before the last slash.
pub(super) fn type_of<'n>(typed_config: &'n Node<'_>) -> Option<&'n str> {
    let url = text_of(typed_config.get("@type")?)?;
    Some(url.rsplit('/').next().unwrap_or(url))
}
