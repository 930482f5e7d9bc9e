//! What tests and tools share. Nothing that ships depends on it.
//!
//! Without features: [Envoy processes](EnvoyProcess), an HTTP [`Client`], leased [`Port`]s,
//! waiting for a condition, and [generated blocks](check_block) in documents. Feature `models`: random legal models. Feature `commands`: fuzz cases,
//! forged tokens, and the commands' answers for this machine and for WebAssembly.

mod block;
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

pub use block::{check_block, code_cell};
pub use envoy::{EnvoyProcess, EnvoyStart};
pub use http::{Client, Response, connect, read};
pub use port::Port;
pub use wait::eventually;
