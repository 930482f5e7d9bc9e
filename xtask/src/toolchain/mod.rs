//! Programs that the project needs besides Rust: found where they are, installed where they are
//! not and can be, and asked for in one sentence otherwise.
//!
//! Everything comes from package registries through their own clients and is pinned; nothing is
//! taken from a release page.

mod apt;
mod browser;
mod cmake;
mod debian;
mod envoy;
mod grpc_peer;
mod pip;
mod valgrind;
mod wasm_opt;
mod wasm_std;

pub use browser::browser;
pub use cmake::cmake;
pub use debian::Debian;
pub use envoy::envoy;
pub use grpc_peer::grpc_peer;
pub use valgrind::valgrind;
pub use wasm_opt::WasmOpt;
pub use wasm_std::{WasmStd, wasm_std};
