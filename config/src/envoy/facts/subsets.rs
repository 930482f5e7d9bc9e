//! Subset settings with all selectors.

use alloc::{string::String, vec::Vec};

use super::{FieldPlace, view::View};

/// `lb_subset_config`, or the typed subset policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubsetFacts {
    /// Their place.
    pub place: FieldPlace,
    /// Its `default_subset`.
    pub default_subset: Option<FieldPlace>,
    /// The selectors, in input order.
    pub selectors: Vec<SelectorFacts>,
}

/// One selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorFacts {
    /// Its position.
    pub place: FieldPlace,
    /// Its keys, in input order.
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
