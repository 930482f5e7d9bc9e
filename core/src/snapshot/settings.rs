//! What a cluster's configuration says about balancing, apart from its hosts.

use alloc::vec::Vec;

use crate::{
    load::{PriorityHealth, PriorityLoad, filled_load, last_resort_load, priority_load},
    model::{
        ChainStep, DropOverload, HashBalanceFactor, HostSource, LocalityLb, OverprovisioningFactor,
        OverrideStatuses, PanicThreshold, PlainCluster, Policy, SlowStart,
    },
    route::HashPolicy,
};

/// The settings of a plain cluster; see [`PlainCluster`] for each.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// How a host is chosen.
    pub policy: Policy,
    /// Below this share of usable hosts a priority panics.
    pub panic_threshold: PanicThreshold,
    /// How much of its traffic a priority still takes when hosts are missing.
    pub overprovisioning_factor: OverprovisioningFactor,
    /// Whether availability counts weights.
    pub weighted_priority_health: bool,
    /// What decides between localities.
    pub locality_lb: LocalityLb,
    /// Less traffic for hosts that are new to health.
    pub slow_start: Option<SlowStart>,
    /// When hash policies pass over a busy host.
    pub hash_balance_factor: Option<HashBalanceFactor>,
    /// The balancer's own hash policies.
    pub hash_policies: Vec<HashPolicy>,
    /// Where requests may name their hosts.
    pub override_hosts: Vec<HostSource>,
    /// In which states a host that a session names is kept.
    pub override_statuses: OverrideStatuses,
    /// How many requests are refused beforehand.
    pub drop_overload: DropOverload,
    /// Whether Envoy's balancers are there before the priorities are filled ([`filled_load`]).
    pub filled_by_priority: bool,
    /// Whether these are the settings of a chain's last resort ([`ChainStep::last_resort`]).
    pub last_resort: bool,
}

impl Settings {
    pub(super) fn of(cluster: &PlainCluster) -> Self {
        Self {
            policy: cluster.policy,
            panic_threshold: cluster.panic_threshold,
            overprovisioning_factor: cluster.overprovisioning_factor,
            weighted_priority_health: cluster.weighted_priority_health,
            locality_lb: cluster.locality_lb,
            slow_start: cluster.slow_start,
            hash_balance_factor: cluster.hash_balance_factor,
            hash_policies: cluster.hash_policies.clone(),
            override_hosts: cluster.override_hosts.clone(),
            override_statuses: cluster.override_statuses,
            drop_overload: cluster.drop_overload,
            filled_by_priority: cluster.policy.hashes() || cluster.subsets.is_some(),
            last_resort: false,
        }
    }

    /// The settings of the cluster's sets in a step of a chain.
    pub(super) fn in_step(&self, step: &ChainStep) -> Self {
        Self {
            panic_threshold: step.panic_threshold,
            filled_by_priority: false,
            last_resort: step.last_resort,
            ..self.clone()
        }
    }

    /// The health of priorities as far as loads depend on it.
    pub(super) fn counted(&self, mut priorities: Vec<PriorityHealth>) -> Vec<PriorityHealth> {
        if self.last_resort && self.policy.hashes() {
            for priority in &mut priorities {
                *priority = priority.without_degraded();
            }
        }
        priorities
    }

    /// The loads of priorities of this health.
    pub(super) fn load(&self, priorities: Vec<PriorityHealth>) -> PriorityLoad {
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

    /// Whether a priority in panic refuses its requests. Hash policies and last resorts never do.
    #[must_use]
    pub fn fails_traffic_on_panic(&self) -> bool {
        let zone_aware = self.locality_lb.zone_aware();
        let refuses = !self.policy.hashes() && !self.last_resort;
        refuses && zone_aware.is_some_and(|zone| zone.fail_traffic_on_panic)
    }
}
