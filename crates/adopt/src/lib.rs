//! From an ordinary configuration of Envoy to one that the Spillgate filter steers.
//!
//! [`adopt`] derives the filter's configuration from clusters, routes and filters of the bootstrap, and
//! patches the text: an [`EditText`] keeps comments, order, quotes and anchors. [`unified_diff`] shows the
//! changes. [`adopt_generated`] plans the same for the configuration that a control plane generates, and
//! [`istio_objects`] and [`gateway_objects`] are the objects of Istio and Envoy Gateway with its changes.
#![forbid(unsafe_code)]

mod diff;
pub mod edit;
mod objects;
mod plan;

pub use diff::{file_diff, unified_diff};
pub use edit::EditText;
pub use objects::{
    AdoptRoute, AdoptWorkload, GeneratedChanges, OBJECT_NAME, adopt_generated, gateway_objects,
    istio_objects, objects_yaml,
};
pub use plan::{AdoptForm, AdoptOptions, AdoptSessions, Adopted, adopt, undo};
