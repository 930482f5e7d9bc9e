//! The editor, the diff, and the patched bootstraps.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod bootstraps;
mod diff;
mod edit;
