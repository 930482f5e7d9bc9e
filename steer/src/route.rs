//! The settings in the metadata of a route.

use alloc::{borrow::ToOwned as _, string::String};

use spillgate_core::model::{Metadata, Value};

/// The settings in the metadata of a route.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RouteFacts {
    /// Subset criteria (`filter_metadata."envoy.lb"`).
    pub criteria: Metadata,
    /// The target cluster (`filter_metadata.spillgate.target`).
    pub target: Option<String>,
    /// Whether requests of the route pass through (`filter_metadata.spillgate.disabled`).
    pub disabled: bool,
}

impl RouteFacts {
    /// The settings in the two namespaces of a route's metadata: `envoy.lb` and `spillgate`.
    #[must_use]
    pub fn of_metadata(criteria: Metadata, settings: &Metadata) -> Self {
        Self {
            criteria,
            target: match settings.get("target") {
                Some(Value::Text(target)) => Some(target.as_ref().to_owned()),
                _ => None,
            },
            disabled: settings.get("disabled") == Some(&Value::Bool(true)),
        }
    }

    /// A route without settings.
    pub(crate) const NONE: &'static Self = &Self {
        criteria: Metadata::EMPTY,
        target: None,
        disabled: false,
    };
}
