//! The short forms of a proxy and of an endpoint, for inputs without a mesh's own documents.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
};

use spillgate_core::model::{HealthStatus, Weight};
use spillgate_mesh::{
    MeshHost,
    istio::{IstioEndpoint, IstioProxy},
    kuma::{KumaEndpoint, KumaProxy},
};

use super::{document::MeshDocument, place::ValuePlace, value::TextMap};
use crate::{
    envoy::HEALTH_STATUS,
    node::NodeValue,
    proto::{Message, Report, Schema},
};

static PROXY: Schema = Schema::new(
    "proxy",
    "zone locality tags labels name namespace egress_enabled",
);
static ENDPOINT: Schema = Schema::new(
    "endpoint",
    "address zone locality tags labels weight health service",
);

/// A proxy in short form: `{zone, tags, labels, egress_enabled}` for Kuma, `{locality, labels}` for
/// Istio.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortProxy {
    /// Its name; may be empty.
    pub name: String,
    /// Its namespace, for Istio; may be empty.
    pub namespace: String,
    /// The zone; may be empty.
    pub zone: String,
    /// `region/zone/sub-zone`; may be empty.
    pub locality: String,
    /// The tags, each with one or several values.
    pub tags: BTreeMap<String, BTreeSet<String>>,
    /// The labels.
    pub labels: TextMap,
    /// Whether other zones are reached through the zone egress.
    pub egress_enabled: bool,
    /// Its place.
    pub place: ValuePlace,
}

/// An endpoint in short form: `{address, zone, tags, weight, health}` for Kuma, with `locality` and
/// `labels` for Istio.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortEndpoint {
    /// `ip:port`.
    pub host: MeshHost,
    /// The service that it belongs to; empty belongs to every service.
    pub service: String,
    /// The zone; may be empty.
    pub zone: String,
    /// `region/zone/sub-zone`; may be empty.
    pub locality: String,
    /// The tags.
    pub tags: TextMap,
    /// The labels.
    pub labels: TextMap,
    /// Its place.
    pub place: ValuePlace,
}

impl ShortProxy {
    /// As a proxy of Kuma.
    #[must_use]
    pub fn as_kuma(&self) -> KumaProxy {
        let mut proxy = KumaProxy::new(self.zone.clone());
        proxy.meta.name.clone_from(&self.name);
        proxy.meta.labels.clone_from(&self.labels);
        proxy.tags.clone_from(&self.tags);
        proxy.egress_enabled = self.egress_enabled;
        proxy
    }

    /// As a proxy of Istio.
    #[must_use]
    pub fn as_istio(&self) -> IstioProxy {
        IstioProxy {
            namespace: self.namespace.clone(),
            locality: self.locality.clone(),
            labels: self.labels.clone(),
        }
    }
}

impl ShortEndpoint {
    /// As an endpoint of Kuma.
    #[must_use]
    pub fn as_kuma(&self) -> KumaEndpoint {
        KumaEndpoint {
            host: self.host.clone(),
            zone: self.zone.clone(),
            tags: self.tags.clone(),
            labels: self.labels.clone(),
        }
    }

    /// As an endpoint of Istio.
    #[must_use]
    pub fn as_istio(&self) -> IstioEndpoint {
        IstioEndpoint {
            host: self.host.clone(),
            locality: self.locality.clone(),
            labels: self.labels.clone(),
            unready: false,
            mtls: true,
        }
    }
}

/// Reads a proxy.
pub(super) fn read_short_proxy(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<ShortProxy> {
    let proxy = Message::open(document.node, document.path.clone(), &PROXY, report)?;
    let mut tags: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    if let Some(map) = proxy.object("tags", "values by tag", report) {
        for entry in map.entries {
            let key: String = entry.key.name.as_ref().into();
            let values = match &entry.node.value {
                NodeValue::List(values) => values.as_slice(),
                _ => core::slice::from_ref(&entry.node),
            };
            let path = map.path.field(key.clone());
            let known = tags.entry(key).or_default();
            known.extend(
                values
                    .iter()
                    .filter_map(|value| super::value::text(value, &path, report)),
            );
        }
    }
    Some(ShortProxy {
        name: proxy.text("name", report),
        namespace: proxy.text("namespace", report),
        zone: proxy.text("zone", report),
        locality: proxy.text("locality", report),
        tags,
        labels: proxy.text_map("labels", report),
        egress_enabled: proxy.bool("egress_enabled", report).unwrap_or(false),
        place: document.place(),
    })
}

/// Reads an endpoint.
pub(super) fn read_short_endpoint(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<ShortEndpoint> {
    let endpoint = Message::open(document.node, document.path.clone(), &ENDPOINT, report)?;
    let address = endpoint.required_string("address", report);
    let weight = endpoint.u32_within("weight", 1..=u32::MAX, report);
    let health = endpoint.enumeration("health", &HEALTH_STATUS, report);
    Some(ShortEndpoint {
        service: endpoint.text("service", report),
        zone: endpoint.text("zone", report),
        locality: endpoint.text("locality", report),
        tags: endpoint.text_map("tags", report),
        labels: endpoint.text_map("labels", report),
        place: document.place(),
        host: MeshHost {
            weight: weight.and_then(Weight::new).unwrap_or_default(),
            health: health.unwrap_or(HealthStatus::Unknown),
            ..MeshHost::new(address?)
        },
    })
}
