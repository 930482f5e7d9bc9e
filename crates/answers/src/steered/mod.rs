//! The Spillgate filters of a listener, run for one request as its Envoy would run them.
//!
//! The filter's own request path decides ([`spillgate_steer`]). This module evaluates it for `pick`
//! and `explain`: the requests that Envoy receives from the filter, and the probability of each.

mod alternative;
mod compiled;
mod filter;
mod headers;
mod input;
mod later;
mod output;
mod plugin;
mod retry;
mod stream;

pub use alternative::{SteeredAlternative, SteeredOutcome};
pub use filter::SteeringFilters;
pub use input::SteeredInput;
pub use stream::{DrawnDecision, DrawnResult};
