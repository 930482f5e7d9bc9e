//! The gRPC state machines, compared with naive implementations of their rules.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod aggregate;
mod outlier;
mod priority;
mod sessions;
mod shares;
