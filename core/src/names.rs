//! A map from names to numbers, used for all lookups by name. Maps of other types would be compiled
//! again for the filter and the web page.

use alloc::{borrow::ToOwned as _, collections::BTreeMap, string::String};

/// Numbers by name. Names are unique and sorted.
///
/// # Examples
/// ```
/// use spillgate_core::names::Names;
///
/// let mut names = Names::default();
/// assert_eq!(names.insert("shop", 3), None);
/// assert!(!names.add("shop"));
/// assert!(names.contains("shop"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    numbers: BTreeMap<String, usize>,
}

impl Names {
    /// Sets the number of a name; returns its previous number.
    pub fn insert(&mut self, name: &str, number: usize) -> Option<usize> {
        if let Some(known) = self.numbers.get_mut(name) {
            return Some(core::mem::replace(known, number));
        }
        self.numbers.insert(name.to_owned(), number)
    }

    /// Adds a name without a number; returns whether it is new. The number of an existing name
    /// becomes 0.
    pub fn add(&mut self, name: &str) -> bool {
        self.insert(name, 0).is_none()
    }

    /// The number of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// Whether the name exists.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.numbers.contains_key(name)
    }

    /// Whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// All names, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        self.numbers.keys().map(String::as_str)
    }
}
