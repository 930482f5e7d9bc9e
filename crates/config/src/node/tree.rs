//! The tree.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use spillgate_core::{order, visible::quoted};

use crate::{Affects, Diagnostic, MAXIMUM_DIAGNOSTICS, Position};

/// A value and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node<'a> {
    /// The value.
    pub value: NodeValue<'a>,
    /// Position of its first character.
    pub position: Position,
}

/// The kinds of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeValue<'a> {
    /// Null; proto3 JSON reads it as an absent field.
    Null,
    /// A Boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer above the largest [`NodeValue::Int`].
    Uint(u64),
    /// A number with a fraction, an exponent or too many digits, as written. It is finite.
    Decimal(Cow<'a, str>),
    /// A string.
    String(Cow<'a, str>),
    /// Values in order.
    List(Vec<Node<'a>>),
    /// Named values in order. Of duplicate names the last one is used.
    Map(Vec<Entry<'a>>),
}

/// One named value of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The name.
    pub key: Key<'a>,
    /// The value.
    pub node: Node<'a>,
}

/// A name in a map and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key<'a> {
    /// The name, unescaped.
    pub name: Cow<'a, str>,
    /// Position of its first character.
    pub position: Position,
}

/// The result of reading a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document<'a> {
    /// The root values, one per document; a JSON text has exactly one.
    pub roots: Vec<Node<'a>>,
    /// Warnings about duplicate keys, and about JSON that only Envoy accepts: at most two more than [`MAXIMUM_DIAGNOSTICS`], so that a report
    /// of them says that there are more.
    pub warnings: Vec<Diagnostic>,
}

impl<'a> Node<'a> {
    /// The last value of that name, if this is a map with that name.
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

    /// The value without borrowed text, with other positions.
    #[must_use]
    pub(crate) fn moved(self, to: &dyn Fn(Position) -> Position) -> Node<'static> {
        let owned = |text: Cow<'a, str>| Cow::Owned(text.into_owned());
        let value = match self.value {
            NodeValue::Null => NodeValue::Null,
            NodeValue::Bool(value) => NodeValue::Bool(value),
            NodeValue::Int(value) => NodeValue::Int(value),
            NodeValue::Uint(value) => NodeValue::Uint(value),
            NodeValue::Decimal(text) => NodeValue::Decimal(owned(text)),
            NodeValue::String(text) => NodeValue::String(owned(text)),
            NodeValue::List(items) => {
                NodeValue::List(items.into_iter().map(|item| item.moved(to)).collect())
            }
            NodeValue::Map(entries) => {
                let entries = entries.into_iter().map(|entry| Entry {
                    key: Key {
                        name: owned(entry.key.name),
                        position: to(entry.key.position),
                    },
                    node: entry.node.moved(to),
                });
                NodeValue::Map(entries.collect())
            }
        };
        Node {
            value,
            position: to(self.position),
        }
    }

    /// Whether it is a list or a map.
    const fn has_parts(&self) -> bool {
        matches!(self.value, NodeValue::List(_) | NodeValue::Map(_))
    }

    /// A short description for messages: the value if it is short, otherwise its kind.
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

impl Document<'_> {
    /// Moves all positions down, for a text that follows other texts of the same input.
    pub(crate) fn move_down(&mut self, lines: u32) {
        if lines == 0 {
            return;
        }
        for root in &mut self.roots {
            root.move_down(lines);
        }
        for warning in &mut self.warnings {
            warning.position = warning.position.map(|position| position.below(lines));
        }
    }
}

impl Node<'_> {
    fn move_down(&mut self, lines: u32) {
        self.position = self.position.below(lines);
        match &mut self.value {
            NodeValue::List(items) => {
                for item in items {
                    item.move_down(lines);
                }
            }
            NodeValue::Map(entries) => {
                for Entry { key, node } in entries {
                    key.position = key.position.below(lines);
                    node.move_down(lines);
                }
            }
            _ => {}
        }
    }
}

/// The text in quotes, shortened if it is long, with control characters in visible form.
#[must_use]
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut further = text.char_indices().skip(LONGEST);
    match further.next() {
        Some((end, _)) => {
            let mut out = quoted(text.get(..end).unwrap_or_default());
            out.insert(out.len().saturating_sub(1), '…');
            out
        }
        None => quoted(text),
    }
}

/// How the program that the input is for reads duplicate names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeated {
    /// The last value replaces the others.
    Last,
    /// Lists and maps are combined, as Envoy does in JSON; of other values the last one counts.
    Combined,
}

/// One diagnostic for each duplicate name in `entries`, until there are more than a report lists.
pub(super) fn repeated_keys(entries: &[Entry<'_>], how: Repeated, into: &mut Vec<Diagnostic>) {
    // Most maps are small; comparing all pairs then needs no memory.
    const SMALL: usize = 16;
    if entries.len() <= SMALL {
        for (index, entry) in entries.iter().enumerate() {
            let earlier = entries.iter().take(index);
            if let Some(first) = earlier.rev().find(|e| e.key.name == entry.key.name)
                && into.len() <= MAXIMUM_DIAGNOSTICS
            {
                into.push(repeated(first, entry, how));
            }
        }
        return;
    }
    // Equal names stay in text order.
    let sorted = order::sorted(entries.iter().collect(), |a: &&Entry<'_>, b| {
        a.key.name.cmp(&b.key.name)
    });
    for pair in sorted.windows(2) {
        if let [first, second] = pair
            && first.key.name == second.key.name
            && into.len() <= MAXIMUM_DIAGNOSTICS
        {
            into.push(repeated(first, second, how));
        }
    }
}

fn repeated(first: &Entry<'_>, second: &Entry<'_>, how: Repeated) -> Diagnostic {
    const CODE: &str = "config/repeated-key";
    let (name, line) = (quote(&second.key.name), first.key.position.line);
    let what = format!("duplicate key {name}, first defined at line {line};");
    let is_combined =
        how == Repeated::Combined && second.node.has_parts() && first.node.has_parts();
    let found = if is_combined {
        let effect = format!("{what} Envoy combines both values, here only the last one is read");
        Diagnostic::limit(CODE, effect, Affects::Everything)
    } else {
        Diagnostic::warning(CODE, format!("{what} using the last one"))
    };
    found.at("", second.key.position)
}
