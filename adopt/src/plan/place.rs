//! A value of the configuration and its path.

use serde_json::Value;
use spillgate_config::Diagnostic;

use crate::edit::{EditStep, EditText, show_path};

/// A value and its path, by the names as written.
#[derive(Debug, Clone)]
pub(super) struct Place<'v> {
    pub(super) path: Vec<EditStep>,
    pub(super) value: &'v Value,
}

impl<'v> Place<'v> {
    /// The whole configuration.
    pub(super) const fn root(text: &'v EditText) -> Self {
        Self {
            path: Vec::new(),
            value: text.value(),
        }
    }

    /// The field of this name in snake case, written so or in camel case.
    pub(super) fn field(&self, name: &str) -> Option<Self> {
        let key = self.key(name)?;
        let value = self.value.get(&key)?;
        Some(self.inner(EditStep::Key(key), value))
    }

    /// How the name of a field is written.
    pub(super) fn key(&self, name: &str) -> Option<String> {
        let map = self.value.as_object()?;
        let names = [name.to_owned(), camel(name)];
        names.into_iter().find(|name| map.contains_key(name))
    }

    /// The value at a path of fields.
    pub(super) fn at(&self, names: &[&str]) -> Option<Self> {
        names
            .iter()
            .try_fold(self.clone(), |at, name| at.field(name))
    }

    /// The text of a field.
    pub(super) fn text(&self, name: &str) -> Option<&'v str> {
        self.value.get(self.key(name)?)?.as_str()
    }

    /// The items of a field that is a list.
    pub(super) fn items(&self, name: &str) -> Vec<Self> {
        let Some(list) = self.field(name) else {
            return Vec::new();
        };
        let items = list.value.as_array().into_iter().flatten().enumerate();
        items
            .map(|(index, value)| list.inner(EditStep::Item(index), value))
            .collect()
    }

    /// Whether its `@type`, or that of its `typed_config`, is this message.
    pub(super) fn is_type(&self, message: &str) -> bool {
        let of = |place: &Self| {
            let name = place
                .value
                .get("@type")
                .and_then(Value::as_str)
                .unwrap_or_default();
            name.rsplit(['/', '.']).next() == Some(message)
        };
        of(self) || self.field("typed_config").is_some_and(|config| of(&config))
    }

    fn inner(&self, step: EditStep, value: &'v Value) -> Self {
        let mut path = self.path.clone();
        path.push(step);
        Self { path, value }
    }

    /// An error at this place.
    pub(super) fn fault(&self, text: &EditText, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error("adopt/not-carried-over", message)
            .at(show_path(&self.path), text.position(&self.path))
    }
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let mut camel = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut chars = part.chars();
        camel.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(chars.as_str());
    }
    camel
}
