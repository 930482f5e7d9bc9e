//! The priorities of several clusters in one line.

use alloc::vec::Vec;

use super::{LevelHealth, PriorityLoad, priority_load};
use crate::model::PanicThreshold;

/// One level of an aggregate: a member cluster and a level of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinearLevel<C> {
    /// The member.
    pub cluster: C,
    /// The level within the member.
    pub priority: usize,
}

/// An aggregate's levels and their loads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AggregateLoad<C> {
    /// The levels that exist, in order.
    pub levels: Vec<LinearLevel<C>>,
    /// The health that each level contributed.
    pub health: Vec<LevelHealth>,
    /// The loads, under the aggregate's own panic threshold.
    pub load: PriorityLoad,
}

/// Linearizes the priorities of the members: members in order, their priorities ascending,
/// priorities without hosts left out. Each keeps its own overprovisioning factor.
#[must_use]
pub fn linearized<C: Copy>(
    members: &[(C, Vec<LevelHealth>)],
    threshold: PanicThreshold,
) -> AggregateLoad<C> {
    let mut levels = Vec::new();
    let mut health = Vec::new();
    for (cluster, own) in members {
        for (priority, level) in own.iter().enumerate() {
            if level.hosts > 0 {
                levels.push(LinearLevel {
                    cluster: *cluster,
                    priority,
                });
                health.push(*level);
            }
        }
    }
    let load = priority_load(&health, threshold);
    AggregateLoad {
        levels,
        health,
        load,
    }
}
