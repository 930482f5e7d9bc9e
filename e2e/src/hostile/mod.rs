//! Requests of clients that want to choose their host themselves, or to break the filter.

mod client;
mod requests;

pub use client::{HttpClient, Version};
pub use requests::{Hostile, KINDS, Targets, hostile};
