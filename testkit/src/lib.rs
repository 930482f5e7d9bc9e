//! What tests and tools share. Nothing that ships depends on it.
//!
//! Without features: [Envoy processes](EnvoyProcess), an HTTP [`Client`], leased [`Port`]s and
//! waiting for a condition. Feature `models`: random legal models. Feature `commands`: fuzz cases,
//! forged tokens, and the commands' answers for this machine and for WebAssembly.

mod envoy;
mod http;
mod port;
mod wait;

#[cfg(feature = "commands")]
pub mod fuzz;
#[cfg(feature = "models")]
pub mod models;
#[cfg(feature = "commands")]
pub mod twins;

pub use envoy::{EnvoyProcess, EnvoyStart};
pub use http::{Client, Response, connect, read};
pub use port::Port;
pub use wait::eventually;
