//! Zone-aware routing: how much of the traffic stays in the proxy's own zone.

use alloc::vec::Vec;

/// Parts of a whole are in ten-thousandths here.
const WHOLE: u64 = 10_000;

/// A locality of the balanced cluster's priority 0, in its order there: the local one first, if the
/// cluster has hosts in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneSize {
    /// The healthy hosts of the balanced cluster in it, counted or weighted.
    pub upstream: u64,
    /// The healthy hosts of the local cluster in it, counted or weighted alike.
    pub local: u64,
    /// How many healthy hosts the balanced cluster has in it.
    pub upstream_hosts: u64,
}

/// What is known of both clusters besides the sizes of the zones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneFacts {
    /// The healthy hosts of the balanced cluster's priority 0.
    pub healthy_hosts: u64,
    /// The healthy hosts of the local cluster in all zones, in the measure of [`ZoneSize::local`].
    pub local_total: u64,
    /// How many localities of the local cluster have hosts.
    pub local_localities: usize,
    /// Whether the local cluster has hosts in the proxy's own locality.
    pub local_has_own: bool,
    /// Whether the first of the upstream localities is the proxy's own.
    pub upstream_has_own: bool,
}

/// Limits of zone-aware routing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneLimits {
    /// The fewest healthy hosts for it to apply.
    pub min_cluster_size: u64,
    /// With so many healthy hosts in the own zone all traffic stays there.
    pub force_local_zone: Option<u32>,
}

/// Where the traffic of priority 0 goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ZoneRouting {
    /// Anywhere: zones do not count.
    #[default]
    Everywhere,
    /// Zones would count, if something else were not in the way.
    Unfit(ZoneObstacle),
    /// All of it to the local zone, which is the first one.
    Direct,
    /// A part to the local zone, the rest where capacity is left.
    Residual {
        /// Ten-thousandths that stay in the first zone; 0 where that is not the local one.
        local_part: u64,
        /// The capacity that is left in each zone and all before it.
        residual: Vec<u64>,
    },
}

/// Why zones do not count, by the name of Envoy's counter for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZoneObstacle {
    /// The local cluster has no host in the own zone (`lb_local_cluster_not_ok`).
    LocalClusterNotOk,
    /// Too few healthy hosts (`lb_zone_cluster_too_small`).
    ClusterTooSmall,
}

/// The parts of a zone in ten-thousandths: of the local cluster, of the balanced one. Both are 0
/// for a zone without healthy upstream hosts.
#[must_use]
pub fn zone_parts(zones: &[ZoneSize], local_total: u64) -> Vec<(u64, u64)> {
    let upstream_total: u64 = zones.iter().map(|zone| zone.upstream).sum();
    let part = |size: u64, total: u64| {
        let scaled = u128::from(WHOLE) * u128::from(size);
        scaled.checked_div(total.into()).unwrap_or(0) as u64
    };
    zones
        .iter()
        .map(|zone| match zone.upstream_hosts {
            0 => (0, 0),
            _ => (
                part(zone.local, local_total),
                part(zone.upstream, upstream_total),
            ),
        })
        .collect()
}

/// Envoy's `regenerateLocalityRoutingStructures` as a function of both clusters' health.
#[must_use]
pub fn zone_routing(zones: &[ZoneSize], facts: &ZoneFacts, limits: &ZoneLimits) -> ZoneRouting {
    let forced = limits.force_local_zone.is_some();
    if zones.len() < 2 || (!forced && facts.local_localities < 2) {
        return ZoneRouting::Everywhere;
    }
    if !facts.local_has_own {
        return ZoneRouting::Unfit(ZoneObstacle::LocalClusterNotOk);
    }
    if facts.healthy_hosts < limits.min_cluster_size {
        return ZoneRouting::Unfit(ZoneObstacle::ClusterTooSmall);
    }
    let parts = zone_parts(zones, facts.local_total);
    let (local, upstream) = parts.first().copied().unwrap_or_default();
    let own_hosts = zones.first().map_or(0, |zone| zone.upstream_hosts);
    let kept_by_force = limits
        .force_local_zone
        .is_some_and(|least| own_hosts >= u64::from(least));
    if facts.upstream_has_own && ((upstream > 0 && upstream >= local) || kept_by_force) {
        return ZoneRouting::Direct;
    }
    let local_part = match (facts.upstream_has_own, local) {
        (false, _) | (true, 0) => 0,
        (true, local) => (upstream * WHOLE).checked_div(local).unwrap_or(0),
    };
    let mut sum = 0;
    let residual = parts
        .iter()
        .enumerate()
        .map(|(at, (local, upstream))| {
            // The own zone has taken what it can already.
            if at > 0 || !facts.upstream_has_own {
                sum += upstream.saturating_sub(*local);
            }
            sum
        })
        .collect();
    ZoneRouting::Residual {
        local_part,
        residual,
    }
}

impl ZoneRouting {
    /// Whether the choice of a host begins with a zone.
    #[must_use]
    pub const fn chooses(&self) -> bool {
        matches!(self, Self::Direct | Self::Residual { .. })
    }

    /// The zone of one request, out of `zones`. Draws nothing, once or twice.
    #[must_use]
    pub fn choose(&self, zones: usize, mut draw: impl FnMut() -> u64) -> usize {
        let Self::Residual {
            local_part,
            residual,
        } = self
        else {
            return 0;
        };
        if draw() % WHOLE < *local_part {
            return 0;
        }
        let roll = draw();
        match residual.last() {
            Some(&left) if left > 0 => {
                let at = roll % left;
                residual.iter().position(|&sum| at < sum).unwrap_or(0)
            }
            _ => roll.checked_rem(zones as u64).unwrap_or(0) as usize,
        }
    }

    /// The parts of the traffic that go to each of `zones` zones; they sum up to 1.
    #[must_use]
    pub fn parts(&self, zones: usize) -> Vec<f64> {
        let mut parts = alloc::vec![0.0; zones];
        let mut give = |zone: usize, part: f64| {
            if let Some(sum) = parts.get_mut(zone) {
                *sum += part;
            }
        };
        let Self::Residual {
            local_part,
            residual,
        } = self
        else {
            give(0, 1.0);
            return parts;
        };
        let local = (*local_part).min(WHOLE);
        give(0, local as f64 / WHOLE as f64);
        let rest = (WHOLE - local) as f64 / WHOLE as f64;
        match residual.last() {
            Some(&left) if left > 0 => {
                let mut before = 0;
                for (zone, &sum) in residual.iter().enumerate() {
                    give(zone, rest * (sum - before) as f64 / left as f64);
                    before = sum;
                }
            }
            _ => {
                for zone in 0..zones {
                    give(zone, rest / zones as f64);
                }
            }
        }
        parts
    }
}
