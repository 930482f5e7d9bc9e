//! What tests and tools share. Nothing that ships depends on it.
//!
//! Without features: [processes](Process) and [Envoys](EnvoyProcess) that end with their owner, an
//! HTTP [`Client`], leased [`Port`]s, watched files, waiting for a condition, and [generated
//! blocks](check_block) in documents, and the [codes](codes_in) of messages. Feature `models`: random legal models. Feature `commands`:
//! fuzz cases, forged tokens, and the commands' answers for this machine and for WebAssembly.

mod block;
mod codes;
mod envoy;
mod files;
mod http;
mod port;
mod process;
mod wait;

#[cfg(feature = "commands")]
pub mod fuzz;
#[cfg(feature = "models")]
pub mod models;
#[cfg(feature = "commands")]
pub mod twins;

pub use block::{check_block, code_cell};
pub use codes::codes_in;
pub use envoy::{ENVOY_START_LIMIT, EnvoyProcess, EnvoyStart, HotRestart, envoy_command};
pub use files::{fresh_dir, write_atomically};
pub use http::{Client, HttpResponse, connect, read};
pub use port::Port;
pub use process::{Process, exit_code, log_end};
pub use wait::eventually;
