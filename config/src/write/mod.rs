//! The way back: a legal model as configuration.
//!
//! What is written reads back as the same model. Host addresses appear here and nowhere else, so a
//! text is made only where somebody asks for it.

mod bootstrap;
mod clusters;
mod duration;
mod envoy;
mod filter;
mod hosts;
mod json;
mod names;
mod text;
mod tree;
mod written;
mod yaml;

pub use bootstrap::{envoy_json, envoy_yaml};
pub use clusters::clusters_json;
#[cfg(feature = "schema")]
pub(crate) use duration::duration;
pub use filter::filter_json;
pub use hosts::{hosts_csv, hosts_markdown};
pub(crate) use json::to_json;
pub(crate) use tree::{Fields, Tree, within};
pub use written::Written;
