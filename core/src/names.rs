//! Names and their numbers: one map for all that is found by name. A map of another type would be
//! compiled again for the filter and the page.

use alloc::{borrow::ToOwned as _, collections::BTreeMap, string::String};

/// Numbers by name; each name once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    numbers: BTreeMap<String, usize>,
}

impl Names {
    /// Gives a name a number; the one it had before comes back.
    pub fn insert(&mut self, name: &str, number: usize) -> Option<usize> {
        if let Some(known) = self.numbers.get_mut(name) {
            return Some(core::mem::replace(known, number));
        }
        self.numbers.insert(name.to_owned(), number)
    }

    /// Adds a name by itself; whether it is new.
    pub fn add(&mut self, name: &str) -> bool {
        self.insert(name, 0).is_none()
    }

    /// The number of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// Whether the name is there.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.numbers.contains_key(name)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// All names, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        self.numbers.keys().map(String::as_str)
    }
}
