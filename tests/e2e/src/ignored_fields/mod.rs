//! Fields that are ignored, set in the real Envoy: no choice of a host may change.
//!
//! Random configurations use everything that a choice depends on: hashes of path, authority, headers, cookies, query
//! parameters and the client's address; hosts from headers; subsets; priorities; aggregates; weighted clusters; retries.
//! Hosts of deterministic choices must be the same with and without the fields; of the others, the shares.

mod ablation;
mod configuration;
mod field;
mod outcome;
mod requests;

pub use ablation::{Ablation, AblationOptions};
