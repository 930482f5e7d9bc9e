//! A value of the configuration and its path.

use serde_json::Value;

use crate::edit::EditStep;

/// A value and its path, by the names as written.
#[derive(Debug, Clone)]
pub(super) struct Place<'v> {
    /// The number of its file.
    pub(super) file: usize,
    pub(super) path: Vec<EditStep>,
    pub(super) value: &'v Value,
}

impl<'v> Place<'v> {
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

    /// Whether it is this message, by its own `@type`.
    pub(super) fn is_message(&self, message: &str) -> bool {
        let url = self.value.get("@type").and_then(Value::as_str);
        url.is_some_and(|url| url.rsplit(['/', '.']).next() == Some(message))
    }

    /// Whether it is this message, or its `typed_config`.
    pub(super) fn is_type(&self, message: &str) -> bool {
        let config = || self.field("typed_config");
        self.is_message(message) || config().is_some_and(|config| config.is_message(message))
    }

    /// The values inside: of a map, with their keys; of a list, with an empty key.
    pub(super) fn children(&self) -> Vec<(&'v str, Self)> {
        match self.value {
            Value::Object(map) => {
                let inner = map.iter();
                inner
                    .map(|(key, value)| {
                        (key.as_str(), self.inner(EditStep::Key(key.clone()), value))
                    })
                    .collect()
            }
            Value::Array(items) => {
                let inner = items.iter().enumerate();
                inner
                    .map(|(index, value)| ("", self.inner(EditStep::Item(index), value)))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether this value, or one inside, is such a value.
    pub(super) fn any(&self, is: &impl Fn(&Self) -> bool) -> bool {
        is(self) || self.children().iter().any(|(_, inner)| inner.any(is))
    }

    fn inner(&self, step: EditStep, value: &'v Value) -> Self {
        let mut path = self.path.clone();
        path.push(step);
        let file = self.file;
        Self { file, path, value }
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
