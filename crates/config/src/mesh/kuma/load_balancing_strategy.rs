//! MeshLoadBalancingStrategy documents.

use alloc::{format, string::String, vec::Vec};

use spillgate_mesh::{
    MeshFault, MeshFaultCode,
    kuma::{KumaGateway, KumaPolicy, KumaTo, validate_kuma_policy},
};

use super::{
    conf::{CONF, read_conf},
    target_ref::read_target_ref,
};
use crate::{
    Diagnostic,
    mesh::{
        document::{KUMA_DOCUMENT, MeshDocument, ResourceMeta},
        place::{ValuePlace, ValuePlaces},
        rule::{push_rule_faults, rule_fault},
        value::list_of,
    },
    node::{Node, NodeValue, quote},
    proto::{Irrelevance, Message, Path, Report, Schema},
};

pub(super) static POLICY: Schema = Schema::new("MeshLoadBalancingStrategy", "targetRef to")
    .ignored(&[(Irrelevance::Document, KUMA_DOCUMENT)])
    .of("MeshLoadBalancingStrategy");
// The decision record writes `defaults`.
pub(super) static TO: Schema =
    Schema::new("to", "targetRef default defaults").of("MeshLoadBalancingStrategy.to");

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
    /// The paths of the entries, in the order of `policy.to`.
    entries: Vec<EntryPaths>,
}

/// The paths of an entry of `to`, below `spec`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EntryPaths {
    /// The entry: `to[0]`, or `to` as the decision record writes it.
    entry: String,
    /// Its configuration: `to[0].default`, or `to.defaults`.
    conf: String,
}

impl ReadKumaPolicy {
    /// The diagnostic of a fault with a path below `spec`, as `validate_kuma_policy` returns it.
    #[must_use]
    pub fn diagnostic(&self, fault: &MeshFault) -> Diagnostic {
        self.at(self.in_text(&fault.path), fault.code)
    }

    /// The diagnostic of a fault with a path below the `default` of an entry, as `kuma_warnings`
    /// returns it.
    #[must_use]
    pub fn conf_diagnostic(&self, entry: usize, fault: &MeshFault) -> Diagnostic {
        let conf = self.entries.get(entry).map(|paths| paths.conf.as_str());
        let path = format!("{}.{}", conf.unwrap_or("to"), fault.path);
        self.at(path, fault.code)
    }

    /// The place of the value at a path below the `default` of an entry; the position is that of the
    /// nearest value that contains it.
    #[must_use]
    pub fn conf_place(&self, entry: usize, path: &str) -> ValuePlace {
        let conf = self.entries.get(entry).map(|paths| paths.conf.as_str());
        let below = format!("{}.{path}", conf.unwrap_or("to"));
        self.places.place(self.place.file, &self.spec_path, &below)
    }

    /// The warning that the tags alone select the gateways: no document has the MeshGateway.
    pub(in crate::mesh) fn unread_gateway(&self, known: &[KumaGateway]) -> Option<Diagnostic> {
        let target = self.policy.target_ref.as_ref()?;
        let name = target
            .name
            .as_deref()
            .filter(|_| target.kind == "MeshGateway")?;
        let mut known = known.iter();
        if known.any(|of| of.meta.name == name || of.meta.display_name() == name) {
            return None;
        }
        let path = "targetRef.name";
        let warning = Diagnostic::warning(
            "mesh/gateway-not-read",
            "no document has this MeshGateway; the policy applies to gateways without one",
        );
        let position = self.places.position(path);
        Some(
            warning
                .at(format!("{}.{path}", self.spec_path), position)
                .found(quote(name)),
        )
    }

    fn at(&self, path: String, code: MeshFaultCode) -> Diagnostic {
        rule_fault(code, &self.spec_path, &self.places, path)
    }

    /// A path of the model as it is in the text.
    fn in_text(&self, path: &str) -> String {
        for (index, paths) in self.entries.iter().enumerate() {
            let entry = format!("to[{index}]");
            let Some(rest) = path.strip_prefix(&entry) else {
                continue;
            };
            return match rest.strip_prefix(".default") {
                Some(rest) => format!("{}{rest}", paths.conf),
                None => format!("{}{rest}", paths.entry),
            };
        }
        path.into()
    }
}

/// Reads a policy.
pub(crate) fn read_policy(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<ReadKumaPolicy> {
    let read_before = report.findings_so_far();
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
        entries: Vec::new(),
    };
    let Some(node) = spec.get("to") else {
        return Some(read);
    };
    for (path, below, node) in entries(node, spec.path.field("to"), report) {
        let entry = Message::open(node, path, &TO, report);
        let (field, to) = entry.map_or(("default", KumaTo::default()), |entry| {
            read_to(&entry, report)
        });
        read.entries.push(EntryPaths {
            entry: below.text(),
            conf: below.field(field).text(),
        });
        read.policy.to.push(to);
    }
    let faults = validate_kuma_policy(&read.policy)
        .iter()
        .map(|fault| read.diagnostic(fault))
        .collect();
    push_rule_faults(faults, read_before, report);
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
    let field = if entry.has("defaults") && !entry.has("default") {
        "defaults"
    } else {
        "default"
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
