//! The settings that a route carries in its metadata.

use alloc::string::String;

use spillgate_core::model::Metadata;

/// The settings that a route carries in its metadata.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Route {
    /// Subset criteria (`filter_metadata."envoy.lb"`).
    pub criteria: Metadata,
    /// The target cluster (`filter_metadata.spillgate.target`).
    pub target: Option<String>,
    /// Whether requests of the route pass through (`filter_metadata.spillgate.disabled`).
    pub disabled: bool,
}

impl Route {
    /// A route without settings.
    pub(crate) const NONE: &'static Self = &Self {
        criteria: Metadata::EMPTY,
        target: None,
        disabled: false,
    };
}
