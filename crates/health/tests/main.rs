//! Health over time: each rule by itself, and runs against naive second implementations.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may panic"
)]

mod checker;
mod common;
mod ejections;
mod host_checks;
mod merge_window;
mod request_oracle;
mod result_counts;
mod sweeps;
mod tick_oracle;
mod times;
