//! Requests that the page runs through the shipped filter, `spillgate.wasm`, and its decisions, as they
//! cross between the modules.
//!
//! The Trace screen describes a [`ShippedRequest`]. In the worker of `www/filter.js`, the module that writes
//! files turns it into a [`ShippedRun`]. The Trace screen reads the [`ShippedAnswer`].

mod answer;
mod request;
mod route;
mod run;

pub use answer::{ShippedAnswer, ShippedDecision};
pub use request::{ShippedRequest, ShippedSession};
pub use route::{route_metadata, struct_bytes};
pub use run::ShippedRun;
