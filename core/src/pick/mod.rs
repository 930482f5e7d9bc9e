//! Choosing a host within a level: one algorithm a file.
//!
//! These know weights, hashes and indices, nothing of health or levels; the caller hands them
//! the list that may serve.

mod edf;
mod maglev;
mod ring_hash;
mod round_robin;
mod weights;

pub use edf::Edf;
pub use maglev::MaglevTable;
pub use ring_hash::Ring;
pub use round_robin::RoundRobin;
pub use weights::{NormalizedWeights, WeightedHost};
