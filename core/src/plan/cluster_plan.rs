//! The plan of a request within one cluster.

use core::cell::Cell;

use super::{
    ChosenPriority, Facts, Loads, PlannedSet, rejects,
    retry::{Asked, with_retry},
};
use crate::{
    load::HostClass,
    snapshot::{ClusterId, HostRef, PlainSnapshot, Snapshot},
};

/// The plan of a request within one cluster with hosts.
pub(crate) struct ClusterPlan<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) facts: &'a Facts<'a>,
    /// The cluster with the hosts: the routed cluster, or a member of an aggregate.
    pub(crate) owner: ClusterId,
    pub(crate) plain: &'a PlainSnapshot,
    /// The priority that an aggregate chose. Hash tables ignore it, as in Envoy.
    pub(crate) forced: Option<(usize, HostClass)>,
    /// Whether the hash table of the cluster chooses the host.
    pub(crate) uses_table: bool,
    /// Whether `previous_priorities` has forgotten the attempts since it was first asked for this one.
    forgets: Cell<bool>,
}

impl<'a> ClusterPlan<'a> {
    #[inline(always)]
    pub(crate) fn new(
        snapshot: &'a Snapshot,
        facts: &'a Facts<'a>,
        owner: ClusterId,
        plain: &'a PlainSnapshot,
        forced: Option<(usize, HostClass)>,
    ) -> Self {
        Self {
            snapshot,
            facts,
            owner,
            plain,
            forced,
            uses_table: facts.key.is_none() && plain.settings.policy.hashes(),
            forgets: Cell::new(false),
        }
    }

    /// Whether the next choice of this attempt has the original loads in any case.
    pub(crate) const fn forgets(&self) -> bool {
        self.forgets.get()
    }

    /// Calls `then` with the loads that determine the priority within a set.
    #[inline(always)]
    pub(crate) fn with_loads<R>(
        &self,
        planned: PlannedSet<'_>,
        then: impl FnOnce(&Loads<'_>) -> R,
    ) -> R {
        let load = &planned.set.load;
        // `ThreadAwareLoadBalancerBase` never asks the context for loads: neither the choice of an
        // aggregate nor `previous_priorities` reaches a table.
        let forced = self.forced.filter(|_| !self.uses_table);
        if !self.facts.tried.is_empty() && forced.is_none() && !self.uses_table {
            return self.with_loads_of_retry(planned, then);
        }
        then(&Loads {
            healthy: &load.healthy,
            degraded: &load.degraded,
            forced,
            retry: None,
        })
    }

    #[cold]
    #[inline(never)]
    fn with_loads_of_retry<R>(
        &self,
        planned: PlannedSet<'_>,
        then: impl FnOnce(&Loads<'_>) -> R,
    ) -> R {
        // The number counts whatever the cluster: a composite cluster, or refresh_cluster_on_retry, leads
        // attempts of one request to several.
        let tried = |host: &HostRef| {
            let other = self
                .snapshot
                .plain(host.cluster)
                .filter(|_| host.cluster != self.owner);
            let asked = match other {
                None => Asked::Same,
                Some(plain) if plain.settings.policy.hashes() => Asked::Table,
                Some(plain) => Asked::Other(&plain.whole.load.availability),
            };
            (Some(host.priority), asked)
        };
        with_retry(self.facts, &planned.set.load, &self.forgets, &tried, then)
    }

    /// A priority of a set for a class; its host list is not chosen yet.
    #[inline(always)]
    pub(crate) fn priority(
        &self,
        planned: PlannedSet<'_>,
        priority: usize,
        class: HostClass,
    ) -> ChosenPriority {
        ChosenPriority {
            owner: self.owner,
            number: priority,
            class,
            panic: planned.set.load.panics(priority),
            source: None,
        }
    }

    /// Whether a retry must not use a host.
    #[inline(always)]
    pub(crate) fn rejects(&self, host: HostRef) -> bool {
        rejects(self.snapshot, self.facts, host)
    }
}
