//! The proxy that receives the configuration: the point of view.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use super::KumaMeta;

/// A data plane proxy or a zone egress.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaProxy {
    /// Name, mesh, namespace and labels of the Dataplane. Labels are the fallback for affinity keys
    /// without a tag.
    pub meta: KumaMeta,
    /// The name of the zone (`kuma.io/zone`).
    pub zone: String,
    /// The tags of all inbounds and of the gateway, each with all its values. Affinity uses the
    /// alphabetically first value.
    pub tags: BTreeMap<String, BTreeSet<String>>,
    /// The inbounds, for the `targetRef` of policies; may be empty, in which case `tags` is
    /// compared.
    pub inbounds: Vec<KumaInbound>,
    /// The type of the proxy.
    pub kind: KumaProxyKind,
    /// Whether the mesh reaches other zones through the zone egress
    /// (`Mesh.routing.zoneEgress`); default false. It affects destinations of `kuma.io/service`
    /// only.
    pub egress_enabled: bool,
    /// The MeshGateway of a built-in gateway, if it is known.
    pub gateway: Option<KumaMeta>,
}

impl KumaProxy {
    /// A sidecar in a zone, without tags.
    #[must_use]
    pub fn new(zone: impl Into<String>) -> Self {
        Self {
            zone: zone.into(),
            ..Self::default()
        }
    }

    /// Adds one value of a tag.
    pub fn add_tag(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.tags
            .entry(key.into())
            .or_default()
            .insert(value.into());
    }

    /// Adds an inbound and its tags.
    pub fn add_inbound(&mut self, inbound: KumaInbound) {
        for (key, value) in &inbound.tags {
            self.add_tag(key.as_str(), value.as_str());
        }
        self.inbounds.push(inbound);
    }
}

/// One inbound of a Dataplane (`networking.inbound[]`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaInbound {
    /// The name of the inbound; `None` if not set.
    pub name: Option<String>,
    /// The port of the inbound.
    pub port: u16,
    /// The tags of the inbound.
    pub tags: BTreeMap<String, String>,
}

/// The type of a proxy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum KumaProxyKind {
    /// A sidecar.
    #[default]
    Sidecar,
    /// A delegated gateway: a Dataplane with `networking.gateway`.
    DelegatedGateway,
    /// A built-in gateway (`networking.gateway.type: BUILTIN`).
    BuiltinGateway,
    /// A zone egress (Kuma 2.x). Only policies for the whole mesh apply, and it has no tags.
    ZoneEgress,
}
