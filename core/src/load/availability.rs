//! The availability of a priority: the percentage of all requests that it can take.
//!
//! For a priority with `counted = hosts - excluded` hosts
//! (`LoadBalancerBase::recalculatePerPriorityState`):
//!
//! - `healthy availability = min(100, factor * healthy / counted)`
//! - `degraded availability = min(100, factor * degraded / counted)`
//!
//! Both are truncated separately and are 0 for a priority without counted hosts. With
//! `weighted_priority_health` the sums of the host weights replace the counts.

use crate::model::{CoarseHealth, Health, OverprovisioningFactor};

/// The health of a priority: host counts and weights by class.
///
/// # Examples
/// With the default factor of 140, 72 percent healthy hosts are enough for 100 percent.
/// ```
/// use spillgate_core::load::PriorityHealth;
///
/// let priority = |healthy| PriorityHealth {
///     hosts: 100,
///     healthy,
///     ..PriorityHealth::default()
/// };
/// assert_eq!(priority(72).availability().healthy, 100);
/// assert_eq!(priority(71).availability().healthy, 99);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PriorityHealth {
    /// All hosts, including excluded hosts.
    pub hosts: u32,
    /// Healthy hosts.
    pub healthy: u32,
    /// Degraded hosts.
    pub degraded: u32,
    /// Hosts that are excluded from the size of the priority.
    pub excluded: u32,
    /// The sums of host weights; present with `weighted_priority_health`.
    pub weights: Option<PriorityWeights>,
    /// The overprovisioning factor in percent.
    pub factor: OverprovisioningFactor,
}

/// Sums of host weights by class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PriorityWeights {
    /// The weights of all hosts, including excluded hosts.
    pub all: u64,
    /// The weights of the healthy hosts.
    pub healthy: u64,
    /// The weights of the degraded hosts.
    pub degraded: u64,
    /// The weights of the excluded hosts.
    pub excluded: u64,
}

/// The availabilities of a priority in percent, 0 to 100, each truncated separately.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Availability {
    /// The availability of the healthy hosts.
    pub healthy: u32,
    /// The availability of the degraded hosts.
    pub degraded: u32,
}

impl PriorityHealth {
    /// Counts hosts, given as health and weight. `weighted` is `weighted_priority_health`.
    pub fn count(
        hosts: impl IntoIterator<Item = (Health, u32)>,
        weighted: bool,
        factor: OverprovisioningFactor,
    ) -> Self {
        Self::count_all(&mut hosts.into_iter(), weighted, factor)
    }

    fn count_all(
        hosts: &mut dyn Iterator<Item = (Health, u32)>,
        weighted: bool,
        factor: OverprovisioningFactor,
    ) -> Self {
        let mut priority = Self {
            factor,
            ..Self::default()
        };
        let mut weights = PriorityWeights::default();
        for (health, weight) in hosts {
            let weight = u64::from(weight);
            priority.hosts = priority.hosts.saturating_add(1);
            weights.all = weights.all.saturating_add(weight);
            match health.coarse() {
                CoarseHealth::Healthy => {
                    priority.healthy = priority.healthy.saturating_add(1);
                    weights.healthy = weights.healthy.saturating_add(weight);
                }
                CoarseHealth::Degraded => {
                    priority.degraded = priority.degraded.saturating_add(1);
                    weights.degraded = weights.degraded.saturating_add(weight);
                }
                CoarseHealth::Unhealthy => {}
            }
            if health.excluded() {
                priority.excluded = priority.excluded.saturating_add(1);
                weights.excluded = weights.excluded.saturating_add(weight);
            }
        }
        priority.weights = weighted.then_some(weights);
        priority
    }

    /// Replaces the health of one host in the counts.
    pub(crate) fn recount(&mut self, old: Health, new: Health, weight: u32) {
        let of = |health| Self::count([(health, weight)], true, self.factor);
        let (old, new) = (of(old), of(new));
        // A host counts in one class, so the sums stay those of a full count.
        let moved = |sum: &mut u32, old: u32, new: u32| *sum = sum.saturating_sub(old) + new;
        moved(&mut self.healthy, old.healthy, new.healthy);
        moved(&mut self.degraded, old.degraded, new.degraded);
        moved(&mut self.excluded, old.excluded, new.excluded);
        if let (Some(sums), Some(old), Some(new)) = (&mut self.weights, old.weights, new.weights) {
            let moved = |sum: &mut u64, old: u64, new: u64| *sum = sum.saturating_sub(old) + new;
            moved(&mut sums.healthy, old.healthy, new.healthy);
            moved(&mut sums.degraded, old.degraded, new.degraded);
            moved(&mut sums.excluded, old.excluded, new.excluded);
        }
    }

    /// The number of hosts that availability and panic mode are relative to.
    #[must_use]
    pub const fn counted(&self) -> u32 {
        self.hosts.saturating_sub(self.excluded)
    }

    /// `min(100, factor * usable / counted)` for healthy and for degraded hosts; 0 for a priority
    /// without counted hosts.
    #[must_use]
    pub fn availability(&self) -> Availability {
        // Only excluded hosts: Envoy compares host counts here, also with `weighted_priority_health`, and
        // leaves an availability of 0.
        if self.counted() == 0 {
            return Availability::default();
        }
        // The weights decide only availability. Panic mode counts hosts (`isHostSetInPanic`).
        let (healthy, degraded, total) = match self.weights {
            Some(weights) => (
                weights.healthy,
                weights.degraded,
                weights.all.saturating_sub(weights.excluded),
            ),
            None => (
                u64::from(self.healthy),
                u64::from(self.degraded),
                u64::from(self.counted()),
            ),
        };
        Availability {
            healthy: self.share(healthy, total),
            degraded: self.share(degraded, total),
        }
    }

    /// Envoy multiplies in 64 bits, wrapping, and truncates the quotient to 32 bits.
    fn share(&self, part: u64, total: u64) -> u32 {
        let scaled = u64::from(self.factor.0).wrapping_mul(part);
        // `std::min<uint32_t>` narrows before it compares.
        let quotient = scaled.checked_div(total).unwrap_or(0) as u32;
        quotient.min(100)
    }
}
