//! Namespaces.

use crate::{
    mesh::document::{MeshDocument, ResourceMeta},
    proto::Report,
};

/// A Namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KubeNamespace {
    /// Name, labels and annotations.
    pub meta: ResourceMeta,
}

/// Reads a Namespace.
pub(crate) fn read_namespace(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> KubeNamespace {
    KubeNamespace {
        meta: ResourceMeta::read(document, report),
    }
}
