//! A document as places in its text.

/// A value in the text.
#[derive(Debug, Clone, Default)]
pub(super) struct SpanNode {
    /// The byte of its first character.
    pub(super) start: usize,
    /// The byte after its last character. Comments after it are outside.
    pub(super) end: usize,
    pub(super) kind: SpanKind,
    /// The number of its anchor, or of that of an alias; 0 without one.
    pub(super) anchor: usize,
}

/// What is written there.
#[derive(Debug, Clone, Default)]
pub(super) enum SpanKind {
    /// A scalar, or nothing.
    #[default]
    Scalar,
    /// A reference to an anchor.
    Alias,
    /// A list; `flow` in brackets.
    List { flow: bool, items: Vec<SpanNode> },
    /// A map; `flow` in braces.
    Map { flow: bool, entries: Vec<SpanEntry> },
}

/// An entry of a map.
#[derive(Debug, Clone)]
pub(super) struct SpanEntry {
    pub(super) key: String,
    pub(super) key_start: usize,
    pub(super) value: SpanNode,
}

/// The byte after the anchor and the tag at this byte.
pub(super) fn content(text: &str, start: usize) -> usize {
    let mut at = start;
    while let Some(rest) = text.get(at..).filter(|rest| rest.starts_with(['&', '!'])) {
        let name = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(name);
        at += name.len() + rest.len() - rest.trim_start().len();
    }
    at
}
