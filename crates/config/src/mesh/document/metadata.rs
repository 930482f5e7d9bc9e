//! Names and labels of a document.

use alloc::string::String;

use spillgate_mesh::kuma::KumaMeta;

use super::{
    fields::{OBJECT, OBJECT_META},
    sort::MeshDocument,
};
use crate::{
    mesh::{place::ValuePlace, value::TextMap},
    proto::{Message, Report},
};

/// Kuma's mesh if a document names none, and the name of a namespace if an object names none.
const DEFAULT: &str = "default";

/// The name, labels and place of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceMeta {
    /// Its name; may be empty.
    pub name: String,
    /// Its Kubernetes namespace; `default` if it names none, empty in Kuma's Universal form.
    pub namespace: String,
    /// Its Kuma mesh; `default` if it names none.
    pub mesh: String,
    /// Its labels.
    pub labels: TextMap,
    /// Its annotations; Kuma's Universal form has none.
    pub annotations: TextMap,
    /// When it was created (`metadata.creationTimestamp`), as written; empty if it does not say.
    pub created: String,
    /// Its place.
    pub place: ValuePlace,
}

impl ResourceMeta {
    /// A label's value.
    #[must_use]
    pub fn label(&self, name: &str) -> Option<&str> {
        self.labels.get(name).map(String::as_str)
    }

    /// An annotation's value.
    #[must_use]
    pub fn annotation(&self, name: &str) -> Option<&str> {
        self.annotations.get(name).map(String::as_str)
    }

    /// The name that the author gave: Kuma appends a hash to the names of copied resources.
    #[must_use]
    pub fn display_name(&self) -> &str {
        self.label("kuma.io/display-name").unwrap_or(&self.name)
    }

    /// `namespace/name`, or the name if there is no namespace.
    #[must_use]
    pub fn full_name(&self) -> String {
        if self.namespace.is_empty() {
            return self.name.clone();
        }
        alloc::format!("{}/{}", self.namespace, self.name)
    }

    /// As the engine's input for Kuma.
    pub(crate) fn into_kuma(self) -> KumaMeta {
        let label = self.label("k8s.kuma.io/namespace").map(String::from);
        KumaMeta {
            namespace: label.or(Some(self.namespace).filter(|namespace| !namespace.is_empty())),
            name: self.name,
            mesh: self.mesh,
            labels: self.labels,
        }
    }

    /// Reads the metadata of a document.
    pub(crate) fn read(document: &MeshDocument<'_, '_>, report: &mut Report) -> Self {
        let place = document.place();
        let path = document.path.clone();
        let root = if core::ptr::eq(document.spec, document.node) {
            Message::open_partly(document.node, path, "document", report)
        } else {
            Message::open(document.node, path, &OBJECT, report)
        };
        let Some(root) = root else {
            return Self::unnamed(place);
        };
        let kube = document.node.get("metadata").is_some();
        let metadata = if kube {
            root.message("metadata", &OBJECT_META, report)
        } else {
            Some(root.clone())
        };
        let Some(metadata) = metadata else {
            return Self::unnamed(place);
        };
        let labels = metadata.text_map("labels", report);
        let mesh = root.text("mesh", report);
        let mesh = [mesh.as_str()]
            .into_iter()
            .chain(labels.get("kuma.io/mesh").map(String::as_str))
            .find(|mesh| !mesh.is_empty())
            .unwrap_or(DEFAULT)
            .into();
        let namespace = if kube {
            metadata.text("namespace", report)
        } else {
            String::new()
        };
        Self {
            name: metadata.text("name", report),
            namespace: if kube && namespace.is_empty() {
                DEFAULT.into()
            } else {
                namespace
            },
            mesh,
            annotations: if kube {
                metadata.text_map("annotations", report)
            } else {
                TextMap::new()
            },
            labels,
            created: if kube {
                metadata.text("creationTimestamp", report)
            } else {
                String::new()
            },
            place,
        }
    }

    fn unnamed(place: ValuePlace) -> Self {
        Self {
            name: String::new(),
            namespace: String::new(),
            mesh: DEFAULT.into(),
            labels: TextMap::new(),
            annotations: TextMap::new(),
            created: String::new(),
            place,
        }
    }
}
