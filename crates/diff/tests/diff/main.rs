//! The comparison against the engine, over random changes of random configurations.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod change;
mod common;
mod equality;
mod fractions;
mod key_choice;
mod keys;
mod losses;
mod metadata;
mod renames;
mod route_spellings;
mod routes;
mod traffic;
