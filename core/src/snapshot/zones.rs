//! The local cluster, as zone-aware routing of other clusters sees it.

use alloc::vec::Vec;

use super::{PriorityHosts, Settings};
use crate::{
    load::{
        PriorityHealth, ZoneAwareInputs, ZoneLimits, ZoneRouting, ZoneSize, zone_parts,
        zone_routing,
    },
    model::{CoarseHealth, Locality, LocalityBasis, PanicThreshold, ZoneAware},
};

/// The zones of the local cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LocalZones {
    /// Healthy hosts and their weights by zone. There are few zones, so a list is fast enough.
    zones: Vec<(Locality, (u64, u64))>,
    total: (u64, u64),
    localities: usize,
    has_own: bool,
    /// The health that determines its panic mode.
    health: PriorityHealth,
}

impl LocalZones {
    /// Reads priority 0, the only priority that Envoy allows for a local cluster.
    pub(super) fn of(hosts: &PriorityHosts, settings: &Settings) -> Self {
        let mut local = Self {
            localities: hosts.localities.len(),
            has_own: hosts.has_local_locality,
            health: hosts.count(0..hosts.len(), settings),
            ..Self::default()
        };
        for host in 0..hosts.len() {
            let Some(endpoint) = hosts.endpoint(host) else {
                continue;
            };
            let locality = hosts.configured.localities.get(endpoint.locality);
            if let (CoarseHealth::Healthy, Some(locality)) = (hosts.coarse(host), locality) {
                let weight = u64::from(hosts.weight(host));
                let known = |(zone, _): &&mut (Locality, _)| *zone == locality.locality;
                match local.zones.iter_mut().find(known) {
                    Some((_, sums)) => {
                        sums.0 += 1;
                        sums.1 += weight;
                    }
                    None => local.zones.push((locality.locality.clone(), (1, weight))),
                }
                local.total.0 += 1;
                local.total.1 += weight;
            }
        }
        local
    }

    /// Whether the local cluster is in panic mode by this threshold, that of another cluster.
    pub(super) fn panics(&self, threshold: PanicThreshold) -> bool {
        crate::load::panics(&self.health, threshold)
    }

    /// The routing of the requests for priority 0 of a cluster. `healthy` are its healthy hosts by
    /// locality index. The second value has the shares of the local zone ([`zone_parts`]); both are 0
    /// without hosts in it.
    pub(super) fn routing(
        &self,
        config: &ZoneAware,
        hosts: &PriorityHosts,
        healthy: &[Vec<u32>],
    ) -> (ZoneRouting, (u64, u64)) {
        let measure = |(hosts, weights): (u64, u64)| match config.locality_basis {
            LocalityBasis::HealthyHostsNum => hosts,
            LocalityBasis::HealthyHostsWeight => weights,
        };
        let zones: Vec<ZoneSize> = healthy
            .iter()
            .zip(hosts.localities.iter())
            .map(|(healthy, &at)| {
                let weights = healthy.iter().map(|&h| u64::from(hosts.weight(h as usize)));
                let upstream_hosts = healthy.len() as u64;
                let locality = hosts.configured.localities.get(at as usize);
                let local = locality.and_then(|l| {
                    let mut zones = self.zones.iter();
                    zones.find(|(known, _)| *known == l.locality)
                });
                ZoneSize {
                    upstream: measure((upstream_hosts, weights.sum())),
                    local: measure(local.map(|(_, sums)| *sums).unwrap_or_default()),
                    upstream_hosts,
                }
            })
            .collect();
        let facts = ZoneAwareInputs {
            healthy_hosts: zones.iter().map(|zone| zone.upstream_hosts).sum(),
            local_total: measure(self.total),
            local_localities: self.localities,
            local_has_own: self.has_own,
            upstream_has_own: hosts.has_local_locality,
        };
        let limits = ZoneLimits {
            min_cluster_size: config.min_cluster_size,
            force_local_zone: config.force_local_zone,
        };
        let parts = zone_parts(&zones, facts.local_total);
        let own = parts.first().filter(|_| facts.upstream_has_own);
        let own = own.copied().unwrap_or_default();
        (zone_routing(&zones, &facts, &limits), own)
    }
}
