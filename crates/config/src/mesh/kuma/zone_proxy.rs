//! ZoneIngress and ZoneEgress documents: the ways into and out of a zone.

use alloc::{string::String, vec::Vec};

use super::dataplane::socket;
use crate::{
    mesh::{
        document::{KUMA_DOCUMENT, MeshDocument, ResourceMeta},
        value::TextMap,
    },
    proto::{
        Irrelevance::{Document, Process, Transport},
        Message, Report, Schema,
    },
};

pub(super) static ZONE_INGRESS: Schema =
    Schema::new("ZoneIngress", "zone networking availableServices")
        .ignored(&[(Document, KUMA_DOCUMENT)])
        .of("ZoneIngress");
pub(super) static INGRESS_NETWORKING: Schema =
    Schema::new("networking", "advertisedAddress advertisedPort")
        .ignored(&[(Transport, "address port"), (Process, "admin")])
        .of("ZoneIngress.networking");
pub(super) static AVAILABLE_SERVICE: Schema =
    Schema::new("availableService", "tags instances mesh")
        .ignored(&[(Transport, "externalService")])
        .of("ZoneIngress.availableServices");
pub(super) static ZONE_EGRESS: Schema = Schema::new("ZoneEgress", "zone networking")
    .ignored(&[(Document, KUMA_DOCUMENT)])
    .of("ZoneEgress");
pub(super) static EGRESS_NETWORKING: Schema = Schema::new("networking", "address port")
    .ignored(&[(Process, "admin")])
    .of("ZoneEgress.networking");

pub(super) static ZONE_ADDRESS: Schema = Schema::new("MeshZoneAddress", "address port")
    .ignored(&[(Document, KUMA_DOCUMENT)])
    .of("MeshZoneAddress");

/// A zone ingress: one address for all services of another zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KumaZoneIngress {
    /// Name and labels.
    pub meta: ResourceMeta,
    /// The zone.
    pub zone: String,
    /// The public address and port; `None` until the ingress has one, and Kuma skips it.
    pub address: Option<String>,
    /// The services behind it.
    pub services: Vec<AvailableService>,
}

/// The public address of the zone ingress of a mesh, which replaces the ZoneIngresses of its zone for
/// MeshServices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KumaZoneAddress {
    /// Name, mesh and labels.
    pub meta: ResourceMeta,
    /// Address and port.
    pub address: String,
}

/// One entry of `availableServices`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AvailableService {
    /// The tags of its instances.
    pub tags: TextMap,
    /// The number of instances with these tags.
    pub instances: u32,
    /// Their mesh.
    pub mesh: String,
}

/// A zone egress: the address through which proxies of a zone reach other zones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KumaZoneEgress {
    /// Name and labels.
    pub meta: ResourceMeta,
    /// The zone; empty means the zone of the proxy.
    pub zone: String,
    /// Address and port.
    pub address: String,
}

/// Reads a ZoneIngress.
pub(crate) fn read_zone_ingress(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<KumaZoneIngress> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &ZONE_INGRESS, report)?;
    let zone = zone_of(&spec, &meta, report);
    if zone.is_empty() {
        spec.missing("zone").push_to(report);
    }
    let networking = spec.message("networking", &INGRESS_NETWORKING, report);
    let address = networking.and_then(|networking| {
        let address = networking.string("advertisedAddress", report)?;
        let port = networking.port("advertisedPort", report)?;
        (!address.is_empty()).then(|| socket(address, port))
    });
    let services = spec.messages("availableServices", &AVAILABLE_SERVICE, report);
    Some(KumaZoneIngress {
        meta,
        zone,
        address,
        services: services
            .iter()
            .map(|service| AvailableService {
                tags: service.text_map("tags", report),
                instances: service.u32("instances", report).unwrap_or(0),
                mesh: service.text("mesh", report),
            })
            .collect(),
    })
}

/// Reads a MeshZoneAddress.
pub(crate) fn read_zone_address(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<KumaZoneAddress> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &ZONE_ADDRESS, report)?;
    let address = spec.required_string("address", report);
    spec.require("port", report);
    let port = spec.port("port", report)?;
    Some(KumaZoneAddress {
        meta,
        address: socket(address?, port),
    })
}

/// Reads a ZoneEgress.
pub(crate) fn read_zone_egress(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<KumaZoneEgress> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &ZONE_EGRESS, report)?;
    let zone = zone_of(&spec, &meta, report);
    spec.require("networking", report);
    let networking = spec.message("networking", &EGRESS_NETWORKING, report)?;
    let address = networking.required_string("address", report);
    networking.require("port", report);
    let port = networking.port("port", report)?;
    Some(KumaZoneEgress {
        meta,
        zone,
        address: socket(address?, port),
    })
}

/// The zone in the field, or else in the label.
fn zone_of(spec: &Message<'_, '_>, meta: &ResourceMeta, report: &mut Report) -> String {
    let zone = spec
        .string("zone", report)
        .filter(|zone| !zone.is_empty())
        .or_else(|| meta.label(super::ZONE_TAG));
    zone.unwrap_or_default().into()
}
