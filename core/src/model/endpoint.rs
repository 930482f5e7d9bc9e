//! One endpoint of a priority (`envoy.config.endpoint.v3.LbEndpoint`).

use alloc::string::String;

use super::{Health, Metadata, Weight};

/// A host as configured.
///
/// # Examples
/// ```
/// use spillgate_core::model::{Endpoint, Health, HealthStatus, Weight};
///
/// let endpoint = Endpoint {
///     weight: Weight::new(3).unwrap(),
///     health: Health::from_status(HealthStatus::Degraded),
///     ..Endpoint::new("10.0.0.1:80")
/// };
/// assert_eq!(endpoint.hash_key(), "10.0.0.1:80");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Endpoint {
    /// `ip:port` or `[ipv6]:port`, as Envoy prints and hashes it.
    pub address: String,
    /// The load-balancing weight within the priority, 1 to 2^32-1; default 1
    /// (`LbEndpoint.load_balancing_weight`).
    pub weight: Weight,
    /// The configured health (`LbEndpoint.health_status`) and the health flags.
    pub health: Health,
    /// The index of the endpoint's locality in
    /// [`Priority::localities`](super::Priority::localities).
    pub locality: usize,
    /// The key that hash tables use instead of the address: `hash_key` of the `envoy.lb` metadata,
    /// or the host name with `use_hostname_for_hashing`, which is empty if the host has none.
    pub hash_key: Option<String>,
    /// The `envoy.lb` metadata (`LbEndpoint.metadata`), which selects the subsets of the host.
    pub metadata: Metadata,
    /// The weight from load reports of the host (`client_side_weighted_round_robin`); `None`
    /// without a report. A report of 0 counts as a weight of 1.
    pub reported_weight: Option<u32>,
}

impl Endpoint {
    /// A host with defaults: weight 1, no health status, the first locality of its priority.
    #[must_use]
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            ..Self::default()
        }
    }

    /// The text that ring and Maglev tables hash for this host.
    #[must_use]
    pub fn hash_key(&self) -> &str {
        self.hash_key.as_deref().unwrap_or(&self.address)
    }
}
