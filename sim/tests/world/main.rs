//! The world of sessions: it can be replayed, its rules hold, and they notice what breaks them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod broken;
mod many;
