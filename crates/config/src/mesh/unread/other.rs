//! Documents that count as a whole: of kinds that are not read, and those that the compared proxies do not have.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};

use super::{
    audience::audience,
    combined, hash_of,
    identity::Identity,
    kinds::{can_choose, other_counts},
    labels::{LabelUse, use_of},
    text_of,
};
use crate::{
    mesh::{
        document::{DocumentKind as Kind, MeshDocument},
        place::ValuePlace,
    },
    node::{Entry, Node, NodeValue, canonical_hash},
    proto::{UnreadField, UnreadValues},
};

/// A document of a kind that is not read.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::mesh) struct OtherDocument {
    kind: String,
    identity: Identity,
    hash: u64,
    created: String,
    /// Hashes of all texts in it: names of labels can be among them.
    pub(in crate::mesh) texts: BTreeSet<u64>,
}

impl OtherDocument {
    /// A document of a kind; `None` if the kind changes no request.
    pub(in crate::mesh) fn of(node: &Node<'_>, kind: &str) -> Option<Self> {
        if !other_counts(kind) {
            return None;
        }
        let metadata = node.get("metadata");
        let created = metadata.and_then(|of| text_of(of, "creationTimestamp"));
        let mut texts = BTreeSet::new();
        add_texts(node, &mut texts);
        Some(Self {
            identity: Identity::of(node, None, kind),
            hash: whole(node),
            kind: kind.into(),
            created: created.unwrap_or_default().into(),
            texts,
        })
    }

    pub(in crate::mesh) fn add_to(&self, values: &mut UnreadValues) {
        let can_choose = can_choose(&self.kind);
        self.add_as(self.identity.text.clone(), can_choose, values);
    }

    fn add_as(&self, name: String, can_choose: bool, values: &mut UnreadValues) {
        let field = UnreadField {
            message: name.into(),
            field: "".into(),
            can_choose,
        };
        values.add_hash(field, combined(&[self.hash, self.identity.hash]));
    }
}

/// A document that is read, and that the proxies of a comparison may not have.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::mesh) struct UnseenDocument {
    whole: OtherDocument,
    /// Whom it concerns beyond the plain proxy of a zone.
    audience: Option<&'static str>,
    /// Its place.
    pub(in crate::mesh) place: ValuePlace,
}

impl UnseenDocument {
    /// A document that proxies of some views do not have. Routes of the Gateway API are read for Istio alone.
    pub(in crate::mesh) fn of(document: &MeshDocument<'_, '_>) -> Option<Self> {
        let audience = audience(document);
        let is_route = matches!(document.kind, Kind::HttpRoute | Kind::GrpcRoute);
        let kind = document.kind.name();
        let whole = (audience.is_some() || is_route)
            .then(|| OtherDocument::of(document.node, kind))
            .flatten();
        Some(Self {
            whole: whole?,
            audience,
            place: document.place(),
        })
    }

    /// Adds it, if the view lacks it; then with the texts that can name labels.
    pub(in crate::mesh) fn add_to(
        &self,
        values: &mut UnreadValues,
        is_of_zone: bool,
        is_kuma: bool,
    ) -> Option<&BTreeSet<u64>> {
        let is_route = ["HTTPRoute", "GRPCRoute"].contains(&self.whole.kind.as_str());
        let name = match self.audience {
            _ if is_kuma && is_route => self.whole.identity.text.clone(),
            Some(audience) if is_of_zone => format!("{} {audience}", self.whole.identity.text),
            _ => return None,
        };
        self.whole.add_as(name, true, values);
        Some(&self.whole.texts)
    }
}

/// The order of creation of the documents of each kind: of several that contradict, the first one can apply.
pub(in crate::mesh) fn orders(others: &[OtherDocument]) -> Vec<(String, u64)> {
    let mut by_kind: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for other in others.iter().filter(|other| !other.created.is_empty()) {
        let kind = by_kind.entry(&other.kind).or_default();
        kind.push((&other.created, &other.identity.text));
    }
    let several = by_kind.into_iter().filter(|(_, of)| of.len() > 1);
    several
        .map(|(kind, mut of)| {
            of.sort_unstable();
            let names: Vec<u64> = of.iter().map(|(_, name)| hash_of(name)).collect();
            (String::from(kind), combined(&names))
        })
        .collect()
}

/// A hash of all that counts in a document.
fn whole(node: &Node<'_>) -> u64 {
    const OF_NO_EFFECT: [&str; 6] = [
        "apiVersion",
        "creationTime",
        "kri",
        "metadata",
        "modificationTime",
        "status",
    ];
    let NodeValue::Map(entries) = &node.value else {
        return canonical_hash(node);
    };
    let mut hash = 0_u64;
    let mut add = |name: &str, value: u64| {
        hash = hash.wrapping_add(combined(&[hash_of(name), value]));
    };
    let set = |entry: &&Entry<'_>| entry.node.value != NodeValue::Null;
    for entry in entries.iter().filter(set) {
        let name = entry.key.name.as_ref();
        if name == "labels" && node.get("metadata").is_none() {
            labels(&entry.node, false, &mut add);
        } else if !OF_NO_EFFECT.contains(&name) {
            add(name, canonical_hash(&entry.node));
        }
    }
    for (field, is_annotation) in [("labels", false), ("annotations", true)] {
        if let Some(map) = node.get("metadata").and_then(|of| of.get(field)) {
            labels(map, is_annotation, &mut add);
        }
    }
    hash
}

/// Adds the labels of a mesh. Those of its own do not select the document.
fn labels(map: &Node<'_>, is_annotation: bool, add: &mut dyn FnMut(&str, u64)) {
    let NodeValue::Map(entries) = &map.value else {
        return;
    };
    for entry in entries {
        if use_of(&entry.key.name, is_annotation) == LabelUse::Always {
            add(&entry.key.name, canonical_hash(&entry.node));
        }
    }
}

fn add_texts(node: &Node<'_>, texts: &mut BTreeSet<u64>) {
    match &node.value {
        NodeValue::String(text) => drop(texts.insert(hash_of(text))),
        NodeValue::List(items) => items.iter().for_each(|item| add_texts(item, texts)),
        NodeValue::Map(entries) => {
            for entry in entries {
                texts.insert(hash_of(&entry.key.name));
                add_texts(&entry.node, texts);
            }
        }
        _ => {}
    }
}
