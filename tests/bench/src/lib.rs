//! The subjects of the benchmarks: clusters of every kind, workers that choose hosts in them, and
//! other crates that do the same job. The benchmarks themselves are in `benches/balancing/`.

mod clusters;
mod config_dump;
mod flip;
mod keys;
pub mod mesh;
#[cfg(feature = "peers")]
pub mod peers;
pub mod tokens;
pub mod within;
mod worker;

pub use clusters::{Shape, address, local_zones, model, own_zone};
pub use config_dump::config_dump;
pub use flip::Flip;
pub use keys::Keys;
pub use within::Within;
pub use worker::{Worker, WorkerCase};
