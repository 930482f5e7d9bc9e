//! The priorities of several clusters in one line.

use alloc::vec::Vec;

use super::{PriorityHealth, PriorityLoad, priority_load};
use crate::model::PanicThreshold;

/// One priority of an aggregate: a member cluster and a priority of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinearizedPriority<C> {
    /// The member.
    pub cluster: C,
    /// The priority within the member.
    pub number: usize,
}

/// An aggregate's priorities and their loads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AggregateLoad<C> {
    /// The priorities that exist, in order.
    pub priorities: Vec<LinearizedPriority<C>>,
    /// The health that each priority contributed.
    pub health: Vec<PriorityHealth>,
    /// The loads, under the aggregate's own panic threshold.
    pub load: PriorityLoad,
}

/// Linearizes the priorities of the members: members in order, their priorities ascending,
/// priorities without hosts left out. Each keeps its own overprovisioning factor.
#[must_use]
pub fn linearized<C: Copy>(
    members: &[(C, Vec<PriorityHealth>)],
    threshold: PanicThreshold,
) -> AggregateLoad<C> {
    let mut priorities = Vec::new();
    let mut health = Vec::new();
    for (cluster, own) in members {
        for (number, priority) in own.iter().enumerate() {
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
