//! MeshLoadBalancingStrategy documents.

use alloc::{string::String, vec::Vec};

use spillgate_mesh::kuma::{KumaPolicy, KumaTo};

use super::{
    conf::{CONF, read_conf},
    target_ref::read_target_ref,
};
use crate::{
    Diagnostic,
    mesh::{
        document::{MeshDocument, ResourceMeta},
        place::{ValuePlace, ValuePlaces},
        value::list_of,
    },
    node::{Node, NodeValue},
    proto::{Message, Path, Report, Schema},
};

static POLICY: Schema = Schema::new("MeshLoadBalancingStrategy", "targetRef to").ignored(
    "type name mesh labels apiVersion kind metadata status creationTime modificationTime kri spec",
);
static TO: Schema = Schema::new("to", "targetRef default defaults");

/// A MeshLoadBalancingStrategy and the positions of its values.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadKumaPolicy {
    /// The policy.
    pub policy: KumaPolicy,
    /// The place of the document.
    pub place: ValuePlace,
    /// The path of its `spec` in the file.
    pub spec_path: String,
    /// The positions of the values below `spec`.
    pub places: ValuePlaces,
    /// The path of each entry's `default` below `spec`, in the order of `policy.to`: `to[0].default`,
    /// or as the decision record writes it, `to.defaults`.
    pub conf_paths: Vec<String>,
}

/// Reads a policy.
pub(crate) fn read_policy(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<ReadKumaPolicy> {
    let meta = ResourceMeta::read(document, report);
    let spec = Message::open(document.spec, document.spec_path.clone(), &POLICY, report)?;
    let mut read = ReadKumaPolicy {
        place: meta.place.clone(),
        policy: KumaPolicy {
            meta: meta.into_kuma(),
            target_ref: read_target_ref(&spec, report),
            to: Vec::new(),
        },
        spec_path: document.spec_path.text(),
        places: ValuePlaces::of(document.spec),
        conf_paths: Vec::new(),
    };
    let Some(node) = spec.get("to") else {
        return Some(read);
    };
    for (path, below, node) in entries(node, spec.path.field("to"), report) {
        if let Some(entry) = Message::open(node, path, &TO, report) {
            let (field, to) = read_to(&entry, report);
            read.conf_paths.push(below.field(field).text());
            read.policy.to.push(to);
        }
    }
    Some(read)
}

/// The entries of `to`, with their paths in the file and below `spec`.
fn entries<'n, 'a>(
    node: &'n Node<'a>,
    path: Path,
    report: &mut Report,
) -> Vec<(Path, Path, &'n Node<'a>)> {
    let below = Path::root().field("to");
    if matches!(node.value, NodeValue::Map(_)) {
        Diagnostic::warning(
            "mesh/decision-record-form",
            "to is an object, as in the decision record; Kuma requires a list",
        )
        .at(path.text(), node.position)
        .push_to(report);
        return Vec::from([(path, below, node)]);
    }
    let nodes = list_of(node, &path, report).iter().enumerate();
    nodes
        .map(|(index, node)| (path.index(index), below.index(index), node))
        .collect()
}

/// Reads an entry and the name of the field that its configuration is in.
fn read_to(entry: &Message<'_, '_>, report: &mut Report) -> (&'static str, KumaTo) {
    entry.require("targetRef", report);
    let field = match entry.has("defaults") && !entry.has("default") {
        true => "defaults",
        false => "default",
    };
    entry.one_of(&["default", "defaults"], report);
    if field == "defaults" {
        Diagnostic::warning(
            "mesh/decision-record-form",
            "defaults is the name in the decision record; Kuma requires default",
        )
        .at(entry.path.field(field).text(), entry.position_of(field))
        .push_to(report);
    }
    let conf = entry.message(field, &CONF, report);
    let to = KumaTo {
        target_ref: read_target_ref(entry, report).unwrap_or_default(),
        conf: conf
            .map(|conf| read_conf(&conf, report))
            .unwrap_or_default(),
    };
    (field, to)
}
