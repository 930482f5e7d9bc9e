//! The Wasm filter as an image for a registry: an OCI image layout with both forms of the "Wasm Image
//! Specification", which Istio and Envoy Gateway pull.
//!
//! <https://github.com/solo-io/wasm/blob/master/spec/README.md>

mod blobs;
mod image;
mod layout;
mod pull;

pub use image::{FilterImage, ImageForm};
pub(crate) use layout::layout;
pub use pull::pull;
