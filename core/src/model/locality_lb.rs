//! Locality load balancing (`envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig`).
//!
//! Locality weights: each locality gets requests in proportion to `weight * min(1,
//! overprovisioning_factor * eligible / counted)`, see
//! [`LocalityHealth`](crate::load::LocalityHealth).
//!
//! Zone-aware routing: priority 0 prefers the locality of the proxy, as far as its share of the
//! upstream hosts allows, see [`zone_routing`](crate::load::zone_routing). It applies as soon as a
//! [local cluster](LocalInfo::cluster) is configured, even without any locality settings.

use super::Locality;
use alloc::string::String;

/// How the localities of a priority share its requests. Hash policies support only locality
/// weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalityLb {
    /// By locality weight (`locality_weighted_lb_config`).
    Weighted,
    /// By zone-aware routing (`zone_aware_lb_config`), the default.
    ZoneAware(ZoneAware),
}

impl LocalityLb {
    /// Whether locality weights apply.
    #[must_use]
    pub const fn is_weighted(&self) -> bool {
        matches!(self, Self::Weighted)
    }

    /// The zone-aware settings; `None` if locality weights apply.
    #[must_use]
    pub const fn zone_aware(&self) -> Option<&ZoneAware> {
        match self {
            Self::ZoneAware(zone_aware) => Some(zone_aware),
            Self::Weighted => None,
        }
    }
}

impl Default for LocalityLb {
    fn default() -> Self {
        Self::ZoneAware(ZoneAware::default())
    }
}

/// Zone-aware settings (`LocalityLbConfig.ZoneAwareLbConfig`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneAware {
    /// The percentage of requests with zone-aware routing, 0 to 100, truncated to an integer;
    /// default 100.
    pub routing_enabled: u32,
    /// The minimum number of healthy hosts in priority 0; default 6. With fewer hosts, zone-aware
    /// routing does not apply.
    pub min_cluster_size: u64,
    /// Whether a priority in panic mode fails its requests instead of using all of its hosts;
    /// default false.
    pub fail_traffic_on_panic: bool,
    /// The minimum number of healthy hosts in the local zone that keeps all requests there; `None`
    /// by default (`force_local_zone.min_size`, default 1; or 1 with the deprecated
    /// `force_locality_direct_routing`).
    pub force_local_zone: Option<u32>,
    /// The measure of the size of a locality; default healthy hosts.
    pub locality_basis: LocalityBasis,
}

impl ZoneAware {
    /// Envoy's defaults.
    pub const DEFAULT: Self = Self {
        routing_enabled: 100,
        min_cluster_size: 6,
        fail_traffic_on_panic: false,
        force_local_zone: None,
        locality_basis: LocalityBasis::HealthyHostsNum,
    };
}

impl Default for ZoneAware {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The measure of the size of a locality (`ZoneAwareLbConfig.LocalityBasis`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum LocalityBasis {
    /// `HEALTHY_HOSTS_NUM`: the number of healthy hosts.
    #[default]
    HealthyHostsNum,
    /// `HEALTHY_HOSTS_WEIGHT`: the sum of the weights of the healthy hosts.
    HealthyHostsWeight,
}

/// The locality and the cluster of the proxy itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalInfo {
    /// The proxy's own locality (`node.locality`). In every priority this locality comes first.
    pub locality: Option<Locality>,
    /// The name of the cluster of the proxies (`cluster_manager.local_cluster_name`). Setting it
    /// enables zone-aware routing.
    pub cluster: Option<String>,
}
