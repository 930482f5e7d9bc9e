//! Requests that the playground runs through the shipped filter, `spillgate.wasm`, and its decisions.
//!
//! The Trace screen describes a [`ShippedRequest`]. `spillgate-export` writes what `www/filter.js` runs in a
//! worker, and the Trace screen reads the [`ShippedAnswer`].
//!
//! Only JavaScript can instantiate a second module in a browser and read its memory, so a host in
//! Rust would call JavaScript for each byte. `www/filter-host.js` trusts no address of the filter,
//! shares no code with the engine that it checks, and keeps no view of the memory across calls,
//! because an allocation can replace it.

mod request;
mod route;
mod shipped_decision;

pub use request::{ShippedRequest, ShippedSession};
pub use route::route_metadata;
pub use shipped_decision::{ShippedAnswer, ShippedDecision};
