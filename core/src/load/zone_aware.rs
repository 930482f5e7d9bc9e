//! Zone-aware routing: the share of the requests that stays in the proxy's own zone.
//!
//! The rule as in Envoy's `regenerateLocalityRoutingStructures`, for each zone `i` in
//! ten-thousandths: `L[i] = 10000 * local[i] / all local` and `U[i] = 10000 * upstream[i] / all
//! upstream`.
//!
//! - If the local zone (zone 0) has `U[0] >= L[0]`, all requests stay local
//!   ([`ZoneRouting::Direct`]).
//! - Otherwise `U[0] * 10000 / L[0]` stay local. The others go to zones with residual capacity
//!   `max(0, U[i] - L[i])`, in proportion to it ([`ZoneRouting::Residual`]).
//! - If no zone has residual capacity, the others go to a random zone.
//!
//! It applies only to priority 0, and only if both clusters have at least two localities and the
//! cluster has at least [`ZoneLimits::min_cluster_size`] healthy hosts.

use alloc::vec::Vec;

/// The unit of shares: ten-thousandths.
const WHOLE: u64 = 10_000;

/// One zone, in the locality order of the upstream cluster's priority 0. The local zone comes first
/// if the cluster has hosts in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneSize {
    /// The size of the upstream cluster in this zone: healthy hosts, or the sum of their weights.
    pub upstream: u64,
    /// The size of the local cluster in this zone, in the same measure.
    pub local: u64,
    /// The number of healthy upstream hosts in this zone.
    pub upstream_hosts: u64,
}

/// Further facts about both clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneAwareInputs {
    /// The number of healthy hosts in priority 0 of the upstream cluster.
    pub healthy_hosts: u64,
    /// The size of the local cluster in all zones, in the measure of [`ZoneSize::local`].
    pub local_total: u64,
    /// The number of localities with hosts in the local cluster.
    pub local_localities: usize,
    /// Whether the local cluster has hosts in the proxy's own locality.
    pub local_has_own: bool,
    /// Whether the first upstream zone is the proxy's own locality.
    pub upstream_has_own: bool,
}

/// The limits of zone-aware routing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneLimits {
    /// The minimum number of healthy hosts in priority 0 (`min_cluster_size`, default 6).
    pub min_cluster_size: u64,
    /// The minimum number of healthy hosts in the local zone that keeps all requests there
    /// (`force_local_zone.min_size`).
    pub force_local_zone: Option<u32>,
}

/// The routing of the requests of priority 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ZoneRouting {
    /// Zone-aware routing does not apply: too few localities.
    #[default]
    Everywhere,
    /// Zone-aware routing does not apply for another reason.
    Unfit(ZoneObstacle),
    /// All requests go to the local zone, which is the first one.
    Direct,
    /// Some requests stay in the local zone; the others go to zones with residual capacity.
    Residual {
        /// Ten-thousandths of the requests that stay in the first zone; 0 if the first zone is not
        /// local.
        local_part: u64,
        /// The cumulative residual capacity up to and including each zone, in ten-thousandths.
        residual: Vec<u64>,
    },
}

/// Why zone-aware routing does not apply, by Envoy's counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZoneObstacle {
    /// The local cluster has no host in the proxy's own zone (`lb_local_cluster_not_ok`).
    LocalClusterNotOk,
    /// Too few healthy upstream hosts (`lb_zone_cluster_too_small`).
    ClusterTooSmall,
}

/// The shares of each zone in ten-thousandths: of the local cluster, then of the upstream cluster.
/// Both are 0 for a zone without healthy upstream hosts.
#[must_use]
pub fn zone_parts(zones: &[ZoneSize], local_total: u64) -> Vec<(u64, u64)> {
    let upstream_total: u64 = zones.iter().map(|zone| zone.upstream).sum();
    let part = |size: u64, total: u64| {
        // Sums of weights can exceed 64 bits once they are multiplied.
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

/// Computes the routing from the zones of both clusters (`regenerateLocalityRoutingStructures`).
///
/// # Examples
/// The local zone has half of the proxies, but only a quarter of the hosts: half of its requests
/// stay local.
/// ```
/// use spillgate_core::load::{ZoneAwareInputs, ZoneLimits, ZoneRouting, ZoneSize, zone_routing};
///
/// let zone = |upstream, local| ZoneSize { upstream, local, upstream_hosts: upstream };
/// let facts = ZoneAwareInputs {
///     healthy_hosts: 8,
///     local_total: 4,
///     local_localities: 2,
///     local_has_own: true,
///     upstream_has_own: true,
/// };
/// let limits = ZoneLimits { min_cluster_size: 6, force_local_zone: None };
/// let routing = zone_routing(&[zone(2, 2), zone(6, 2)], &facts, &limits);
/// let expected = ZoneRouting::Residual { local_part: 5000, residual: vec![0, 2500] };
/// assert_eq!(routing, expected);
/// assert_eq!(routing.parts(2), [0.5, 0.5]);
/// ```
#[must_use]
pub fn zone_routing(
    zones: &[ZoneSize],
    facts: &ZoneAwareInputs,
    limits: &ZoneLimits,
) -> ZoneRouting {
    let forced = limits.force_local_zone.is_some();
    // The order of these checks decides which counter Envoy increases (`earlyExitNonLocalityRouting`).
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
    // The own zone has at least the share of hosts that it has of proxies, so it can carry all of its
    // requests.
    if facts.upstream_has_own && ((upstream > 0 && upstream >= local) || kept_by_force) {
        return ZoneRouting::Direct;
    }
    // The requests that the own zone has capacity for, in ten-thousandths (`local_percent_to_route_`).
    let local_part = match (facts.upstream_has_own, local) {
        (false, _) | (true, 0) => 0,
        (true, local) => (upstream * WHOLE).checked_div(local).unwrap_or(0),
    };
    let mut sum = 0;
    let residual = parts
        .iter()
        .enumerate()
        .map(|(at, (local, upstream))| {
            // The local zone already has the requests that it has capacity for.
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
    /// The unit of the shares of zones: ten-thousandths.
    pub const WHOLE: u64 = WHOLE;

    /// Whether the choice of a host starts with the choice of a zone.
    #[must_use]
    pub const fn chooses(&self) -> bool {
        matches!(self, Self::Direct | Self::Residual { .. })
    }

    /// The zone of one request, out of `zones`. Makes no draw, one draw or two draws.
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
            // Truncated shares can leave no residual capacity: then any zone (`lb_zone_no_capacity_left`).
            _ => roll.checked_rem(zones as u64).unwrap_or(0) as usize,
        }
    }

    /// The share of the requests for each of `zones` zones; the shares sum to 1.
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
