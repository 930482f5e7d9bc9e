//! From a bootstrap to the changes that let the filter steer it.

mod adopt;
mod cluster;
mod existing;
mod filter;
mod listener;
mod module;
mod options;
mod place;
mod route;
mod wasm;

pub use adopt::{Adopted, adopt};
pub use options::{AdoptForm, AdoptOptions, AdoptSessions};
