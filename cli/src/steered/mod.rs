//! The Spillgate filters of a listener, run for one request as its Envoy would run them.
//!
//! The filter's own request path decides ([`spillgate_steer`]); what is evaluated here is which
//! requests it makes of one request, and how often each.

mod alternative;
mod filter;
mod plugin;
mod stream;

pub use alternative::{SteeredAlternative, SteeredOutcome};
pub use filter::{SteeredInput, SteeringFilters};
pub use stream::DrawnDecision;
