//! The objects that the documents describe.

use alloc::{format, string::String};

use super::{
    document::{DocumentKind as Kind, MeshDocument},
    place::ValuePlace,
};
use crate::node::{Node, NodeValue};

/// An object of the input.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MeshObject {
    /// What its documents have in common: kind, namespace and name.
    pub(super) id: (Kind, String),
    pub(super) place: ValuePlace,
}

/// An object with several documents.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RepeatedObject {
    pub(super) name: String,
    /// The place of a document that does not count.
    pub(super) ignored: ValuePlace,
    /// The place of the one that counts.
    pub(super) last: ValuePlace,
}

impl MeshObject {
    /// The object of a document; `None` if it has no name, or its kind may repeat.
    pub(super) fn of(document: &MeshDocument<'_, '_>) -> Option<Self> {
        let kind = document.kind;
        // Documents of Kuma can come from several zones, and short forms are no objects; nothing drops
        // the documents of Istio's gateways.
        if !matches!(
            kind,
            Kind::DestinationRule
                | Kind::ConfigMap
                | Kind::ServiceEntry
                | Kind::WorkloadEntry
                | Kind::VirtualService
                | Kind::HttpRoute
                | Kind::GrpcRoute
                | Kind::KubeService
                | Kind::EndpointSlice
                | Kind::Pod
                | Kind::KubeNode
                | Kind::Namespace
        ) {
            return None;
        }
        let metadata = document.node.get("metadata")?;
        let name = text(metadata, "name").filter(|name| !name.is_empty())?;
        let namespace = text(metadata, "namespace").unwrap_or("default");
        Some(Self {
            id: (kind, format!("{namespace}/{name}")),
            place: document.place(),
        })
    }
}

fn text<'n>(node: &'n Node<'_>, field: &str) -> Option<&'n str> {
    match &node.get(field)?.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}
