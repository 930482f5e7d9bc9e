//! Where Envoy's `override_host` policy reads its override host list.

use alloc::{string::String, vec::Vec};

/// One source of an override host list (`OverrideHost.OverrideHostSource` in
/// `envoy.extensions.load_balancing_policies.override_host.v3`).
///
/// The value is a comma-separated list of `ip:port` addresses, most preferred first. Unknown
/// addresses are skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverrideHostSource {
    /// The first value of the request header with this lower-case name (`header`).
    Header(String),
    /// A string in the dynamic metadata of the request (`metadata`).
    Metadata {
        /// The metadata namespace (`MetadataKey.key`).
        namespace: String,
        /// The keys from the namespace to the string (`MetadataKey.path`), at least one.
        path: Vec<String>,
    },
}
