//! Subset settings, with every selector as it stands.

use alloc::{string::String, vec::Vec};

use super::{Place, view::View};

/// `lb_subset_config`, or the typed subset policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubsetFacts {
    /// Where it stands.
    pub place: Place,
    /// Its `default_subset`.
    pub default_subset: Option<Place>,
    /// Its selectors, in the order of the text.
    pub selectors: Vec<SelectorFacts>,
}

/// One selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorFacts {
    /// Where it begins.
    pub place: Place,
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
