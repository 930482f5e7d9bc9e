//! What the commands answer to a random configuration, and what the filter decides with another
//! one, as one text.
//!
//! The same code is built twice, for this machine and for `wasm32-unknown-unknown`, and a test
//! compares the texts: whatever the playground and the filter compute, they compute as the commands do,
//! to the last digit. A configuration passes through everything that reads, writes and decides.

mod decisions;
mod twin_answer;

pub use decisions::{REQUESTS, TRACE_HEADER, TRACE_WHEN, USER_HEADER, decisions, scenario, user};
pub use twin_answer::answer;

/// The answers of the commands and the decisions of the filter for a seed.
#[must_use]
pub fn both(seed: u64) -> String {
    answer(seed) + &decisions(seed, seed)
}
