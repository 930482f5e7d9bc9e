//! The simulated world: runs are deterministic, the rules hold, and they detect broken gateways.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod broken;
mod epochs;
mod guard;
mod many;
