//! Requests of clients that try to choose their host themselves, or to break the filter, and
//! sessions that were never begun.

mod client;
mod hostile_answer;
mod requests;
mod targets;
mod tokens;

pub use client::HttpClient;
pub use hostile_answer::reveals_nothing;
pub use requests::{Hostile, KINDS, Targets, Version, hostile};
pub use targets::target_texts;
pub use tokens::{TOKEN_KINDS, forged};
