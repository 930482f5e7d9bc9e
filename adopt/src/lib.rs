//! From an ordinary configuration of Envoy to one that the Spillgate filter steers.
//!
//! [`adopt`] derives the filter's configuration from clusters, routes and filters of the bootstrap, and
//! patches the text: an [`EditText`] keeps comments, order, quotes and anchors. [`unified_diff`] shows the
//! changes.
#![forbid(unsafe_code)]

mod diff;
pub mod edit;
mod plan;

pub use diff::unified_diff;
pub use edit::EditText;
pub use plan::{AdoptForm, AdoptOptions, AdoptSessions, Adopted, adopt, undo};
