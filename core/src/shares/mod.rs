//! Exact shares: the percentage of requests that each host gets.
//!
//! All choices of a [plan](crate::plan) are weighed with their probabilities, in the same order in
//! which [`decide`](crate::decide::decide) makes them. See
//! [`Snapshot::distribution`](crate::snapshot::Snapshot::distribution) for an example.

mod distribution;
mod hosts;
mod maglev;
mod retried;
mod share;
mod table;
mod tally;
mod weigh;

pub use share::{Distribution, Share};
