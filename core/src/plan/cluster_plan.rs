//! The plan of a request within one cluster.

use super::{ChosenPriority, Facts, Loads, PlannedSet, SetTarget, rejects, retry::with_retry};
use crate::{
    load::HostClass,
    snapshot::{ClusterId, HostRef, PlainSnapshot, Snapshot},
    subset::ChosenSubset,
};

/// The plan of a request within one cluster with hosts.
#[derive(Clone, Copy)]
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
    /// Whether a retry has forgotten which priorities the request tried.
    forgets: bool,
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
            forgets: false,
        }
    }

    /// The plan for the set after this one, which had no host. `previous_priorities` forgets the
    /// attempts when it is asked about a set without an available priority.
    #[inline]
    pub(crate) fn after(self, subset: ChosenSubset) -> Self {
        let empty = match self.plain.target(subset) {
            SetTarget::Set(planned) => planned.set.load.normalized_total == 0,
            SetTarget::Host { .. } | SetTarget::Missing => false,
        };
        Self {
            forgets: self.forgets || empty,
            ..self
        }
    }

    /// Calls `then` with the loads that determine the priority within a set. `choice` counts the
    /// choices of one attempt, from 0.
    #[inline(always)]
    pub(crate) fn with_loads<R>(
        &self,
        planned: PlannedSet<'_>,
        choice: u32,
        then: impl FnOnce(&Loads<'_>) -> R,
    ) -> R {
        let load = &planned.set.load;
        let forced = self.forced.filter(|_| !self.uses_table);
        if self.facts.tried.is_empty() || forced.is_some() || self.uses_table || self.forgets {
            return then(&Loads {
                healthy: &load.healthy,
                degraded: &load.degraded,
                forced,
                retry: None,
            });
        }
        // The number counts whatever the cluster: a composite cluster, or refresh_cluster_on_retry, leads
        // attempts of one request to several.
        let tried = |host: &HostRef| {
            let other = self.snapshot.plain(host.cluster);
            let other = other.filter(|_| host.cluster != self.owner);
            let priorities = other.map(|plain| &*plain.whole.load.availability);
            (Some(host.priority), priorities)
        };
        with_retry(self.facts, load, choice, &tried, then)
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
