//! A document that is read: its fields that the comparison does not see.

use alloc::{collections::BTreeMap, collections::BTreeSet, format, string::String, vec::Vec};

use super::{
    UnreadHash, combined, hash_of,
    identity::Identity,
    kinds::is_compared,
    labels::{LabelUse, use_of},
    other::OtherDocument,
    places::elements,
};
use crate::{
    mesh::{
        document::{DocumentKind, MeshDocument},
        place::ValuePlace,
    },
    node::{Node, NodeValue, canonical_hash},
    proto::{NotedValue, UnreadField, UnreadValues},
};

/// The unread fields of a document.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::mesh) struct DocumentUnread {
    /// Its place.
    pub(in crate::mesh) place: ValuePlace,
    identity: Identity,
    fields: Vec<UnreadHash>,
    /// Labels that count if a document of another kind names them: the hash of the name, then the field.
    labels: Vec<(u64, UnreadHash)>,
}

/// The way through a document.
struct Walk<'w> {
    noted: BTreeMap<usize, &'w NotedValue>,
    fields: Vec<UnreadHash>,
    labels: Vec<(u64, UnreadHash)>,
}

impl DocumentUnread {
    /// Of a document that was just read, with the notes about it.
    pub(in crate::mesh) fn of(document: &MeshDocument<'_, '_>, notes: &[NotedValue]) -> Self {
        let noted = notes.iter().map(|note| (note.address, note)).collect();
        let mut walk = Walk {
            noted,
            fields: Vec::new(),
            labels: Vec::new(),
        };
        // `spec` says nothing more in a name.
        let root = String::new();
        walk.value(document.node, &root, 0);
        // Values in a text of the document are not in its tree.
        for note in walk.noted.values() {
            walk.fields.push(UnreadHash {
                field: note.path.text(),
                hash: note.hash,
                can_choose: note.can_choose,
            });
        }
        walk.fields.extend(not_opened(document));
        Self {
            place: document.place(),
            identity: Identity::of(document.node, Some(document.kind), document.kind.name()),
            fields: walk.fields,
            labels: walk.labels,
        }
    }

    /// Of a document of a kind that other questions read.
    pub(in crate::mesh) fn whole(document: &MeshDocument<'_, '_>) -> Option<OtherDocument> {
        let is_other = !is_compared(document.kind);
        let other = is_other.then(|| OtherDocument::of(document.node, document.kind.name()));
        other.flatten()
    }

    pub(in crate::mesh) fn add_to(&self, values: &mut UnreadValues, selected: &BTreeSet<u64>) {
        let labels = self.labels.iter();
        let labels = labels.filter(|(name, _)| selected.contains(name));
        for of in self.fields.iter().chain(labels.map(|(_, field)| field)) {
            let name = UnreadField {
                message: self.identity.text.clone().into(),
                field: of.field.clone().into(),
                can_choose: of.can_choose,
            };
            let hash = combined(&[of.hash, self.identity.hash]);
            if self.identity.is_shared {
                values.add_hash_once(name, hash);
            } else {
                values.add_hash(name, hash);
            }
        }
    }
}

impl Walk<'_> {
    fn value(&mut self, node: &Node<'_>, path: &str, place: u64) {
        match &node.value {
            NodeValue::List(items) => {
                for (item, own) in items.iter().zip(elements(items)) {
                    self.value(item, path, combined(&[place, own]));
                }
            }
            NodeValue::Map(entries) => {
                for entry in entries {
                    let name = entry.key.name.as_ref();
                    let below = match path {
                        "" if name == "spec" => String::new(),
                        "" => String::from(name),
                        _ => format!("{path}.{name}"),
                    };
                    let address = core::ptr::from_ref(&entry.node).addr();
                    if let Some(note) = self.noted.remove(&address) {
                        self.fields.push(UnreadHash {
                            field: below.clone(),
                            hash: combined(&[place, note.hash]),
                            can_choose: note.can_choose,
                        });
                    }
                    match name {
                        "labels" | "tags" => self.labels(&entry.node, &below, place, false),
                        "annotations" => self.labels(&entry.node, &below, place, true),
                        _ => self.value(&entry.node, &below, place),
                    }
                }
            }
            _ => {}
        }
    }

    fn labels(&mut self, map: &Node<'_>, path: &str, place: u64, is_annotation: bool) {
        let NodeValue::Map(entries) = &map.value else {
            return;
        };
        for entry in entries {
            let name = entry.key.name.as_ref();
            let hash = combined(&[place, hash_of(name), canonical_hash(&entry.node)]);
            let field = UnreadHash {
                field: format!("{path}.{name}"),
                hash,
                can_choose: true,
            };
            match use_of(name, is_annotation) {
                LabelUse::Always => self.fields.push(field),
                LabelUse::IfNamed => self.labels.push((hash_of(name), field)),
                LabelUse::Never => {}
            }
        }
    }
}

/// Fields of documents of which only a part is opened.
fn not_opened(document: &MeshDocument<'_, '_>) -> Vec<UnreadHash> {
    let (below, node, read): (_, _, &[&str]) = match document.kind {
        DocumentKind::ConfigMap => ("data", document.node.get("data"), &["mesh", "meshNetworks"]),
        DocumentKind::IstioOperator => ("spec", Some(document.spec), &["meshConfig"]),
        _ => return Vec::new(),
    };
    let Some(NodeValue::Map(entries)) = node.map(|node| &node.value) else {
        return Vec::new();
    };
    let unread = entries.iter();
    let unread = unread.filter(|entry| !read.contains(&entry.key.name.as_ref()));
    unread
        .map(|entry| UnreadHash {
            field: format!("{below}.{}", entry.key.name),
            hash: canonical_hash(&entry.node),
            can_choose: true,
        })
        .collect()
}
