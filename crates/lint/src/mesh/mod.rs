//! Rules for documents of service meshes.

mod catalog;
mod context;
mod entry;
mod istio;
mod kuma;
mod lint;
mod names;
mod random;
mod rule;
mod setting;
mod sight;
mod targets;

pub use catalog::MESH_RULES;
pub use lint::lint_mesh;
pub use rule::{MeshFinding, MeshRule};
