//! Changes of a document, as data.

use serde_json::Value;

/// One step from a value to a value inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditStep {
    /// The value of this key, as written.
    Key(String),
    /// The item at this index.
    Item(usize),
}

/// A change of one value.
#[derive(Debug, Clone, PartialEq)]
pub enum EditChange {
    /// Adds an entry at the end of the map at the path.
    AddEntry(Vec<EditStep>, String, Value),
    /// Replaces the entry of this key in the map at the path: the new key and its value.
    ReplaceEntry(Vec<EditStep>, String, String, Value),
    /// Removes the entry of this key from the map at the path.
    RemoveEntry(Vec<EditStep>, String),
    /// Adds an item to the list at the path, before the item at this index, or at the end.
    AddItem(Vec<EditStep>, usize, Value),
    /// Removes the item at this index from the list at the path.
    RemoveItem(Vec<EditStep>, usize),
}

impl EditChange {
    /// The path of the list or map that changes.
    pub(crate) fn path(&self) -> &[EditStep] {
        match self {
            Self::AddEntry(path, ..)
            | Self::ReplaceEntry(path, ..)
            | Self::RemoveEntry(path, ..)
            | Self::AddItem(path, ..)
            | Self::RemoveItem(path, ..) => path,
        }
    }

    /// Makes the change in a value; `None` if the value has no such place.
    pub(crate) fn apply(&self, root: &mut Value) -> Option<()> {
        let mut at = root;
        for step in self.path() {
            at = match step {
                EditStep::Key(key) => at.get_mut(key)?,
                EditStep::Item(index) => at.get_mut(*index)?,
            };
        }
        match self {
            Self::AddEntry(_, key, value) => {
                let map = at.as_object_mut()?;
                (!map.contains_key(key)).then_some(())?;
                map.insert(key.clone(), value.clone());
            }
            Self::ReplaceEntry(_, old, new, value) => {
                let map = at.as_object_mut()?;
                let entries = core::mem::take(map).into_iter().map(|(key, own)| {
                    if key == *old {
                        (new.clone(), value.clone())
                    } else {
                        (key, own)
                    }
                });
                *map = entries.collect();
            }
            Self::RemoveEntry(_, key) => {
                at.as_object_mut()?.shift_remove(key)?;
            }
            Self::AddItem(_, index, value) => {
                let list = at.as_array_mut()?;
                list.insert((*index).min(list.len()), value.clone());
            }
            Self::RemoveItem(_, index) => {
                let list = at.as_array_mut()?;
                (*index < list.len()).then(|| list.remove(*index))?;
            }
        }
        Some(())
    }
}

/// The path as in diagnostics.
#[must_use]
pub fn show_path(path: &[EditStep]) -> String {
    let mut shown = String::new();
    for step in path {
        match step {
            EditStep::Key(key) if shown.is_empty() => shown.push_str(key),
            EditStep::Key(key) => shown.extend([".", key.as_str()]),
            EditStep::Item(index) => shown.push_str(&format!("[{index}]")),
        }
    }
    shown
}
