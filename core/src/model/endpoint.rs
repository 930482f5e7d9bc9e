//! One endpoint of a priority.

use alloc::string::String;

use super::{Health, Metadata, Weight};

/// A host as the configuration describes it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Endpoint {
    /// `ip:port`, the spelling that Envoy hashes and reports.
    pub address: String,
    /// Its share within the priority (`LbEndpoint.load_balancing_weight`).
    pub weight: Weight,
    /// What is known of its health.
    pub health: Health,
    /// Which of the priority's localities it belongs to.
    pub locality: usize,
    /// What hash policies use in place of the address: the `hash_key` of its `envoy.lb`
    /// metadata, or its host name under `use_hostname_for_hashing`.
    pub hash_key: Option<String>,
    /// Its `envoy.lb` metadata, which decides what subsets it is in.
    pub metadata: Metadata,
    /// What its load reports came to, for `client_side_weighted_round_robin`; 0 counts as a
    /// report of the least weight.
    pub reported_weight: Option<u32>,
}

impl Endpoint {
    /// The text that ring and maglev tables hash for this host.
    #[must_use]
    pub fn hash_key(&self) -> &str {
        match &self.hash_key {
            Some(key) if !key.is_empty() => key,
            _ => &self.address,
        }
    }
}
