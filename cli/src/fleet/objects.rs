//! The pods and Nodes in the output of `kubectl`, each once, and the places that their labels name.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use spillgate_config::{
    Diagnostic,
    node::{Node, NodeValue},
};
use spillgate_explain::format::{plain, plural};

/// The labels of Kubernetes for the region and the zone of a node. Newer versions copy them to pods.
pub(super) const REGION_LABEL: &str = "topology.kubernetes.io/region";
pub(super) const ZONE_LABEL: &str = "topology.kubernetes.io/zone";

/// The objects of a file.
#[derive(Default)]
pub(super) struct Objects<'n> {
    /// The pods, each once.
    pub(super) pods: Vec<&'n Node<'n>>,
    seen: BTreeSet<Identity<'n>>,
    /// The labels of the nodes, by their names; `None` without a zone.
    nodes: BTreeMap<&'n str, Option<Place<'n>>>,
    pub(super) faults: Vec<Diagnostic>,
}

/// What distinguishes pods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Identity<'n> {
    Uid(&'n str),
    Name { namespace: &'n str, name: &'n str },
}

/// What labels say about a place; empty for what they do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place<'n> {
    pub(super) region: &'n str,
    pub(super) zone: &'n str,
}

impl<'n> Objects<'n> {
    /// Adds an object, or those of a list. `kind` is that of the items of a typed list such as `PodList`.
    pub(super) fn add(&mut self, node: &'n Node<'n>, kind: &str) {
        if let NodeValue::List(items) = &node.value {
            return items.iter().for_each(|item| self.add(item, kind));
        }
        let kind = text(node, &["kind"]).unwrap_or(kind);
        if let (Some(items), Some(kind)) = (node.get("items"), kind.strip_suffix("List")) {
            return self.add(items, kind);
        }
        match kind {
            // A pod without a name is not the same as any other.
            "Pod" if identity(node).is_none_or(|of| self.seen.insert(of)) => self.pods.push(node),
            "Node" => self.add_node(name(node), labeled(node)),
            // Other objects are no callers.
            _ => {}
        }
    }

    fn add_node(&mut self, name: &'n str, place: Option<Place<'n>>) {
        let known = self.nodes.get(name).copied().flatten();
        let (Some(known), Some(place)) = (known, place) else {
            self.nodes.insert(name, known.or(place));
            return;
        };
        match known.joined(place) {
            Some(joined) => {
                self.nodes.insert(name, Some(joined));
            }
            None => {
                let what = "Nodes of one name are in different zones";
                let fault = Diagnostic::error("fleet/pods", what);
                let fault = fault.found(format!("{name} in {known} and in {place}"));
                self.faults.push(fault.expected("one zone for each Node"));
            }
        }
    }

    /// `2 nodes`, and which label none of them has.
    pub(super) fn counted_nodes(&self) -> String {
        let mut text = plain(&plural(self.nodes.len(), "node"));
        if !self.nodes.is_empty() && self.nodes.values().all(Option::is_none) {
            text.push_str(&format!(", none with the label {ZONE_LABEL}"));
        }
        text
    }

    /// The place of a pod: that of its own labels, or else that of its node.
    pub(super) fn place(&self, pod: &'n Node<'n>) -> Option<Place<'n>> {
        let of_node = || {
            let node = text(pod, &["spec", "nodeName"])?;
            self.nodes.get(node).copied().flatten()
        };
        labeled(pod).or_else(of_node)
    }
}

impl<'n> Place<'n> {
    /// What two labels say about the same place; `None` if they contradict each other.
    fn joined(self, other: Self) -> Option<Self> {
        let regions = self.region == other.region || self.region.is_empty();
        if self.zone != other.zone || !(regions || other.region.is_empty()) {
            return None;
        }
        Some(if self.region.is_empty() { other } else { self })
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.region.is_empty() {
            write!(f, "{}/", self.region)?;
        }
        f.write_str(self.zone)
    }
}

/// What a pod is known by; `None` without an id and a name.
fn identity<'n>(pod: &'n Node<'n>) -> Option<Identity<'n>> {
    let field = |name| text(pod, &["metadata", name]).filter(|text| !text.is_empty());
    if let Some(uid) = field("uid") {
        return Some(Identity::Uid(uid));
    }
    Some(Identity::Name {
        namespace: field("namespace").unwrap_or_default(),
        name: field("name")?,
    })
}

/// Whether a pod runs, and is not being deleted.
pub(super) fn is_running(pod: &Node<'_>) -> bool {
    let deleted = text(pod, &["metadata", "deletionTimestamp"]);
    text(pod, &["status", "phase"]) == Some("Running") && deleted.is_none()
}

/// The place in the labels of an object; `None` without a zone.
fn labeled<'n>(node: &'n Node<'n>) -> Option<Place<'n>> {
    let label = |name| text(node, &["metadata", "labels", name]);
    Some(Place {
        region: label(REGION_LABEL).unwrap_or_default(),
        zone: label(ZONE_LABEL).filter(|zone| !zone.is_empty())?,
    })
}

pub(super) fn name<'n>(node: &'n Node<'n>) -> &'n str {
    text(node, &["metadata", "name"]).unwrap_or_default()
}

/// The text at a path of fields.
fn text<'n>(node: &'n Node<'n>, path: &[&str]) -> Option<&'n str> {
    let found = path.iter().try_fold(node, |node, name| node.get(name))?;
    match &found.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}
