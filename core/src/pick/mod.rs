//! Choosing a host within a priority: one algorithm a file.
//!
//! These know weights, hashes and indices, nothing of health or priorities; the caller hands them
//! the list that may serve.

mod bounded_load;
mod client_weight;
mod edf;
mod least_request;
mod locality;
mod maglev;
mod mersenne_twister;
mod rendezvous;
mod ring_hash;
mod round_robin;
mod slow_start;
mod stretches;
mod weights;

pub use bounded_load::{bounded, overload_factor, shuffled, slots};
pub use client_weight::reported_weights;
pub use edf::Edf;
pub use least_request::{biased_weight, choice_shares, of_all, of_choices};
pub use locality::LocalitySchedule;
pub use maglev::MaglevTable;
pub use rendezvous::rendezvous;
pub use ring_hash::Ring;
pub use round_robin::Turns;
pub use slow_start::slow_start_factor;
pub use stretches::RingEntry;
pub use weights::{NormalizedWeights, WeightedHost};
