//! The gRPC state machines against naive second readings of their rules.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod aggregate;
mod outlier;
mod priority;
mod sessions;
