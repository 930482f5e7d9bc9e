//! The request path in a host environment in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod active;
mod configuration;
mod environment;
mod followed;
mod health;
mod intervals;
mod limits;
mod log;
mod many_targets;
mod metadata;
mod next_cluster;
mod owners;
mod planted;
mod pollers;
mod refused;
mod request;
mod sessions;
mod standby;
