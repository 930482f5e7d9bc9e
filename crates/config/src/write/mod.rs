//! Writes a legal model as a configuration.
//!
//! The output reads back as the same model. Host addresses are not hidden here, unlike elsewhere,
//! so output is only produced on request.
//!
//! Every modeled field is stated once, as a tree with two spellings: YAML and JSON. Text that
//! Envoy's YAML would read as something else (`no`, `017`, `1.5`) is quoted. A fraction in metadata
//! is rejected in YAML, where Envoy has no numbers for it, and written in JSON. Beyond the model,
//! the writer adds only fields that Envoy requires: listener ports, an HTTP connection manager, a
//! router.

mod bootstrap;
mod clusters;
mod duration;
mod envoy;
mod host_table;
mod json;
mod names;
mod text;
mod tree;
mod written;
mod yaml;

pub use bootstrap::{envoy_json, envoy_yaml};
#[cfg(feature = "mesh")]
pub(crate) use bootstrap::{json_with, yaml_with};
pub use clusters::clusters_json;
pub(crate) use duration::duration;
pub(crate) use envoy::{cluster, hash_policies, native_bootstrap, route_match, structure, value};
pub use host_table::{hosts_csv, hosts_markdown};
pub(crate) use json::to_json;
pub(crate) use names::name_of;
pub(crate) use tree::{Fields, Tree, within};
pub use written::Written;
pub(crate) use yaml::to_yaml;
