//! Objects of Kubernetes that let the filter steer what a control plane generates.
//!
//! The plan is that of a bootstrap: one with the resources that the control plane is known to generate.
//! Its changes become patches of these resources by name. [`GeneratedChanges::steered`] is the generated
//! configuration after the patches, for comparisons and checks.

mod changes;
mod difference;
mod envoy_gateway;
mod generated;
mod istio;
mod merge;
mod replaced;
mod steered;
mod text;

pub use changes::{GeneratedChanges, adopt_generated};
pub use envoy_gateway::{AdoptRoute, gateway_objects};
pub use istio::{AdoptWorkload, istio_objects};
pub use text::{OBJECT_NAME, objects_yaml};
