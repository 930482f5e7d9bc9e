//! MeshService and MeshMultiZoneService documents.

use alloc::{string::String, vec::Vec};

use crate::{
    mesh::{
        document::{KUMA_DOCUMENT, MeshDocument, ResourceMeta},
        port::{TargetPort, read_target_port},
        value::TextMap,
    },
    proto::{
        Irrelevance::{Document, Transport},
        Message, Report, Schema,
    },
};

pub(super) static MESH_SERVICE: Schema = Schema::new("MeshService", "selector ports state")
    .ignored(&[(Document, KUMA_DOCUMENT), (Transport, "identities")])
    .of("MeshService");
pub(super) static SELECTOR: Schema =
    Schema::new("selector", "dataplaneRef dataplaneTags dataplaneLabels")
        .of("MeshService.selector");
pub(super) static DATAPLANE_REF: Schema =
    Schema::new("dataplaneRef", "name").of("MeshService.selector.dataplaneRef");
pub(super) static DATAPLANE_LABELS: Schema =
    Schema::new("dataplaneLabels", "matchLabels").of("MeshService.selector.dataplaneLabels");
pub(super) static PORT: Schema =
    Schema::new("port", "name port targetPort appProtocol").of("MeshService.ports");
pub(super) static MULTI_ZONE: Schema = Schema::new("MeshMultiZoneService", "selector ports")
    .ignored(&[(Document, KUMA_DOCUMENT)])
    .of("MeshMultiZoneService");
pub(super) static MULTI_ZONE_PORT: Schema =
    Schema::new("port", "name port appProtocol").of("MeshMultiZoneService.ports");
pub(super) static MULTI_ZONE_SELECTOR: Schema =
    Schema::new("selector", "meshService").of("MeshMultiZoneService.selector");
pub(super) static SELECTED_SERVICES: Schema =
    Schema::new("meshService", "matchLabels").of("MeshMultiZoneService.selector.meshService");

/// A MeshService: a service of one zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KumaMeshService {
    /// Name, namespace, mesh and labels.
    pub meta: ResourceMeta,
    /// Whether `state` is `Available`, which a MeshMultiZoneService requires of other zones.
    pub available: bool,
    /// The proxies that provide it.
    pub selector: MeshServiceSelector,
    /// Its ports.
    pub ports: Vec<MeshServicePort>,
}

/// `spec.selector` of a MeshService.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum MeshServiceSelector {
    /// No proxy.
    #[default]
    Nothing,
    /// The Dataplane with this name (`dataplaneRef.name`).
    Name(String),
    /// Dataplanes with an inbound that has all these tags (`dataplaneTags`).
    Tags(TextMap),
    /// Dataplanes with these labels (`dataplaneLabels.matchLabels`).
    Labels(TextMap),
}

/// One port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeshServicePort {
    /// Its number, by which clients connect.
    pub port: u16,
    /// Its name.
    pub name: Option<String>,
    /// The inbound that serves it; the port's own number by default.
    pub target: TargetPort,
    /// Its protocol (`appProtocol`).
    pub app_protocol: Option<String>,
}

/// A MeshMultiZoneService: MeshServices of several zones as one destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KumaMultiZoneService {
    /// Name, namespace, mesh and labels.
    pub meta: ResourceMeta,
    /// The labels of its MeshServices (`spec.selector.meshService.matchLabels`).
    pub match_labels: TextMap,
    /// Its ports.
    pub ports: Vec<MeshServicePort>,
}

impl KumaMeshService {
    /// Whether the service is in the zone of a proxy. A service without a zone is in every zone.
    #[must_use]
    pub fn is_in(&self, zone: &str) -> bool {
        self.zone().is_none_or(|own| own == zone)
    }

    /// The zone, if the document names it.
    #[must_use]
    pub fn zone(&self) -> Option<&str> {
        self.meta.label(super::ZONE_TAG)
    }
}

impl MeshServicePort {
    /// The name of the section: the name, or else the number.
    #[must_use]
    pub fn section_name(&self) -> String {
        match &self.name {
            Some(name) => name.clone(),
            None => alloc::format!("{}", self.port),
        }
    }
}

/// Reads a MeshService.
pub(crate) fn read_mesh_service(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<KumaMeshService> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &MESH_SERVICE, report)?;
    let state = spec.enumeration("state", &STATE, report);
    let selector = spec.message("selector", &SELECTOR, report);
    Some(KumaMeshService {
        meta,
        // Documents written by hand usually omit it: the control plane fills it in.
        available: state.unwrap_or(true),
        selector: selector.map_or(MeshServiceSelector::Nothing, |selector| {
            read_selector(&selector, report)
        }),
        ports: read_ports(&spec, &PORT, report),
    })
}

static STATE: [(&str, i64, bool); 2] = [("Available", 0, true), ("Unavailable", 1, false)];

fn read_selector(selector: &Message<'_, '_>, report: &mut Report) -> MeshServiceSelector {
    if let Some(reference) = selector.message("dataplaneRef", &DATAPLANE_REF, report) {
        return MeshServiceSelector::Name(reference.text("name", report));
    }
    if selector.has("dataplaneTags") {
        return MeshServiceSelector::Tags(selector.text_map("dataplaneTags", report));
    }
    match selector.message("dataplaneLabels", &DATAPLANE_LABELS, report) {
        Some(labels) => MeshServiceSelector::Labels(labels.text_map("matchLabels", report)),
        None => MeshServiceSelector::Nothing,
    }
}

fn read_ports(
    spec: &Message<'_, '_>,
    schema: &Schema,
    report: &mut Report,
) -> Vec<MeshServicePort> {
    let ports = spec.messages("ports", schema, report);
    let read = |port: &Message<'_, '_>, report: &mut Report| {
        port.require("port", report);
        let number = port.port("port", report)?;
        Some(MeshServicePort {
            port: number,
            name: port.string("name", report).map(Into::into),
            app_protocol: port.string("appProtocol", report).map(Into::into),
            target: read_target_port(port, report).unwrap_or(TargetPort::Number(number)),
        })
    };
    ports.iter().filter_map(|port| read(port, report)).collect()
}

/// Reads a MeshMultiZoneService.
pub(crate) fn read_multi_zone_service(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<KumaMultiZoneService> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &MULTI_ZONE, report)?;
    spec.require("selector", report);
    let selector = spec.message("selector", &MULTI_ZONE_SELECTOR, report);
    let services = selector.and_then(|s| s.message("meshService", &SELECTED_SERVICES, report));
    let labels = services.map(|services| services.text_map("matchLabels", report));
    Some(KumaMultiZoneService {
        meta,
        match_labels: labels.unwrap_or_default(),
        ports: read_ports(&spec, &MULTI_ZONE_PORT, report),
    })
}
