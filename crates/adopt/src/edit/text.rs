//! A text that changes.

use serde_json::{Map, Number, Value};
use spillgate_config::{
    Diagnostic, Position,
    node::{Node, NodeValue, Scalars, read_yaml},
};

use super::{
    change::{EditChange, EditStep, show_path},
    span::SpanNode,
    splice::{column, find, splice},
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
                let json = self.text.trim_start().starts_with('{');
                let splice = splice(&self.text, node, change, json);
                let (range, written) = splice.ok_or_else(|| fault("no such place in the text"))?;
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

    /// Replaces an alias by the value of its anchor.
    fn expand(&mut self, path: &[EditStep]) -> Result<(), Diagnostic> {
        let fault = || {
            Diagnostic::error("adopt/edit", "an alias cannot be replaced").at(show_path(path), None)
        };
        let Some((EditStep::Key(key), map)) = path.split_last() else {
            return Err(fault());
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
        self.change(&EditChange::ReplaceEntry(
            map.to_vec(),
            key.clone(),
            key.clone(),
            value,
        ))
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
