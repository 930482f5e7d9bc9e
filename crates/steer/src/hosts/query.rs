//! The queries to an admin interface.

use alloc::{format, string::String};

/// The query of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Query {
    /// `/clusters`.
    Hosts,
    /// The endpoints from EDS, in `/config_dump`.
    DynamicEndpoints,
    /// The configured endpoints, in `/config_dump`.
    StaticEndpoints,
}

impl Query {
    pub(super) const fn is_for_metadata(self) -> bool {
        matches!(self, Self::DynamicEndpoints | Self::StaticEndpoints)
    }

    /// The path for the clusters that an encoded expression matches.
    pub(super) fn path(self, pattern: &str) -> String {
        match self {
            Self::Hosts => format!("/clusters?filter={pattern}"),
            Self::DynamicEndpoints => format!(
                "/config_dump?include_eds&resource=dynamic_endpoint_configs&name_regex={pattern}"
            ),
            Self::StaticEndpoints => format!(
                "/config_dump?include_eds&resource=static_endpoint_configs&name_regex={pattern}"
            ),
        }
    }
}
