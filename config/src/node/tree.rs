//! The tree itself.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use spillgate_core::order;

use crate::{Diagnostic, Position};

/// A value and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'a> {
    /// What stands there.
    pub value: NodeValue<'a>,
    /// Its first character.
    pub position: Position,
}

/// The kinds of values.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeValue<'a> {
    /// Nothing; proto3 JSON reads it as an absent field.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number above the largest [`NodeValue::Int`].
    Uint(u64),
    /// A number with a fraction, an exponent or more digits than fit, as written. It is finite.
    Decimal(Cow<'a, str>),
    /// A text.
    String(Cow<'a, str>),
    /// Values in order.
    List(Vec<Node<'a>>),
    /// Named values in order. A name may stand twice: the last one counts.
    Map(Vec<Entry<'a>>),
}

/// One named value of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'a> {
    /// The name.
    pub key: Key<'a>,
    /// The value.
    pub node: Node<'a>,
}

/// A name in a map and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Key<'a> {
    /// The name, unescaped.
    pub name: Cow<'a, str>,
    /// Its first character.
    pub position: Position,
}

/// What a reader makes of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'a> {
    /// The values, one for each document; a JSON text has exactly one.
    pub roots: Vec<Node<'a>>,
    /// Keys that stand twice in a map.
    pub repeated: Vec<Diagnostic>,
}

impl<'a> Node<'a> {
    /// The last value of that name, if this is a map that has it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Node<'a>> {
        let NodeValue::Map(entries) = &self.value else {
            return None;
        };
        entries
            .iter()
            .rfind(|entry| entry.key.name == name)
            .map(|entry| &entry.node)
    }

    /// What stands here, in a few words for a message: kind and, where it is short, the value.
    #[must_use]
    pub fn describe(&self) -> String {
        match &self.value {
            NodeValue::Null => "null".into(),
            NodeValue::Bool(value) => format!("{value}"),
            NodeValue::Int(value) => format!("{value}"),
            NodeValue::Uint(value) => format!("{value}"),
            NodeValue::Decimal(text) => text.as_ref().into(),
            NodeValue::String(text) => quote(text),
            NodeValue::List(items) => format!("a list of {}", items.len()),
            NodeValue::Map(entries) => match entries.as_slice() {
                [] => "an empty object".into(),
                [entry, ..] => format!("an object with {}", quote(&entry.key.name)),
            },
        }
    }
}

/// The text in quotes, shortened when long, without control characters.
pub(crate) fn quote(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut out = String::from("\"");
    for (index, c) in text.chars().enumerate() {
        if index == LONGEST {
            out.push('…');
            break;
        }
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// One diagnostic for each name that stands more than once among `entries`.
pub(super) fn repeated_keys(entries: &[Entry<'_>], into: &mut Vec<Diagnostic>) {
    // Most maps are small, and then comparing all pairs needs no memory.
    const SMALL: usize = 16;
    if entries.len() <= SMALL {
        for (index, entry) in entries.iter().enumerate() {
            let earlier = entries.iter().take(index);
            if let Some(first) = earlier.rev().find(|e| e.key.name == entry.key.name) {
                into.push(repeated(&first.key, &entry.key));
            }
        }
        return;
    }
    // Equal names stay in the order of the text.
    let keys = entries.iter().map(|entry| &entry.key).collect();
    let keys = order::sorted(keys, |a: &&Key<'_>, b| a.name.cmp(&b.name));
    for pair in keys.windows(2) {
        if let [first, second] = pair
            && first.name == second.name
        {
            into.push(repeated(first, second));
        }
    }
}

fn repeated(first: &Key<'_>, second: &Key<'_>) -> Diagnostic {
    Diagnostic::warning(
        "config/repeated-key",
        format!(
            "the key {} already stands at line {}, column {}; only the last one counts",
            quote(&second.name),
            first.position.line,
            first.position.column
        ),
    )
    .at("", second.position)
}
