//! How the localities of a priority share its traffic (`LocalityLbConfig`).

use super::Locality;
use alloc::string::String;

/// What decides between localities; hash policies know weights only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalityLb {
    /// The weights of the localities (`locality_weighted_lb_config`).
    Weighted,
    /// Nearness, where a local cluster is known (`zone_aware_lb_config`); Envoy's default.
    ZoneAware(ZoneAware),
}

impl LocalityLb {
    /// Whether locality weights decide.
    #[must_use]
    pub const fn is_weighted(&self) -> bool {
        matches!(self, Self::Weighted)
    }

    /// The settings of zone-aware routing, where it is not switched off by weights.
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

/// The settings of zone-aware routing (`LocalityLbConfig.ZoneAwareLbConfig`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneAware {
    /// How many percent of the picks it applies to, 0 to 100, truncated.
    pub routing_enabled: u32,
    /// With fewer healthy hosts in priority 0 it does not apply.
    pub min_cluster_size: u64,
    /// A priority in panic has no host, instead of all of its hosts.
    pub fail_traffic_on_panic: bool,
    /// With so many healthy hosts in the local zone, all traffic stays there
    /// (`force_local_zone.min_size`, or 1 for `force_locality_direct_routing`).
    pub force_local_zone: Option<u32>,
    /// What the size of a locality is measured in.
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

/// What the size of a locality is measured in (`ZoneAwareLbConfig.LocalityBasis`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum LocalityBasis {
    /// Its healthy hosts.
    #[default]
    HealthyHostsNum,
    /// The weights of its healthy hosts.
    HealthyHostsWeight,
}

/// Where the proxy itself stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalInfo {
    /// `node.locality`; localities of its name come first in every priority.
    pub locality: Option<Locality>,
    /// `cluster_manager.local_cluster_name`: the cluster of the proxies themselves. Naming it
    /// turns zone-aware routing on.
    pub cluster: Option<String>,
}
