//! Subset settings, with every selector as it stands.

use alloc::{string::String, vec::Vec};

use super::{FieldPlace, view::View};

/// `lb_subset_config`, or the typed subset policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubsetFacts {
    /// Where it stands.
    pub place: FieldPlace,
    /// Its `default_subset`.
    pub default_subset: Option<FieldPlace>,
    /// Its selectors, in the order of the text.
    pub selectors: Vec<SelectorFacts>,
}

/// One selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorFacts {
    /// Where it begins.
    pub place: FieldPlace,
    /// Its keys, in the order of the text.
    pub keys: Vec<String>,
}

/// Reads either form.
pub(super) fn read(view: &View<'_, '_>) -> SubsetFacts {
    let selectors = view.list("subset_selectors");
    SubsetFacts {
        place: view.place(),
        default_subset: view.get("default_subset").map(|view| view.place()),
        selectors: selectors
            .iter()
            .map(|selector| SelectorFacts {
                place: selector.place(),
                keys: selector.texts("keys"),
            })
            .collect(),
    }
}
