//! A compiled cluster.

use alloc::{string::String, vec::Vec};

use super::LevelSnapshot;
use crate::{
    load::{AggregateLoad, HostClass, PriorityLoad},
    model::{OverprovisioningFactor, PanicThreshold, Policy},
};

/// The number of a cluster within one snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClusterId(u32);

impl ClusterId {
    pub(super) const fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The place in [`Snapshot::clusters`](super::Snapshot::clusters).
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A cluster and its name.
#[derive(Debug, Clone)]
pub struct ClusterSnapshot {
    /// The name.
    pub name: String,
    /// What stands behind it.
    pub kind: Kind,
}

/// What a compiled cluster is made of.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Endpoints of its own.
    Plain(PlainSnapshot),
    /// Members.
    Aggregate(AggregateSnapshot),
}

/// A compiled cluster with endpoints.
#[derive(Debug, Clone)]
pub struct PlainSnapshot {
    /// How a host is chosen.
    pub policy: Policy,
    /// The cluster's threshold.
    pub panic_threshold: PanicThreshold,
    /// The cluster's factor.
    pub overprovisioning_factor: OverprovisioningFactor,
    /// The levels, 0 first.
    pub levels: Vec<LevelSnapshot>,
    /// How traffic is spread over them.
    pub load: PriorityLoad,
}

impl PlainSnapshot {
    /// Which hosts of a level serve a class: all of them in panic.
    #[must_use]
    pub fn hosts(&self, priority: usize, class: HostClass) -> super::HostList<'_> {
        match self.levels.get(priority) {
            Some(level) => level.hosts(class, self.load.panics(priority)),
            None => super::HostList::EMPTY,
        }
    }
}

/// A compiled aggregate.
#[derive(Debug, Clone)]
pub struct AggregateSnapshot {
    /// The aggregate's own threshold.
    pub panic_threshold: PanicThreshold,
    /// The members that exist, in order.
    pub members: Vec<ClusterId>,
    /// The names that no cluster has.
    pub missing: Vec<String>,
    /// The members' levels in one line, and their loads.
    pub line: AggregateLoad<ClusterId>,
}
