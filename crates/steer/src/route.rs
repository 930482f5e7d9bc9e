//! The settings in the metadata of a route.

use alloc::{borrow::ToOwned as _, string::String};

use spillgate_core::model::{Metadata, Value};

/// The settings in the metadata of a route.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RouteSettings {
    /// Subset criteria (`filter_metadata."envoy.lb"`).
    pub criteria: Metadata,
    /// The target cluster (`filter_metadata.spillgate.target`).
    pub target: Option<String>,
    /// Whether requests of the route pass through (`filter_metadata.spillgate.disabled`).
    pub disabled: bool,
    /// Whether the metadata of the route cannot be read, so that its criteria are unknown: its
    /// requests get 503.
    pub is_unreadable: bool,
}

impl RouteSettings {
    /// The settings in the two namespaces of a route's metadata: `envoy.lb` and `spillgate`.
    #[must_use]
    pub fn of_metadata(criteria: Metadata, settings: &Metadata) -> Self {
        Self {
            criteria,
            target: settings.get("target").map(|target| match target {
                Value::Text(target) => target.as_ref().to_owned(),
                // No cluster has this name, so the target counts as unknown.
                _ => String::new(),
            }),
            disabled: settings.get("disabled") == Some(&Value::Bool(true)),
            is_unreadable: false,
        }
    }

    /// A route whose metadata cannot be read.
    #[must_use]
    pub fn unreadable() -> Self {
        Self {
            is_unreadable: true,
            ..Self::default()
        }
    }

    /// A route without settings.
    pub(crate) const NONE: &'static Self = &Self {
        criteria: Metadata::EMPTY,
        target: None,
        disabled: false,
        is_unreadable: false,
    };
}
