//! The rules, held against recorded faults, their mended forms and configurations without faults.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod catalogue;
mod common;
mod headers;
mod near_misses;
mod sensible;
mod valid;
mod vectors;
