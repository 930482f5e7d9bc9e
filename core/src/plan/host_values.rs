//! The values of hosts that a policy uses: active requests and weights.

use alloc::vec::Vec;

use super::ClusterPlan;
use crate::{
    model::LeastRequestConfig,
    pick::{biased_weight, bounded, overload_factor, slots, slow_start_factor},
    snapshot::{HostRef, HostSet},
};

/// The hosts of a priority at the time of a request.
#[derive(Clone, Copy)]
pub(crate) struct PlannedHosts<'a> {
    pub(crate) plan: &'a ClusterPlan<'a>,
    pub(crate) priority: usize,
}

impl ClusterPlan<'_> {
    /// The hosts of a priority.
    pub(crate) const fn hosts(&self, priority: usize) -> PlannedHosts<'_> {
        PlannedHosts {
            plan: self,
            priority,
        }
    }
}

impl PlannedHosts<'_> {
    /// A reference to the host with this index.
    pub(crate) const fn host_ref(&self, host: usize) -> HostRef {
        HostRef {
            cluster: self.plan.owner,
            priority: self.priority,
            host,
        }
    }

    /// The number of active requests of a host.
    #[inline]
    pub(crate) fn active(&self, host: usize) -> u32 {
        self.plan.facts.hosts.active(self.host_ref(host))
    }

    /// Whether new sessions avoid a host.
    #[inline]
    pub(crate) fn is_hot(&self, host: usize) -> bool {
        self.plan.facts.hosts.is_hot(self.host_ref(host))
    }

    /// The weight of a host, reduced by slow start.
    #[inline]
    pub(crate) fn weight(&self, host: usize) -> f64 {
        self.base_weight(host) * self.slow_start(host)
    }

    /// The weight of a host under `LEAST_REQUEST`, also reduced by its active requests.
    #[inline]
    pub(crate) fn biased_weight(&self, host: usize, config: &LeastRequestConfig) -> f64 {
        let bias = config.active_request_bias();
        biased_weight(self.base_weight(host), self.active(host), bias) * self.slow_start(host)
    }

    #[inline]
    fn base_weight(&self, host: usize) -> f64 {
        let hosts = self.plan.plain.priorities.get(self.priority);
        // No host of Envoy has a weight below 1.
        hosts.map_or(1, |hosts| hosts.weight(host)).into()
    }

    #[inline]
    fn slow_start(&self, host: usize) -> f64 {
        let Some(config) = &self.plan.plain.settings.slow_start else {
            return 1.0;
        };
        let reported = self.plan.facts.hosts.healthy_for(self.host_ref(host));
        let stated = || {
            let mut stated = self.plan.plain.settings.healthy_for.iter();
            let found = stated.find(|of| (of.priority, of.host) == (self.priority, host));
            found.map(|of| of.time)
        };
        // A running environment knows more than the command line states.
        let healthy_for = reported.or_else(stated);
        healthy_for.map_or(1.0, |elapsed| slow_start_factor(config, elapsed))
    }

    /// The host that the hash table of a set selects; with bounded load, overloaded hosts are
    /// passed over. `attempt` counts the attempts of one request from 0; `order` is a buffer for
    /// bounded load.
    pub(crate) fn by_table(
        &self,
        priority: &HostSet,
        hash: u64,
        attempt: u32,
        order: &mut Vec<u32>,
    ) -> Option<usize> {
        let table = priority.table.as_ref()?;
        // Without a table host there is nothing to move from: bounded load adds no hosts to an empty
        // table.
        let base = table.lookup(hash, attempt)?;
        let factor = self.plan.plain.settings.hash_balance_factor;
        let (Some(factor), Some(listed)) = (factor, &table.bounded) else {
            return Some(base);
        };
        let all = self.plan.facts.hosts.cluster_active(self.plan.owner);
        let overload = |index: usize| {
            let host = listed.hosts.get(index).map_or(0, |host| host.host);
            overload_factor(self.active(host), slots(all, factor, listed.weight(index)))
        };
        let (base, len) = (listed.index_of(base), listed.hosts.len());
        let index = bounded(base, hash, len, overload, order);
        listed.hosts.get(index).map(|host| host.host)
    }
}
