//! Documents: their kinds, their two forms and their metadata.

mod kind;
mod metadata;
mod sort;

pub(crate) use kind::DISTRIBUTION;
pub use kind::DocumentKind;
pub use metadata::ResourceMeta;
pub(crate) use sort::{MeshDocument, sort};
pub use sort::{SkippedDocument, is_mesh};
