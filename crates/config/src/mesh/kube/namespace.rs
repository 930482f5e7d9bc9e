//! Namespaces.

use crate::{
    mesh::document::{MeshDocument, ResourceMeta},
    proto::{
        Irrelevance::{Document, Process},
        Message, Report, Schema,
    },
};

pub(super) static NAMESPACE: Schema = Schema::new("Namespace", "metadata")
    .ignored(&[(Document, "apiVersion kind"), (Process, "spec status")])
    .lenient()
    .of("Namespace");

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
) -> Option<KubeNamespace> {
    Message::open(document.node, document.path.clone(), &NAMESPACE, report)?;
    Some(KubeNamespace {
        meta: ResourceMeta::read(document, report),
    })
}
