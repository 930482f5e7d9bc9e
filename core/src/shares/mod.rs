//! The exact shares that many requests come to: all ways through a [plan](crate::plan), weighed.

mod distribution;
mod hosts;
mod share;
mod table;
mod tally;
mod weigh;

pub use share::{Distribution, Share};
