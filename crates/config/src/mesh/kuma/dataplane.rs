//! Dataplane documents.

use alloc::{string::String, vec::Vec};

use spillgate_mesh::kuma::{KumaInbound, KumaProxy, KumaProxyKind};

use super::{
    named::{NamedDestinations, read_named},
    tags::ZONE_TAG,
};
use crate::{
    mesh::{
        document::{KUMA_DOCUMENT, MeshDocument, ResourceMeta},
        value::TextMap,
    },
    proto::{
        Irrelevance::{Discovery, Document, Observability, Process, Transport},
        Message, Report, Schema, limit,
    },
};

pub(super) static DATAPLANE: Schema = Schema::new("Dataplane", "networking")
    .ignored(&[
        (Document, KUMA_DOCUMENT),
        (Observability, "metrics"),
        (Discovery, "probes"),
    ])
    .of("Dataplane");
pub(super) static NETWORKING: Schema = Schema::new(
    "networking",
    "address advertisedAddress inbound outbound gateway transparentProxying",
)
.limits(&[limit(
    "listeners",
    "zone proxies inside of Dataplanes replace ZoneIngresses and ZoneEgresses",
)])
.ignored(&[(Process, "admin")])
.of("Dataplane.networking");
pub(super) static INBOUND: Schema =
    Schema::new("inbound", "address port name tags health state protocol")
        .ignored(&[
            (Transport, "servicePort serviceAddress"),
            (Discovery, "serviceProbe"),
        ])
        .of("Dataplane.networking.inbound");
pub(super) static HEALTH: Schema =
    Schema::new("health", "ready").of("Dataplane.networking.inbound.health");
pub(super) static GATEWAY: Schema =
    Schema::new("gateway", "tags type").of("Dataplane.networking.gateway");

/// A data plane proxy, or a Pod read as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KumaDataplane {
    /// Name, mesh and labels.
    pub meta: ResourceMeta,
    /// The address of the proxy (`networking.address`).
    pub address: String,
    /// The address that other proxies use, if it differs (`networking.advertisedAddress`).
    pub advertised_address: Option<String>,
    /// The inbounds, in order.
    pub inbounds: Vec<DataplaneInbound>,
    /// The gateway.
    pub gateway: Option<DataplaneGateway>,
    /// The destinations that it names.
    pub named: NamedDestinations,
}

/// One inbound (`networking.inbound[]`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DataplaneInbound {
    /// Its own address, if it differs from that of the proxy.
    pub address: Option<String>,
    /// Its port.
    pub port: u16,
    /// Its name.
    pub name: Option<String>,
    /// Its tags.
    pub tags: TextMap,
    /// Its protocol, if no tag has it.
    pub protocol: Option<String>,
    /// Whether Kuma sends it to other proxies: `state` is `Ready` and `health.ready` is not false.
    pub ready: bool,
}

/// `networking.gateway`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DataplaneGateway {
    /// Its tags.
    pub tags: TextMap,
    /// Whether `type` is `BUILTIN`.
    pub builtin: bool,
}

impl KumaDataplane {
    /// The zone: a tag of an inbound or the gateway, or else the label.
    #[must_use]
    pub fn zone(&self) -> Option<&str> {
        let inbounds = self.inbounds.iter().map(|inbound| &inbound.tags);
        let gateway = self.gateway.iter().map(|gateway| &gateway.tags);
        inbounds
            .chain(gateway)
            .find_map(|tags| tags.get(ZONE_TAG).map(String::as_str))
            .or_else(|| self.meta.label(ZONE_TAG))
    }

    /// The zone of one inbound.
    #[must_use]
    pub fn inbound_zone<'d>(&'d self, inbound: &'d DataplaneInbound) -> Option<&'d str> {
        let tag = inbound.tags.get(ZONE_TAG).map(String::as_str);
        tag.or_else(|| self.meta.label(ZONE_TAG))
    }

    /// The address and port of an inbound as other proxies use it.
    #[must_use]
    pub fn endpoint(&self, inbound: &DataplaneInbound) -> String {
        let own = inbound.address.as_ref().unwrap_or(&self.address);
        let address = self.advertised_address.as_ref().unwrap_or(own);
        socket(address, inbound.port)
    }

    /// The Dataplane as a point of view.
    #[must_use]
    pub fn as_proxy(&self, zone: String, egress_enabled: bool) -> KumaProxy {
        let mut proxy = KumaProxy {
            meta: self.meta.clone().into_kuma(),
            egress_enabled,
            kind: match &self.gateway {
                None => KumaProxyKind::Sidecar,
                Some(gateway) if gateway.builtin => KumaProxyKind::BuiltinGateway,
                Some(_) => KumaProxyKind::DelegatedGateway,
            },
            ..KumaProxy::new(zone)
        };
        for inbound in &self.inbounds {
            proxy.add_inbound(KumaInbound {
                name: inbound.name.clone(),
                port: inbound.port,
                tags: inbound.tags.clone(),
            });
        }
        for (key, value) in self.gateway.iter().flat_map(|gateway| &gateway.tags) {
            proxy.add_tag(key.as_str(), value.as_str());
        }
        proxy
    }
}

/// `address:port`, with brackets around an IPv6 address.
pub(crate) fn socket(address: &str, port: u16) -> String {
    if address.contains(':') && !address.starts_with('[') {
        alloc::format!("[{address}]:{port}")
    } else {
        alloc::format!("{address}:{port}")
    }
}

/// Reads a Dataplane.
pub(crate) fn read_dataplane(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<KumaDataplane> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &DATAPLANE, report)?;
    spec.require("networking", report);
    let networking = spec.message("networking", &NETWORKING, report)?;
    let address = networking.required_string("address", report);
    let inbounds = networking.messages("inbound", &INBOUND, report);
    let gateway = networking.message("gateway", &GATEWAY, report);
    let named = read_named(&networking, report);
    Some(KumaDataplane {
        meta,
        address: address.unwrap_or_default().into(),
        advertised_address: networking
            .string("advertisedAddress", report)
            .filter(|address| !address.is_empty())
            .map(Into::into),
        inbounds: inbounds
            .iter()
            .filter_map(|inbound| read_inbound(inbound, report))
            .collect(),
        gateway: gateway.map(|gateway| DataplaneGateway {
            tags: gateway.text_map("tags", report),
            builtin: gateway.enumeration("type", &GATEWAY_TYPE, report) == Some(true),
        }),
        named,
    })
}

/// Whether a gateway is built in.
static GATEWAY_TYPE: [(&str, i64, bool); 2] = [("DELEGATED", 0, false), ("BUILTIN", 1, true)];
/// Whether an inbound is ready.
static INBOUND_STATE: [(&str, i64, bool); 3] = [
    ("Ready", 0, true),
    ("NotReady", 1, false),
    ("Ignored", 2, false),
];

fn read_inbound(inbound: &Message<'_, '_>, report: &mut Report) -> Option<DataplaneInbound> {
    inbound.require("port", report);
    let health = inbound.message("health", &HEALTH, report);
    // An absent Boolean of a message is false.
    let healthy = health.is_none_or(|health| health.bool("ready", report).unwrap_or(false));
    let state = inbound.enumeration("state", &INBOUND_STATE, report);
    let text = |field, report: &mut Report| {
        let text = inbound
            .string(field, report)
            .filter(|text| !text.is_empty());
        text.map(String::from)
    };
    let read = DataplaneInbound {
        address: text("address", report),
        name: text("name", report),
        tags: inbound.text_map("tags", report),
        protocol: text("protocol", report),
        ready: healthy && state.unwrap_or(true),
        port: 0,
    };
    let port = inbound.port("port", report)?;
    Some(DataplaneInbound { port, ..read })
}
