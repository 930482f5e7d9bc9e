//! `zoneAwareLbSetting` of Istio 1.31: priorities by region, and Envoy's zone-aware routing within
//! priority 0 (`ApplyZoneAwareLoadBalancer`).

use alloc::{string::String, vec::Vec};

use spillgate_core::model::ZoneAware;

use super::{IstioFailover, locality::parse_locality};
use crate::{LocalityGroup, model::squeeze};

/// `ZoneAwareLoadBalancerSetting` (`networking/v1alpha3/destination_rule.proto`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioZoneAwareLb {
    /// Whether zone-aware routing applies (`enabled`); `None` counts as true. Without it, Envoy does
    /// not route by zone, even if it knows the hosts of the proxy's own workload.
    pub enabled: Option<bool>,
    /// The region that serves if a region fails (`failover`), in order.
    pub failover: Vec<IstioFailover>,
    /// Labels that order the endpoints (`failoverPriority`), each `key` or `key=value`.
    pub failover_priority: Vec<String>,
    /// The minimum number of healthy hosts in priority 0 (`minClusterSize`); default 6.
    pub min_cluster_size: Option<u32>,
}

/// The number of ranks.
const RANKS: u32 = 3;

// === impl IstioZoneAwareLb ===

impl IstioZoneAwareLb {
    /// Whether zone-aware routing applies.
    #[must_use]
    pub fn routes(&self) -> bool {
        self.enabled != Some(false)
    }

    /// The settings in Envoy (`zone_aware_lb_config`).
    #[must_use]
    pub fn envoy(&self) -> ZoneAware {
        let default = ZoneAware::DEFAULT;
        ZoneAware {
            routing_enabled: if self.routes() {
                default.routing_enabled
            } else {
                0
            },
            min_cluster_size: self
                .min_cluster_size
                .map_or(default.min_cluster_size, u64::from),
            ..default
        }
    }

    /// Refines the priorities of the groups: the proxy's region, the region that the first rule from it
    /// names, then all others.
    pub(super) fn by_region(&self, proxy: &str, groups: &mut [LocalityGroup]) {
        let region = parse_locality(proxy).region;
        let rule = self.failover.iter().find(|rule| rule.from == region);
        for group in groups.iter_mut() {
            let of = &group.locality.region;
            let rank = match () {
                () if *of == region => 0,
                () if rule.is_some_and(|rule| rule.to == *of) => 1,
                () => 2,
            };
            group.priority = group.priority.saturating_mul(RANKS).saturating_add(rank);
        }
        squeeze(groups);
    }
}
