//! What tests and tools share. Nothing that ships depends on it.
//!
//! Without features: [processes](Process) and [Envoys](EnvoyProcess) that end with their owner, an
//! HTTP [`Client`], [servers](CannedServer) with canned responses and the [requests](Requests) that servers receive, leased [`Port`]s, watched files, the
//! [folder of the repository](repository), waiting for a condition, [generated
//! blocks](check_block) in documents, the [codes](codes_in) of messages, the [amount] that a long
//! check does, the files of the [demo], the [messages of Envoy's API](descriptors), and [many cases](every_case) on all processors. Feature `models`: random legal models.
//! Feature `commands`: fuzz cases, forged tokens, and the answers of commands and filter for this
//! machine and for WebAssembly.

pub mod demo;
pub mod descriptors;

mod amount;
mod block;
mod canned;
mod codes;
mod envoy;
mod files;
mod http;
mod parallel;
mod port;
mod process;
mod repository;
mod request_head;
mod wait;

#[cfg(feature = "commands")]
pub mod fuzz;
#[cfg(feature = "models")]
pub mod models;
#[cfg(feature = "commands")]
pub mod twins;

pub use amount::{FIGURE, amount, figure};
pub use block::{check_block, write_block};
pub use canned::{CannedServer, canned_response};
pub use codes::codes_in;
pub use envoy::{
    ENVOY_START_LIMIT, EnvoyProcess, EnvoyStart, HotRestart, MODULES_FOLDER, envoy_command,
};
pub use files::{fresh_dir, write_atomically};
pub use http::{Client, HttpResponse, connect, read};
pub use parallel::{every_case, in_parallel};
pub use port::Port;
pub use process::{Process, exit_code, log_end};
pub use repository::repository;
pub use request_head::{RequestHead, Requests};
pub use wait::eventually;
