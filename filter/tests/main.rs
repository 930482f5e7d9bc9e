//! The shipped filter in a test host.
//!
//! One program, because each one takes seconds to build.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

mod common;

mod active_requests;
mod configuration;
mod headers;
mod large_responses;
mod ledger;
mod live_health;
mod many_clusters;
mod many_hosts;
mod open_streams;
mod outputs;
mod planted;
mod refused;
mod requests;
mod same_engine;
mod session_cookies;
mod sessions;
mod statuses;
mod subsets;
mod targets;
mod trace;
