//! The load-balancing settings of a compiled cluster.

use alloc::vec::Vec;
use core::{mem, ops::Deref};

use crate::{
    load::{PriorityHealth, PriorityLoad, filled_load, last_resort_load, priority_load},
    model::{ChainStep, PlainCluster, Priority},
};

/// The load-balancing settings of a plain cluster, or of a chain step in it.
///
/// The fields of [`PlainCluster`] are available by dereferencing. Its `priorities` and `subsets`
/// are empty here: [`PlainSnapshot`](super::PlainSnapshot) has them in compiled form.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    cluster: PlainCluster,
    /// Whether Envoy's load balancers exist before all priorities are added ([`filled_load`]):
    /// those with hash tables and those of subsets.
    pub filled_by_priority: bool,
    /// Whether these are the settings of a last resort ([`ChainStep::last_resort`]).
    pub last_resort: bool,
}

impl Deref for Settings {
    type Target = PlainCluster;

    #[inline]
    fn deref(&self) -> &PlainCluster {
        &self.cluster
    }
}

impl Settings {
    /// Separates the settings of a cluster from its priorities.
    pub(super) fn split(cluster: &PlainCluster) -> (Self, Vec<Priority>) {
        let mut cluster = cluster.clone();
        let priorities = mem::take(&mut cluster.priorities);
        let has_subsets = cluster.subsets.take().is_some();
        let settings = Self {
            filled_by_priority: cluster.policy.hashes() || has_subsets,
            cluster,
            last_resort: false,
        };
        (settings, priorities)
    }

    /// The settings of the cluster's sets in a chain step.
    pub(super) fn in_step(&self, step: &ChainStep) -> Self {
        let mut cluster = self.cluster.clone();
        cluster.panic_threshold = step.panic_threshold;
        Self {
            cluster,
            filled_by_priority: false,
            last_resort: step.last_resort,
        }
    }

    /// The health of the priorities that their loads depend on.
    pub(super) fn counted(&self, mut priorities: Vec<PriorityHealth>) -> Vec<PriorityHealth> {
        if self.last_resort && self.policy.hashes() {
            for priority in &mut priorities {
                *priority = priority.without_degraded();
            }
        }
        priorities
    }

    /// The loads of priorities with this health.
    pub(crate) fn load(&self, priorities: Vec<PriorityHealth>) -> PriorityLoad {
        let priorities = self.counted(priorities);
        let rule = if self.last_resort {
            last_resort_load
        } else if self.filled_by_priority {
            filled_load
        } else {
            priority_load
        };
        rule(&priorities, self.panic_threshold)
    }

    /// Whether a priority in panic mode fails its requests (`fail_traffic_on_panic`). Hash policies
    /// and last resorts never do.
    #[must_use]
    pub fn fails_traffic_on_panic(&self) -> bool {
        let zone_aware = self.locality_lb.zone_aware();
        let refuses = !self.policy.hashes() && !self.last_resort;
        refuses && zone_aware.is_some_and(|zone| zone.fail_traffic_on_panic)
    }
}
