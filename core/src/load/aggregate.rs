//! The linearized priorities of an aggregate cluster.
//!
//! Envoy lists the priorities of all members in one sequence (`envoy.clusters.aggregate`): members
//! in configuration order, their priorities ascending, without priorities that have no hosts. The
//! loads then follow the rules of one cluster with these priorities, under the panic threshold of
//! the aggregate. The share of a member is the sum of the loads of its priorities.

use alloc::vec::Vec;

use super::{PriorityHealth, PriorityLoad, priority_load};
use crate::model::PanicThreshold;

/// One linearized priority: a member cluster and one of its priorities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinearizedPriority<C> {
    /// The member cluster.
    pub cluster: C,
    /// The priority in the member, from 0.
    pub number: usize,
}

/// The linearized priorities of an aggregate with their loads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AggregateLoad<C> {
    /// The linearized priorities, in order. The index in this list is the linearized priority
    /// number.
    pub priorities: Vec<LinearizedPriority<C>>,
    /// The health of each linearized priority.
    pub health: Vec<PriorityHealth>,
    /// The load of each linearized priority, under the panic threshold of the aggregate.
    pub load: PriorityLoad,
}

/// Linearizes the priorities of the members and computes their loads. Each priority keeps its own
/// overprovisioning factor and host weights.
///
/// # Examples
/// Two members with 20 percent and 100 percent healthy hosts: the first takes 28 percent.
/// ```
/// use spillgate_core::load::{PriorityHealth, linearized};
/// use spillgate_core::model::PanicThreshold;
///
/// let priority = |healthy| PriorityHealth {
///     hosts: 10,
///     healthy,
///     ..PriorityHealth::default()
/// };
/// let members = [("primary", vec![priority(2)]), ("secondary", vec![priority(10)])];
/// let aggregate = linearized(&members, PanicThreshold::DEFAULT);
/// assert_eq!(aggregate.priorities[1].cluster, "secondary");
/// assert_eq!(aggregate.load.healthy, [28, 72]);
/// ```
#[must_use]
pub fn linearized<C: Copy>(
    members: &[(C, Vec<PriorityHealth>)],
    threshold: PanicThreshold,
) -> AggregateLoad<C> {
    let mut priorities = Vec::new();
    let mut health = Vec::new();
    for (cluster, own) in members {
        for (number, priority) in own.iter().enumerate() {
            // Priorities without hosts get no number
            // (`AggregateClusterLoadBalancer::linearizePrioritySet`).
            if priority.hosts > 0 {
                priorities.push(LinearizedPriority {
                    cluster: *cluster,
                    number,
                });
                health.push(*priority);
            }
        }
    }
    let load = priority_load(&health, threshold);
    AggregateLoad {
        priorities,
        health,
        load,
    }
}
