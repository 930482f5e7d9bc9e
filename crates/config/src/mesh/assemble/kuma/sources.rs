//! What the destinations are built from, and their form.

use alloc::{borrow::Cow, string::String, vec::Vec};

use spillgate_mesh::kuma::{KumaDestination, KumaEndpoint, KumaProxy};

use super::protocol::KumaProtocol;
use crate::mesh::{
    kuma::{KumaDataplane, KumaMeshSettings, MeshServicesMode, NamedDestinations},
    read::MeshDocuments,
};

/// A destination and its endpoints, before a policy applies.
#[derive(Debug, Clone, PartialEq)]
pub struct KumaDestinationInput {
    /// The name of Envoy's cluster.
    pub cluster: String,
    /// The destination.
    pub destination: KumaDestination,
    /// The endpoints, in document order.
    pub endpoints: Vec<KumaEndpoint>,
    /// Whether other zones have priority 1 without a policy.
    pub prefers_local_zone: bool,
    /// Its protocol; `None` if it is not known, which Kuma takes as `tcp`.
    pub protocol: Option<KumaProtocol>,
}

impl KumaDestinationInput {
    /// Whether its port has this name or number.
    pub(in crate::mesh) fn has_port(&self, name: &str) -> bool {
        let number = self.cluster.rsplit('_').next();
        self.destination.section_name.as_deref() == Some(name) || number == Some(name)
    }
}

/// What the destinations are built from.
pub(super) struct Sources<'d> {
    pub(super) documents: &'d MeshDocuments,
    /// The Dataplanes of the proxy's mesh, including Pods.
    pub(super) dataplanes: Vec<Cow<'d, KumaDataplane>>,
    pub(super) zone: &'d str,
    pub(super) mesh: &'d str,
    /// The settings of the mesh, if a document has them.
    pub(super) settings: Option<&'d KumaMeshSettings>,
    pub(super) egress: bool,
    /// Whether proxies use mTLS; assumed without a Mesh.
    pub(super) mtls: bool,
    pub(super) mode: MeshServicesMode,
    pub(super) proxy: &'d KumaProxy,
    /// The destinations that the proxy names; `None` for any proxy of a zone.
    pub(super) named: Option<NamedDestinations>,
    /// Whether `Mesh.routing.localityAwareLoadBalancing` is set.
    pub(super) locality_aware: bool,
}
