//! Exact shares: the percentage of requests that each host gets.
//!
//! All choices of a [plan](crate::plan) are weighed with their probabilities, in the same order in
//! which [`decide`](crate::decide::decide) makes them. See
//! [`Snapshot::distribution`](crate::snapshot::Snapshot::distribution) for an example.
//!
//! Two cases are computed residue by residue of the hundred that choose a priority, because host
//! and priority are then not independent: RANDOM uses one draw for both, so the hosts of one
//! priority are not equally likely if several priorities serve; and a Maglev table of 2 or 5 slots
//! shares a factor with 100.

mod distribution;
mod host_shares;
mod maglev;
mod retried;
mod share;
mod table;
mod tally;
mod weigh;

pub use share::{Distribution, Share};
