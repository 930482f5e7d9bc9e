//! From a configuration to the changes that let the filter steer it.

mod admin;
mod adopt;
mod changes;
mod cluster;
mod existing;
mod files;
pub(crate) mod filter;
mod http_filter;
mod listener;
mod lists;
pub(crate) mod module;
mod names;
mod options;
mod place;
mod present;
mod route;
mod runtime;
mod shared;
pub(crate) mod stats;
mod steered_policy;
mod target;
mod undo;
mod users;
pub(crate) mod wasm;

pub use adopt::{Adopted, adopt};
pub use options::{AdoptForm, AdoptOptions, AdoptSessions};
pub use undo::undo;
