//! Settings with their places in the input.

use alloc::vec::Vec;

use crate::envoy::facts::FieldPlace;

/// Settings, and where the input states them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedSettings<T> {
    /// The settings.
    pub settings: T,
    /// The place of their message.
    pub place: FieldPlace,
    fields: Vec<(&'static str, FieldPlace)>,
}

impl<T> LocatedSettings<T> {
    pub(super) const fn new(
        settings: T,
        place: FieldPlace,
        fields: Vec<(&'static str, FieldPlace)>,
    ) -> Self {
        Self {
            settings,
            place,
            fields,
        }
    }

    /// The place of a setting, by its proto name; `None` for a default. A runtime value that replaces it has the place
    /// in the runtime.
    #[must_use]
    pub fn place_of(&self, field: &str) -> Option<&FieldPlace> {
        let known = self.fields.iter().rfind(|(name, _)| *name == field);
        known.map(|(_, place)| place)
    }
}
