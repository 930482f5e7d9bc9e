//! Requests of clients that try to choose their host themselves, or to break the filter, and
//! sessions that were never begun.

mod answer;
mod client;
mod requests;
mod targets;
mod tokens;

pub use answer::reveals_nothing;
pub use client::HttpClient;
pub use requests::{Hostile, KINDS, Targets, Version, hostile};
pub use targets::target_texts;
pub use tokens::{TOKEN_KINDS, forged};
