//! The plan of a request: all rules between a snapshot and a host, in one place.
//!
//! A plan is not stored. It is resolved step by step for a request:
//!
//! 1. the step of the subset fallback chain, if the model has a chain,
//! 2. the set of hosts: the whole cluster, a subset, or the set of the chain step,
//! 3. the loads, which determine the priority,
//! 4. the host lists of the priority: all hosts, one class, or one locality,
//! 5. the hosts of a list.
//!
//! [`decide`](crate::decide) makes one choice at each step. [`shares`](crate::shares) weighs all
//! choices, so the exact distribution follows the same rules. Sessions and inspectors use single
//! steps. Retries are part of the plan: `previous_priorities` changes the loads, and retry host
//! predicates reject hosts.
//!
//! A plan borrows from the snapshot, so a decision does not allocate. Loads are passed to a
//! closure, because those of a retry live only that long. A generic walk with two visitors was
//! rejected: draws, turns and traces happen in another order than shares add up.

mod cluster_plan;
mod facts;
mod host_values;
mod priorities;
mod retry;
mod sets;
mod sources;
mod step;

pub use facts::{ClusterChoice, HostStats, NoHostStats};
pub use priorities::ChosenPriority;

pub(crate) use cluster_plan::ClusterPlan;
pub(crate) use facts::Facts;
pub(crate) use host_values::PlannedHosts;
pub(crate) use priorities::{Loads, Window};
pub(crate) use retry::{rejects, selections};
pub(crate) use sets::{PlannedSet, SetTarget, Sets};
pub(crate) use sources::SourceChoice;
