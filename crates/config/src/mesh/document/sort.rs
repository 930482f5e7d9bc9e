//! Recognizes the documents of an input: single ones, lists of them, and other kinds.

use alloc::{string::String, vec::Vec};

use super::{
    ambient::{AmbientDocument, ambient},
    effect::{effect_of_skipped, effect_over_time},
    kind::{DISTRIBUTION, DocumentKind},
};
use crate::{
    Affects, Diagnostic, Position,
    envoy::universal_kind,
    mesh::place::ValuePlace,
    node::{Document, Node, NodeValue},
    proto::{Path, Report},
};

/// A recognized document.
#[derive(Debug, Clone)]
pub(crate) struct MeshDocument<'n, 'a> {
    pub(crate) kind: DocumentKind,
    /// Its file, by number.
    pub(crate) file: usize,
    /// The whole document.
    pub(crate) node: &'n Node<'a>,
    pub(crate) path: Path,
    /// Its `spec`, or the document itself if it has none (Universal, flat).
    pub(crate) spec: &'n Node<'a>,
    pub(crate) spec_path: Path,
}

/// A document that is not read because it is of another kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedDocument {
    /// Its kind, as in `Deployment`.
    pub kind: String,
    /// Its name; may be empty.
    pub name: String,
    /// Its file, by number.
    pub file: usize,
    /// Its position.
    pub position: Position,
    /// What the answer lacks without it; `None` if the kind does not change answers, or is unknown.
    pub effect: Option<&'static str>,
}

impl SkippedDocument {
    /// The warning that it is not read, or the limit of the answer.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let skipped = Diagnostic::skipped(&self.kind, &self.name, self.position);
        match self.effect {
            None => skipped,
            Some(effect) => Diagnostic {
                position: skipped.position,
                found: skipped.found,
                ..Diagnostic::limit(skipped.code, effect, Affects::Everything)
            },
        }
    }
}

/// The documents of an input.
#[derive(Debug, Default)]
pub(crate) struct Sorted<'n, 'a> {
    file: usize,
    pub(crate) documents: Vec<MeshDocument<'n, 'a>>,
    pub(crate) skipped: Vec<SkippedDocument>,
    /// Those that are skipped, each with its kind.
    #[cfg(feature = "unread")]
    pub(crate) others: Vec<(&'n Node<'a>, String)>,
    /// Those of ambient mode, read or not.
    pub(crate) ambient: Vec<AmbientDocument>,
}

/// Whether an input contains documents of a service mesh.
///
/// # Examples
/// ```
/// use spillgate_config::{mesh::is_mesh, node::{Scalars, read_yaml}};
///
/// let text = "type: MeshLoadBalancingStrategy\nname: p\nspec: {}";
/// assert!(is_mesh(&read_yaml(text, Scalars::Json)?));
/// assert!(!is_mesh(&read_yaml("static_resources: {}", Scalars::Json)?));
/// # Ok::<(), spillgate_config::Diagnostic>(())
/// ```
#[must_use]
pub fn is_mesh(document: &Document<'_>) -> bool {
    let mut report = Report::default();
    let sorted = sort(&document.roots, 0, &mut report);
    sorted.documents.iter().any(MeshDocument::is_mesh)
}

/// Recognizes the documents of an input.
pub(crate) fn sort<'n, 'a>(
    roots: &'n [Node<'a>],
    file: usize,
    report: &mut Report,
) -> Sorted<'n, 'a> {
    let mut sorted = Sorted {
        file,
        ..Sorted::default()
    };
    for (index, node) in roots.iter().enumerate() {
        let path = match roots {
            [_] => Path::root(),
            _ => Path::root().index(index),
        };
        sorted.add(node, path, None, report);
    }
    sorted
}

impl MeshDocument<'_, '_> {
    /// Whether the document makes an input that of a service mesh: it is of a kind of its own, Istio's
    /// ConfigMap, or a Service or Namespace with a setting that only a mesh reads on the client's side.
    pub(crate) fn is_mesh(&self) -> bool {
        let distributes = || {
            let annotations = self
                .node
                .get("metadata")
                .and_then(|of| of.get("annotations"));
            self.spec.get("trafficDistribution").is_some()
                || annotations.is_some_and(|of| of.get(DISTRIBUTION).is_some())
        };
        match self.kind {
            DocumentKind::ConfigMap => true,
            DocumentKind::KubeService | DocumentKind::Namespace => distributes(),
            DocumentKind::HttpRoute | DocumentKind::GrpcRoute => self.is_for_services(),
            kind => kind.is_mesh(),
        }
    }

    /// Whether a route of the Gateway API is for clients inside of a mesh: a parent is a service.
    fn is_for_services(&self) -> bool {
        let parents = self.spec.get("parentRefs").map(|parents| &parents.value);
        let Some(NodeValue::List(parents)) = parents else {
            return false;
        };
        let kinds = parents.iter().filter_map(|parent| text_of(parent, "kind"));
        kinds
            .into_iter()
            .any(|kind| kind == "Service" || kind == "ServiceEntry")
    }

    /// Its place.
    pub(crate) fn place(&self) -> ValuePlace {
        ValuePlace {
            file: self.file,
            path: self.path.text(),
            position: self.node.position,
        }
    }
}

impl<'n, 'a> Sorted<'n, 'a> {
    /// Adds a document or the documents of a list. `kind` is that of a typed list's items.
    fn add(
        &mut self,
        node: &'n Node<'a>,
        path: Path,
        kind: Option<(Option<&'n str>, &'n str)>,
        report: &mut Report,
    ) {
        match &node.value {
            NodeValue::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.add(item, path.index(index), kind, report);
                }
            }
            NodeValue::Map(_) => self.object(node, path, kind, report),
            _ => report.push(
                Diagnostic::error("config/type", "not a mesh document")
                    .at(path.text(), node.position)
                    .found(node.describe())
                    .expected("an object, such as a policy or a Dataplane"),
            ),
        }
    }

    fn object(
        &mut self,
        node: &'n Node<'a>,
        path: Path,
        item: Option<(Option<&'n str>, &'n str)>,
        report: &mut Report,
    ) {
        let api_version = text_of(node, "apiVersion");
        let kind = text_of(node, "kind");
        if let Some(
            items @ Node {
                value: NodeValue::List(_),
                ..
            },
        ) = node.get("items")
            && kind.is_none_or(|kind| kind.ends_with("List"))
        {
            // `kubectl get -o yaml` writes a List of complete objects; the API itself writes a
            // PodList, whose items have no kind.
            let item = kind
                .and_then(|kind| kind.strip_suffix("List"))
                .filter(|kind| !kind.is_empty())
                .map(|kind| (api_version, kind));
            return self.add(items, path.field("items"), item, report);
        }
        // Examples of Kong Mesh have the resource below a title and a description.
        if kind.is_none()
            && universal_kind(node).is_none()
            && let Some(config) = node.get("config")
            && (config.get("kind").is_some() || universal_kind(config).is_some())
        {
            return self.object(config, path.field("config"), None, report);
        }
        let named = match (kind, universal_kind(node), item) {
            (Some(kind), ..) => Some((kind, DocumentKind::kubernetes(api_version, kind))),
            (None, Some(kind), _) => Some((kind, DocumentKind::universal(kind))),
            (None, _, Some((version, kind))) => {
                Some((kind, DocumentKind::kubernetes(version, kind)))
            }
            _ => None,
        };
        let name = named.map(|(kind, _)| kind).unwrap_or_default();
        self.ambient.extend(ambient(node, name));
        let found = match named {
            Some((_, found)) => found,
            None => shape(node),
        };
        // Other ConfigMaps than Istio's have no `mesh`.
        let is_other = |kind: &DocumentKind| {
            *kind == DocumentKind::ConfigMap
                && node.get("data").and_then(|data| data.get("mesh")).is_none()
        };
        let Some(kind) = found.filter(|kind| !is_other(kind)) else {
            let over_time = named.and_then(|(kind, _)| effect_over_time(kind));
            if let Some(effect) = over_time {
                report.limit_over_time(effect, &path, node.position);
            }
            let name = node.get("metadata").unwrap_or(node);
            let kind = named.map_or("unknown kind", |(kind, _)| kind);
            #[cfg(feature = "unread")]
            self.others.push((node, kind.into()));
            self.skipped.push(SkippedDocument {
                kind: kind.into(),
                name: text_of(name, "name").unwrap_or_default().into(),
                file: self.file,
                position: node.position,
                effect: named.and_then(|(kind, _)| effect_of_skipped(kind, node)),
            });
            return;
        };
        // One of another type is a fault of its reader.
        let spec = node
            .get("spec")
            .filter(|spec| spec.value != NodeValue::Null);
        self.documents.push(MeshDocument {
            kind,
            file: self.file,
            node,
            spec: spec.unwrap_or(node),
            spec_path: match spec {
                Some(_) => path.field("spec"),
                None => path.clone(),
            },
            path,
        });
    }
}

/// The kind of a document that does not name it.
fn shape(node: &Node<'_>) -> Option<DocumentKind> {
    let has = |field| node.get(field).is_some();
    let spec = node.get("spec").unwrap_or(node);
    let rule = |node: &Node<'_>| {
        node.get("host").is_some()
            && (node.get("trafficPolicy").is_some() || node.get("subsets").is_some())
    };
    if rule(spec) {
        return Some(DocumentKind::DestinationRule);
    }
    const MESH_CONFIG: [&str; 4] = [
        "localityLbSetting",
        "defaultConfig",
        "rootNamespace",
        "trustDomain",
    ];
    if MESH_CONFIG.into_iter().any(has) {
        return Some(DocumentKind::MeshConfig);
    }
    if has("address") && (has("zone") || has("locality")) {
        return Some(DocumentKind::ShortEndpoint);
    }
    if (has("zone") || has("locality")) && !has("networking") {
        return Some(DocumentKind::ShortProxy);
    }
    None
}

/// A string in a field.
fn text_of<'n>(node: &'n Node<'_>, field: &str) -> Option<&'n str> {
    match &node.get(field)?.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}
