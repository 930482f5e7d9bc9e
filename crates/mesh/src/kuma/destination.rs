//! A destination of a proxy.

use alloc::{collections::BTreeMap, string::String};

use super::KumaMeta;

/// One destination: the resource or the service tag behind a cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaDestination {
    /// What the destination is.
    pub kind: KumaDestinationKind,
    /// Name, mesh, namespace and labels of the resource. The name of a service tag is the value of
    /// `kuma.io/service`.
    pub meta: KumaMeta,
    /// The name of the port (`spec.ports[].name`), or its number if it has no name; `None` for a
    /// service tag.
    pub section_name: Option<String>,
    /// The number of the port (`spec.ports[].port`); 0 for a service tag.
    pub port: u32,
    /// The tags that the endpoints must have (`spec.selector` of a MeshService, or tags of a split).
    pub tags: BTreeMap<String, String>,
    /// Whether it speaks HTTP (`kuma.io/protocol`, `appProtocol`); MeshHTTPRoutes have no effect on
    /// others. `None` if it is not known.
    pub http: Option<bool>,
}

/// The kind of a destination.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KumaDestinationKind {
    /// All endpoints with a value of the tag `kuma.io/service` (Kuma 2.x).
    ServiceTag,
    /// A MeshService, whose endpoints are in one zone.
    #[default]
    MeshService,
    /// A MeshMultiZoneService.
    MeshMultiZoneService,
    /// A MeshExternalService.
    MeshExternalService,
}
