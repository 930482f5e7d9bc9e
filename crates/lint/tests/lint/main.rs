//! The rules, tested with recorded faults, their fixed forms and configurations without faults.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod catalog;
mod common;
mod dynamic_module;
mod effects;
mod faults;
mod hash_header;
mod headers;
mod logical_dns;
mod losses;
mod mesh;
mod messages;
mod mutants;
mod near_misses;
mod no_host;
mod secrets;
mod sensible;
mod separate;
mod steered;
mod times;
mod valid;
mod vectors;
mod wiring;
