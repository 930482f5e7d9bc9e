//! The gRPC state machines against naive second readings of their rules.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod aggregate;
mod outlier;
mod priority;
mod sessions;
