//! The loads of a chain's last resort, which leaves nobody without a host while there is one.

use alloc::vec::Vec;

use super::{LevelHealth, LevelWeights, PriorityLoad, priority_load};
use crate::model::PanicThreshold;

/// As [`priority_load`], but where no level can take anything all of them panic, whatever the
/// threshold.
#[must_use]
pub fn last_resort_load(levels: &[LevelHealth], threshold: PanicThreshold) -> PriorityLoad {
    let load = priority_load(levels, threshold);
    if load.normalized_total > 0 {
        return load;
    }
    // A few usable hosts may come to an availability of 0.
    let lost = levels.iter().map(|level| LevelHealth {
        healthy: 0,
        weights: None,
        ..level.without_degraded()
    });
    priority_load(&lost.collect::<Vec<_>>(), PanicThreshold::FULL)
}

impl LevelHealth {
    /// As hash policies see a level: they never choose a degraded host out of panic.
    pub(crate) fn without_degraded(&self) -> Self {
        Self {
            degraded: 0,
            weights: self.weights.map(|weights| LevelWeights {
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

    const fn level(hosts: u32, healthy: u32) -> LevelHealth {
        LevelHealth {
            hosts,
            healthy,
            degraded: 0,
            excluded: 0,
            weights: None,
            factor: crate::model::OverprovisioningFactor::DEFAULT,
        }
    }

    #[test]
    fn without_a_usable_host_all_levels_share_by_size() {
        let load = last_resort_load(&[level(3, 0), level(1, 0)], PanicThreshold::OFF);
        assert!(load.total_panic);
        assert_eq!(load.healthy, [75, 25]);
    }

    #[test]
    fn a_host_that_rounding_makes_vanish_is_no_obstacle() {
        let load = last_resort_load(&[level(500, 1), level(0, 0)], PanicThreshold::OFF);
        assert!(load.total_panic);
        assert_eq!(load.healthy, [100, 0]);
    }

    #[test]
    fn usable_hosts_serve_alone() {
        let load = last_resort_load(&[level(4, 0), level(4, 1)], PanicThreshold::OFF);
        assert_eq!(load.healthy, [0, 100]);
        assert!(!load.panics(1));
    }
}
