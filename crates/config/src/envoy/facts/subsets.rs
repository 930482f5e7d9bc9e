//! Subset settings with all selectors.

use alloc::{string::String, sync::Arc, vec::Vec};

use super::{
    FieldPlace,
    scalar::{ReadScalar, scalars_of},
};
use crate::proto::Message;

/// `lb_subset_config`, or the typed subset policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubsetFacts {
    /// Their place.
    pub place: FieldPlace,
    /// Its `default_subset`.
    pub default_subset: Option<FieldPlace>,
    /// The selectors, in input order.
    pub selectors: Vec<SelectorFacts>,
    /// The scalars of the metadata in it, for [`ConfigFacts::scalars`](super::ConfigFacts).
    pub(in crate::envoy) scalars: Vec<ReadScalar>,
}

/// One selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorFacts {
    /// Its position.
    pub place: FieldPlace,
    /// Its keys, in input order.
    pub keys: Vec<String>,
}

impl SubsetFacts {
    /// Settings without selectors.
    pub(in crate::envoy) fn of(message: &Message<'_, '_>) -> Self {
        Self {
            place: FieldPlace::of(message),
            default_subset: FieldPlace::of_field(message, "default_subset"),
            selectors: Vec::new(),
            scalars: message.get("default_subset").map_or_else(Vec::new, |node| {
                scalars_of(&message.path.field("default_subset"), node)
            }),
        }
    }

    pub(in crate::envoy) fn add_selector(&mut self, message: &Message<'_, '_>, keys: &[Arc<str>]) {
        self.selectors.push(SelectorFacts {
            place: FieldPlace::of(message),
            keys: keys.iter().map(|key| String::from(&**key)).collect(),
        });
    }
}
