//! A text that changes.

use std::{collections::BTreeSet, ops::Range};

use serde_json::{Map, Number, Value};
use spillgate_config::{
    Diagnostic, Position,
    node::{Node, NodeValue, Scalars, read_yaml},
};

use super::{
    change::{EditChange, EditStep, show_path},
    span::{SpanKind, SpanNode},
    splice::{MARK, column, find, item_replaced, splice},
    tree,
};

/// A text with one document of YAML or JSON.
#[derive(Debug, Clone)]
pub struct EditText {
    text: String,
    root: SpanNode,
    value: Value,
}

impl EditText {
    /// Reads a text.
    ///
    /// # Errors
    /// If the text is not one readable document.
    pub fn new(text: String) -> Result<Self, Diagnostic> {
        let value = value_of(&text)?;
        let root = tree::read(&text)?;
        Ok(Self { text, root, value })
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its value, as Envoy reads it. Aliases have the values of their anchors.
    #[must_use]
    pub const fn value(&self) -> &Value {
        &self.value
    }

    /// The line and column of a value.
    #[must_use]
    pub fn position(&self, path: &[EditStep]) -> Option<Position> {
        let node = find(&self.root, path).or_else(|alias| match alias {
            Some(depth) => find(
                &self.root,
                path.get(..depth.saturating_sub(1)).unwrap_or_default(),
            ),
            None => Err(None),
        });
        let start = node.ok()?.start;
        let lines = self.text.get(..start)?.matches('\n').count();
        Some(Position {
            line: u32::try_from(lines + 1).ok()?,
            column: u32::try_from(column(&self.text, start) + 1).ok()?,
        })
    }

    /// Makes a change.
    ///
    /// # Errors
    /// If the text has no such place, or the changed text would have other values than the changed value.
    pub fn change(&mut self, change: &EditChange) -> Result<(), Diagnostic> {
        let fault = |what: &str| {
            Diagnostic::error("adopt/edit", what)
                .at(show_path(change.path()), self.position(change.path()))
        };
        match find(&self.root, change.path()) {
            Err(Some(depth)) => {
                self.expand(change.path().get(..depth).unwrap_or_default())?;
                return self.change(change);
            }
            Err(None) => return Err(fault("no such place in the text")),
            Ok(node) => {
                let json = self.is_json();
                let splice = splice(&self.text, node, change, json);
                let (range, mut written) =
                    splice.ok_or_else(|| fault("no such place in the text"))?;
                if self.text.contains("\r\n") {
                    written = written.replace('\n', "\r\n");
                }
                if let Some(alias) = self.alias_of_changed(change.path(), &range) {
                    self.expand(&alias)?;
                    return self.change(change);
                }
                let mut value = self.value.clone();
                change
                    .apply(&mut value)
                    .ok_or_else(|| fault("no such place in the value"))?;
                let mut text = self.text.clone();
                text.replace_range(range, &written);
                let changed = Self::new(text)
                    .map_err(|why| fault("the text would not be readable").found(why.message))?;
                // Values of an anchor are also those of its aliases.
                if changed.value != value {
                    return Err(fault("the change would also change other values"));
                }
                *self = changed;
            }
        }
        Ok(())
    }

    /// Whether it is written as JSON.
    fn is_json(&self) -> bool {
        let text = self.text.trim_start_matches(MARK);
        text.trim_start().starts_with('{')
    }

    /// An alias of a value that a change of this range would change or remove: its value must stay.
    fn alias_of_changed(&self, path: &[EditStep], range: &Range<usize>) -> Option<Vec<EditStep>> {
        let is_within = |node: &SpanNode| node.start >= range.start && node.end <= range.end;
        let (mut changed, mut aliases) = (BTreeSet::new(), Vec::new());
        let mut open = vec![(Vec::new(), &self.root)];
        while let Some((place, node)) = open.pop() {
            if matches!(node.kind, SpanKind::Alias) {
                if !is_within(node) {
                    aliases.push((place, node.anchor));
                }
                continue;
            }
            if node.anchor != 0 && (is_within(node) || path.starts_with(&place)) {
                changed.insert(node.anchor);
            }
            let inside = |step| [place.as_slice(), &[step]].concat();
            match &node.kind {
                SpanKind::Map { entries, .. } => open.extend(
                    entries
                        .iter()
                        .map(|entry| (inside(EditStep::Key(entry.key.clone())), &entry.value)),
                ),
                SpanKind::List { items, .. } => open.extend(
                    items
                        .iter()
                        .enumerate()
                        .map(|(index, item)| (inside(EditStep::Item(index)), item)),
                ),
                SpanKind::Scalar | SpanKind::Alias => {}
            }
        }
        let mut bound = aliases.into_iter();
        let found = bound.find(|(_, anchor)| changed.contains(anchor));
        found.map(|(place, _)| place)
    }

    /// Replaces an alias by the value of its anchor.
    fn expand(&mut self, path: &[EditStep]) -> Result<(), Diagnostic> {
        let fault = || {
            Diagnostic::error("adopt/edit", "an alias cannot be replaced").at(show_path(path), None)
        };
        let mut value = &self.value;
        for step in path {
            let inner = match step {
                EditStep::Key(key) => value.get(key),
                EditStep::Item(index) => value.get(*index),
            };
            value = inner.ok_or_else(fault)?;
        }
        let value = value.clone();
        match path.split_last() {
            Some((EditStep::Key(key), map)) => self.change(&EditChange::ReplaceEntry(
                map.to_vec(),
                key.clone(),
                key.clone(),
                value,
            )),
            Some((EditStep::Item(index), list)) => {
                let (json, text) = (self.is_json(), &self.text);
                let list = find(&self.root, list).map_err(|_| fault())?;
                let splice = item_replaced(list, *index, &value, json);
                let (range, written) = splice.ok_or_else(fault)?;
                let mut text = text.clone();
                text.replace_range(range, &written);
                let changed = Self::new(text)?;
                if changed.value != self.value {
                    return Err(fault());
                }
                *self = changed;
                Ok(())
            }
            None => Err(fault()),
        }
    }
}

fn value_of(text: &str) -> Result<Value, Diagnostic> {
    let document = read_yaml(text, Scalars::Envoy)?;
    match document.roots.as_slice() {
        [root] => Ok(value(root)),
        _ => Err(Diagnostic::error(
            "adopt/edit",
            "cannot edit this text: not exactly one document",
        )),
    }
}

fn value(node: &Node<'_>) -> Value {
    match &node.value {
        NodeValue::Null => Value::Null,
        NodeValue::Bool(value) => (*value).into(),
        NodeValue::Int(value) => (*value).into(),
        NodeValue::Uint(value) => (*value).into(),
        NodeValue::Decimal(text) => {
            let number = text.parse::<f64>().ok().and_then(Number::from_f64);
            number.map_or_else(|| Value::from(text.as_ref()), Value::Number)
        }
        NodeValue::String(text) => text.as_ref().into(),
        NodeValue::List(items) => items.iter().map(value).collect(),
        NodeValue::Map(entries) => {
            let entries = entries
                .iter()
                .map(|entry| (entry.key.name.to_string(), value(&entry.node)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}
