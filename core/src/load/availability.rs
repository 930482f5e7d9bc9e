//! How much of its traffic a priority could take.

use crate::model::{Coarse, Health, OverprovisioningFactor};

/// What the load of a priority depends on: counts and weights of its hosts by class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PriorityHealth {
    /// All hosts, the excluded ones too.
    pub hosts: u32,
    /// Healthy hosts.
    pub healthy: u32,
    /// Degraded hosts.
    pub degraded: u32,
    /// Hosts left out of the priority's size.
    pub excluded: u32,
    /// The same four by weight; present under `weighted_priority_health`.
    pub weights: Option<PriorityWeights>,
    /// The priority's overprovisioning factor.
    pub factor: OverprovisioningFactor,
}

/// Sums of host weights by class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PriorityWeights {
    /// Of all hosts.
    pub all: u64,
    /// Of the healthy ones.
    pub healthy: u64,
    /// Of the degraded ones.
    pub degraded: u64,
    /// Of the excluded ones.
    pub excluded: u64,
}

/// The availabilities of a priority in percent, 0 to 100, each truncated by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Availability {
    /// What its healthy hosts could take.
    pub healthy: u32,
    /// What its degraded hosts could take.
    pub degraded: u32,
}

impl PriorityHealth {
    /// Counts hosts with their weights. `weighted` is `weighted_priority_health`.
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
                Coarse::Healthy => {
                    priority.healthy = priority.healthy.saturating_add(1);
                    weights.healthy = weights.healthy.saturating_add(weight);
                }
                Coarse::Degraded => {
                    priority.degraded = priority.degraded.saturating_add(1);
                    weights.degraded = weights.degraded.saturating_add(weight);
                }
                Coarse::Unhealthy => {}
            }
            if health.excluded() {
                priority.excluded = priority.excluded.saturating_add(1);
                weights.excluded = weights.excluded.saturating_add(weight);
            }
        }
        priority.weights = weighted.then_some(weights);
        priority
    }

    /// Counts a host anew whose health has changed.
    pub(crate) fn recount(&mut self, old: Health, new: Health, weight: u32) {
        let of = |health| Self::count([(health, weight)], true, self.factor);
        let (old, new) = (of(old), of(new));
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

    /// The number of hosts that availability and panic are relative to.
    #[must_use]
    pub const fn counted(&self) -> u32 {
        self.hosts.saturating_sub(self.excluded)
    }

    /// `min(100, factor * usable / counted)`; 0 for a priority without counted hosts.
    #[must_use]
    pub fn availability(&self) -> Availability {
        if self.counted() == 0 {
            return Availability::default();
        }
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

    /// Envoy multiplies in 64 bits, wrapping, and truncates the quotient to 32.
    fn share(&self, part: u64, total: u64) -> u32 {
        let scaled = u64::from(self.factor.0).wrapping_mul(part);
        let quotient = scaled.checked_div(total).unwrap_or(0) as u32;
        quotient.min(100)
    }
}
