//! Where requests may name their hosts.

use alloc::{string::String, vec::Vec};

/// A place where a request may name the hosts that shall serve it
/// (`OverrideHost.OverrideHostSource`): addresses with commas between them, the most wanted first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostSource {
    /// The first value of a request header, whose name is in lower case.
    Header(String),
    /// A text in dynamic metadata.
    Metadata {
        /// The namespace.
        namespace: String,
        /// The keys that lead to it from there, at least one.
        path: Vec<String>,
    },
}
