//! The files of a configuration, and changes in them.

use serde_json::Value;
use spillgate_config::{Diagnostic, Position};

use super::place::Place;
use crate::edit::{EditChange, EditStep, EditText, show_path};

/// All files of a configuration: a bootstrap, and the resources that it reads from files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Files<'t>(pub(super) &'t [EditText]);

/// A change of one file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Edit {
    /// The number of the file.
    pub(super) file: usize,
    /// The change.
    pub(super) change: EditChange,
}

impl<'t> Files<'t> {
    /// The whole files.
    pub(super) fn roots(self) -> impl Iterator<Item = Place<'t>> {
        let roots = self.0.iter().enumerate();
        roots.map(|(file, text)| Place {
            file,
            path: Vec::new(),
            value: text.value(),
        })
    }

    /// The bootstrap: the first file with a part that only bootstraps have.
    pub(super) fn bootstrap(self) -> Option<Place<'t>> {
        const PARTS: [&str; 5] = [
            "static_resources",
            "dynamic_resources",
            "admin",
            "node",
            "bootstrap_extensions",
        ];
        self.roots()
            .find(|root| PARTS.iter().any(|part| root.key(part).is_some()))
    }

    /// The static resources of a kind, then those of discovery responses in files. `list`: their field in
    /// `static_resources`, if they can be there; `message`: the name of their message.
    pub(super) fn resources(self, list: Option<&str>, message: &str) -> Vec<Place<'t>> {
        let mut found = Vec::new();
        for root in self.roots() {
            if let (Some(list), Some(own)) = (list, root.field("static_resources")) {
                found.extend(own.items(list));
            }
            let resources = root.items("resources").into_iter();
            found.extend(resources.filter(|resource| resource.is_message(message)));
        }
        found
    }

    /// The line and column of a value, counted over all files as in a
    /// [`SourceMap`](spillgate_config::SourceMap).
    pub(super) fn position(self, place: &Place<'_>) -> Option<Position> {
        let before = self.0.get(..place.file)?.iter();
        let before: usize = before.map(|text| text.text().lines().count()).sum();
        let own = self.0.get(place.file)?.position(&place.path)?;
        Some(Position {
            line: own.line + u32::try_from(before).ok()?,
            ..own
        })
    }

    /// The texts after changes, in order.
    pub(super) fn changed(self, edits: &[Edit]) -> Result<Vec<String>, Vec<Diagnostic>> {
        let mut texts = self.0.to_vec();
        for edit in edits {
            if let Some(text) = texts.get_mut(edit.file) {
                text.change(&edit.change).map_err(|fault| vec![fault])?;
            }
        }
        let texts = texts.iter().map(|text| text.text().to_owned());
        Ok(texts.collect())
    }
}

/// Errors about a value, and changes of it.
impl Place<'_> {
    /// An error at this place.
    pub(super) fn fault(&self, files: Files<'_>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error("adopt/not-carried-over", message)
            .at(show_path(&self.path), files.position(self))
    }

    fn edit(&self, change: EditChange) -> Edit {
        let file = self.file;
        Edit { file, change }
    }

    /// Adds an entry to this map.
    pub(super) fn add_entry(&self, key: &str, value: Value) -> Edit {
        self.edit(EditChange::AddEntry(self.path.clone(), key.into(), value))
    }

    /// Replaces an entry of this map.
    pub(super) fn replace_entry(&self, old: &str, new: &str, value: Value) -> Edit {
        let (old, new) = (old.to_owned(), new.to_owned());
        self.edit(EditChange::ReplaceEntry(self.path.clone(), old, new, value))
    }

    /// Removes an entry of this map.
    pub(super) fn remove_entry(&self, key: &str) -> Edit {
        self.edit(EditChange::RemoveEntry(self.path.clone(), key.into()))
    }

    /// Adds an item to the list in a field of this map, or the list; at the end without an index.
    pub(super) fn add_item(&self, name: &str, at: Option<usize>, item: Value) -> Edit {
        let Some(list) = self.field(name) else {
            return self.add_entry(name, Value::from(vec![item]));
        };
        match (list.value.as_array(), list.path.last()) {
            (Some(items), _) if !items.is_empty() => self.edit(EditChange::AddItem(
                list.path,
                at.unwrap_or(usize::MAX),
                item,
            )),
            (_, Some(EditStep::Key(key))) => self.replace_entry(key, key, Value::from(vec![item])),
            _ => self.edit(EditChange::AddItem(list.path, 0, item)),
        }
    }

    /// Removes this item from its list.
    pub(super) fn remove_item(&self) -> Option<Edit> {
        match self.path.split_last() {
            Some((EditStep::Item(index), list)) => {
                Some(self.edit(EditChange::RemoveItem(list.to_vec(), *index)))
            }
            _ => None,
        }
    }

    /// Sets a value below maps that may be missing: `names` from this map to the key of the value.
    pub(super) fn set_entry(&self, names: &[&str], value: Value) -> Edit {
        let (first, rest) = match names.split_first() {
            Some((first, rest)) if !rest.is_empty() => (first, rest),
            Some((only, _)) => return self.add_entry(only, value),
            None => return self.add_entry("", value),
        };
        match self.field(first) {
            Some(inner) => inner.set_entry(rest, value),
            None => {
                let nested = rest.iter().rev().fold(value, |value, name| {
                    Value::Object([((*name).to_owned(), value)].into_iter().collect())
                });
                self.add_entry(first, nested)
            }
        }
    }
}
