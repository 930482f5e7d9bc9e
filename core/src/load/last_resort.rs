//! The loads of a last resort: the last step of a subset fallback chain that serves below its
//! minimum.

use alloc::vec::Vec;

use super::{PriorityHealth, PriorityLoad, PriorityWeights, priority_load};
use crate::model::PanicThreshold;

/// As [`priority_load`], but if the total availability is 0, all priorities are in panic mode,
/// whatever the threshold.
#[must_use]
pub fn last_resort_load(priorities: &[PriorityHealth], threshold: PanicThreshold) -> PriorityLoad {
    let load = priority_load(priorities, threshold);
    // Some host is usable, so the ordinary loads lead to it.
    if load.normalized_total > 0 {
        return load;
    }
    // Few usable hosts can have an availability of 0 because of rounding.
    let lost = priorities.iter().map(|priority| PriorityHealth {
        healthy: 0,
        weights: None,
        ..priority.without_degraded()
    });
    priority_load(&lost.collect::<Vec<_>>(), PanicThreshold::FULL)
}

impl PriorityHealth {
    /// The health as hash policies see it: outside panic mode they never choose degraded hosts.
    pub(crate) fn without_degraded(&self) -> Self {
        Self {
            degraded: 0,
            weights: self.weights.map(|weights| PriorityWeights {
                degraded: 0,
                ..weights
            }),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn priority(hosts: u32, healthy: u32) -> PriorityHealth {
        PriorityHealth {
            hosts,
            healthy,
            degraded: 0,
            excluded: 0,
            weights: None,
            factor: crate::model::OverprovisioningFactor::DEFAULT,
        }
    }

    #[test]
    fn without_a_usable_host_all_priorities_share_by_size() {
        let load = last_resort_load(&[priority(3, 0), priority(1, 0)], PanicThreshold::OFF);
        assert!(load.total_panic);
        assert_eq!(load.healthy, [75, 25]);
    }

    #[test]
    fn an_availability_of_0_by_rounding_is_no_obstacle() {
        let load = last_resort_load(&[priority(500, 1), priority(0, 0)], PanicThreshold::OFF);
        assert!(load.total_panic);
        assert_eq!(load.healthy, [100, 0]);
    }

    #[test]
    fn only_usable_hosts_serve() {
        let load = last_resort_load(&[priority(4, 0), priority(4, 1)], PanicThreshold::OFF);
        assert_eq!(load.healthy, [0, 100]);
        assert!(!load.panics(1));
    }
}
