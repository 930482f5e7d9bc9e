//! Requests that the page runs through the shipped filter, `spillgate.wasm`, and its decisions, as they
//! cross between the modules.
//!
//! The Trace screen describes a [`ShippedRequest`]. In the worker of `www/filter.js`, the module that writes
//! files turns it into a [`ShippedRun`]. The Trace screen reads the [`ShippedAnswer`].
//!
//! Only JavaScript can instantiate a second module in a browser and read its memory, so a host in
//! Rust would call JavaScript for each byte. `www/filter-host.js` trusts no address of the filter,
//! shares no code with the engine that it checks, and keeps no view of the memory across calls,
//! because an allocation can replace it.

mod request;
mod route;
mod run;
mod shipped_decision;

pub use request::{ShippedRequest, ShippedSession};
pub use route::{route_metadata, struct_bytes};
pub use run::ShippedRun;
pub use shipped_decision::{ShippedAnswer, ShippedDecision};
