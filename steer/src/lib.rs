//! The path of a request through Spillgate, the same in every host environment.
//!
//! A request: [`SteeredRequest`] strips internal headers, reads the session and the criteria,
//! chooses the target cluster, decides, passes the decision to the proxy and, after the response,
//! issues the session token. A configuration: [`PluginInstance`] takes it, and only a legal one replaces
//! the one that serves, in [`Balancing`]. The hosts: [`hosts`] polls an admin interface, publishes
//! its answer to all workers and builds the next snapshot from it.
//!
//! The crate performs no input or output. What a host environment offers is the [`port`]: the
//! proxy-wasm filter implements it with host calls, the simulator and the tests in memory. Every
//! decision is `spillgate-core`'s.
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
pub mod port;

mod balancing;
mod draws;
mod instance;
mod metrics;
mod request;
mod route;
mod secret;
mod session;
mod settings;
mod worker;

pub use balancing::{Balancing, Serving};
pub use instance::{Configuration, PluginInstance};
pub use request::{Next, SteeredRequest};
pub use route::RouteFacts;
pub use settings::CompiledConfig;
