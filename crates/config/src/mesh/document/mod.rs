//! Documents: their kinds, their two forms and their metadata.

mod ambient;
mod effect;
mod fields;
mod kind;
mod metadata;
mod sort;

pub(in crate::mesh) use ambient::{AMBIENT, DATAPLANE_MODE};
pub use ambient::{AmbientDocument, is_ambient};
pub(crate) use fields::{KUBE_DOCUMENT, KUMA_DOCUMENT, OBJECT_META, OWNER};
pub(crate) use kind::DISTRIBUTION;
pub use kind::DocumentKind;
pub use metadata::ResourceMeta;
pub(crate) use sort::{MeshDocument, sort};
pub use sort::{SkippedDocument, is_mesh};
