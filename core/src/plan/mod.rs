//! Where a request may go: the only place that knows the rules between a snapshot and a host.
//!
//! A plan is not stored. It is resolved piece by piece while a request walks down: the step of the
//! subset fallback chain, the sets of hosts, the loads that decide the priority, the host lists of
//! a priority, the hosts of a list. [`decide`](crate::decide) draws one way down,
//! [`shares`](crate::shares) weighs all of them, sessions and inspectors look at some pieces.

mod facts;
mod hosts;
mod priorities;
mod retry;
mod sets;
mod sources;
mod step;
mod walk;

pub use facts::{ClusterChoice, HostStats, IdleHosts};
pub use priorities::ChosenPriority;

pub(crate) use facts::Facts;
pub(crate) use hosts::PlannedHosts;
pub(crate) use priorities::{Loads, Window};
pub(crate) use retry::{rejects, selections};
pub(crate) use sets::{Asked, AskedSet, Sets};
pub(crate) use sources::HostSources;
pub(crate) use walk::ClusterPlan;
