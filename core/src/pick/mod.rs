//! The algorithms that choose a host within a priority, one in each file.
//!
//! They take weights, hashes and indices. Health, priorities and the selection of the host list are
//! the caller's task, see [`plan`](crate::plan).
//!
//! | policy | algorithm |
//! |---|---|
//! | `ROUND_ROBIN` | [`Turns`], with an [`Edf`] schedule for different weights |
//! | `LEAST_REQUEST` | [`of_choices`] or [`of_all`], with an [`Edf`] schedule for different weights |
//! | `RING_HASH` | [`Ring`], optionally [`bounded`] |
//! | `MAGLEV` | [`MaglevTable`], optionally [`bounded`] |
//! | rendezvous hashing | [`rendezvous`] |

mod bounded_load;
mod buckets;
mod client_weight;
mod cycle;
mod edf;
mod least_request;
mod locality;
mod maglev;
mod mersenne_twister;
mod rendezvous;
mod ring_hash;
mod round_robin;
mod slow_start;
mod weights;

pub use bounded_load::{bounded, overload_factor, shuffled, slots};
pub use buckets::RingEntry;
pub use client_weight::reported_weights;
pub(crate) use cycle::gcd;
pub use cycle::schedule_cycle;
pub use edf::Edf;
pub use least_request::{biased_weight, choice_shares, of_all, of_choices};
pub use locality::LocalitySchedule;
pub use maglev::MaglevTable;
pub use rendezvous::rendezvous;
pub use ring_hash::Ring;
pub use round_robin::Turns;
pub use slow_start::slow_start_factor;
pub use weights::{NormalizedWeights, WeightedHost};
