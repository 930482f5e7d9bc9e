//! ServiceEntry and WorkloadEntry documents.

use alloc::{collections::BTreeSet, string::String, vec::Vec};
use core::net::IpAddr;

use spillgate_mesh::istio::IstioResolution;

use crate::{
    mesh::{
        document::{MeshDocument, ResourceMeta},
        value::TextMap,
    },
    node::{Node, NodeValue},
    proto::{
        Irrelevance::{Discovery, Document, Transport},
        Message, Report, Schema,
    },
};

/// A ServiceEntry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IstioServiceEntry {
    /// Name, namespace, labels and annotations.
    pub meta: ResourceMeta,
    /// Its hosts; each one is a service.
    pub hosts: Vec<String>,
    /// Its ports.
    pub ports: Vec<IstioServicePort>,
    /// How Envoy finds the endpoints.
    pub resolution: IstioResolution,
    /// Its own endpoints.
    pub endpoints: Vec<IstioWorkload>,
    /// The labels of the WorkloadEntries and Pods that are its endpoints; empty selects none.
    pub workload_selector: TextMap,
    /// The namespaces whose proxies see its services (`exportTo`); empty means all.
    pub export_to: BTreeSet<String>,
}

/// One port of a ServiceEntry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IstioServicePort {
    /// Its number.
    pub number: u16,
    /// Its name, by which an endpoint can set another port.
    pub name: String,
    /// Its protocol.
    pub protocol: Option<String>,
    /// The port at the endpoints (`targetPort`); `None` means its number.
    pub target: Option<u16>,
}

/// A WorkloadEntry, as a document or inside a ServiceEntry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IstioWorkload {
    /// Name, namespace and labels of the document, or else of the ServiceEntry.
    pub meta: ResourceMeta,
    /// Its address; may be empty if `network` is set.
    pub address: String,
    /// Its ports by the names of the service's ports.
    pub ports: Vec<(String, u16)>,
    /// Its labels.
    pub labels: TextMap,
    /// Its network.
    pub network: String,
    /// `region/zone/sub-zone`.
    pub locality: String,
    /// Its weight, 1 or more.
    pub weight: u32,
    /// The account that its proxy runs as; may be empty.
    pub service_account: String,
    /// Whether it is an endpoint: with health checks, only if the last one succeeded (`isHealthy`).
    pub healthy: bool,
}

impl IstioWorkload {
    /// Whether its address is an IP address, or that of its network (`DNSServiceEntryOnly`): no other
    /// workload is an endpoint of a service of which Envoy does not resolve names.
    #[must_use]
    pub fn has_ip(&self) -> bool {
        self.address.is_empty() || self.address.parse::<IpAddr>().is_ok()
    }

    /// Its port for the port of a service with this name.
    #[must_use]
    pub fn port(&self, name: &str) -> Option<u16> {
        let mut ports = self.ports.iter();
        ports.find(|(of, _)| of == name).map(|(_, port)| *port)
    }
}

static RESOLUTION: [(&str, i64, IstioResolution); 5] = [
    ("NONE", 0, IstioResolution::Passthrough),
    ("STATIC", 1, IstioResolution::Static),
    ("DNS", 2, IstioResolution::Dns),
    ("DNS_ROUND_ROBIN", 3, IstioResolution::Dns),
    ("DYNAMIC_DNS", 4, IstioResolution::HostName),
];

pub(super) static SERVICE_ENTRY: Schema = Schema::new(
    "ServiceEntry",
    "hosts ports resolution endpoints workloadSelector exportTo",
)
.ignored(&[
    (Document, "apiVersion kind metadata status spec"),
    (Discovery, "addresses"),
    (Transport, "location subjectAltNames"),
])
.of("ServiceEntry");
pub(super) static SERVICE_PORT: Schema =
    Schema::new("port", "number name protocol targetPort").of("ServiceEntry.ports");
pub(super) static WORKLOAD: Schema = Schema::new(
    "WorkloadEntry",
    "address ports labels network locality weight serviceAccount",
)
.ignored(&[(Document, "apiVersion kind metadata status spec")])
.of("WorkloadEntry");
pub(super) static ENDPOINT: Schema = Schema::new(
    "endpoint",
    "address ports labels network locality weight serviceAccount",
)
.of("ServiceEntry.endpoints");

/// Reads a ServiceEntry.
pub(crate) fn read_service_entry(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<IstioServiceEntry> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &SERVICE_ENTRY, report)?;
    spec.require("hosts", report);
    let mut ports = Vec::new();
    for (path, node) in spec.items("ports", report) {
        let Some(port) = Message::open(node, path, &SERVICE_PORT, report) else {
            continue;
        };
        port.require("number", report);
        let Some(number) = port.port("number", report) else {
            continue;
        };
        let target = port.port("targetPort", report);
        ports.push(IstioServicePort {
            number,
            name: port.text("name", report),
            protocol: port.string("protocol", report).map(Into::into),
            target,
        });
    }
    let mut endpoints = Vec::new();
    for (path, node) in spec.items("endpoints", report) {
        if let Some(endpoint) = Message::open(node, path, &ENDPOINT, report) {
            endpoints.push(read_workload(&endpoint, meta.clone(), report));
        }
    }
    let selector = spec.object("workloadSelector", "workloadSelector", report);
    Some(IstioServiceEntry {
        hosts: spec.texts("hosts", report),
        ports,
        resolution: spec
            .enumeration("resolution", &RESOLUTION, report)
            .unwrap_or(IstioResolution::Passthrough),
        endpoints,
        export_to: spec.texts("exportTo", report).into_iter().collect(),
        workload_selector: selector
            .map_or_else(TextMap::new, |selector| selector.text_map("labels", report)),
        meta,
    })
}

/// Reads a WorkloadEntry.
pub(crate) fn read_workload_entry(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<IstioWorkload> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &WORKLOAD, report)?;
    let healthy = !has_health_checks(&meta) || is_healthy(document.node);
    let mut workload = read_workload(&spec, meta, report);
    // Those of the object win (`ConvertWorkloadEntry`).
    let own = workload.meta.labels.clone();
    workload.labels.extend(own);
    Some(IstioWorkload {
        healthy,
        ..workload
    })
}

/// Whether the proxy of a workload reports its health.
fn has_health_checks(meta: &ResourceMeta) -> bool {
    let annotation = meta.annotation("proxy.istio.io/health-checks-enabled");
    // The values that Go reads as true.
    matches!(annotation, Some("1" | "t" | "T" | "true" | "TRUE" | "True"))
}

/// Whether the status has the condition `Healthy`, and it is true.
fn is_healthy(document: &Node<'_>) -> bool {
    let conditions = document.get("status").and_then(|of| of.get("conditions"));
    let Some(NodeValue::List(conditions)) = conditions.map(|of| &of.value) else {
        return false;
    };
    let is = |of: &Node<'_>, field, text: &str| {
        let value = of.get(field).map(|of| &of.value);
        matches!(value, Some(NodeValue::String(found)) if found.eq_ignore_ascii_case(text))
    };
    let mut conditions = conditions.iter();
    conditions.any(|of| is(of, "type", "Healthy") && is(of, "status", "True"))
}

fn read_workload(
    workload: &Message<'_, '_>,
    meta: ResourceMeta,
    report: &mut Report,
) -> IstioWorkload {
    let mut ports = Vec::new();
    if let Some(map) = workload.object("ports", "ports by name", report) {
        for entry in map.entries {
            let name: String = entry.key.name.as_ref().into();
            let path = map.path.field(name.clone());
            let port = crate::proto::integer(&entry.node, &path, report);
            if let Some(port) = port.and_then(|port| u16::try_from(port).ok()) {
                ports.push((name, port));
            }
        }
    }
    IstioWorkload {
        meta,
        address: workload.text("address", report),
        ports,
        labels: workload.text_map("labels", report),
        network: workload.text("network", report),
        locality: workload.text("locality", report),
        weight: workload.u32("weight", report).unwrap_or(1).max(1),
        service_account: workload.text("serviceAccount", report),
        healthy: true,
    }
}
