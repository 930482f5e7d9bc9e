//! Locality policies: merging, differences between the readings, and assignments against a second
//! implementation.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod cache;
mod differences;
mod istio;
mod istio_rules;
mod istio_versions;
mod merging;
mod naive;
mod random;
mod routes;
mod shares;
