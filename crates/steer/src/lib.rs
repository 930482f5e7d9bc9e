//! The path of a request through Spillgate, the same in every host environment.
//!
//! - [`SteeredRequest`] is one request: it strips internal headers, reads the session and the
//!   criteria, chooses the target cluster, decides, passes the decision to the proxy and, with the
//!   response, issues the session token.
//! - [`PluginInstance`] is one plugin. Only a valid configuration replaces the one that serves, in
//!   [`Balancing`].
//! - [`hosts`] polls an admin interface, publishes changes to all workers and builds the next
//!   snapshot from them.
//!
//! The crate performs no input or output. The [`port`] has the traits that a host environment
//! implements: the proxy-wasm filter with host calls, the simulator and the tests in memory.
//! `spillgate-core` makes every decision.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod hosts;
pub mod messages;
pub mod port;

mod balancing;
mod instance;
mod metrics;
mod request;
mod responder;
mod route;
mod secret;
mod session;
mod settings;
mod worker;

pub use balancing::{Balancing, Serving};
pub use instance::{Configuration, PluginInstance};
pub use metrics::{COUNTERS, DECISIONS, DECISIONS_WITH_STEP, count_build};
pub use request::{Next, SteeredRequest};
pub use route::RouteSettings;
pub use settings::CompiledConfig;
