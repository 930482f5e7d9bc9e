//! What the destinations are built from, and their form.

use alloc::{borrow::Cow, string::String, vec::Vec};

use spillgate_mesh::kuma::{KumaDestination, KumaEndpoint};

use crate::mesh::{kuma::KumaDataplane, read::MeshDocuments};

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
}

/// What the destinations are built from.
pub(super) struct Sources<'d> {
    pub(super) documents: &'d MeshDocuments,
    /// The Dataplanes of the proxy's mesh, including Pods.
    pub(super) dataplanes: Vec<Cow<'d, KumaDataplane>>,
    pub(super) zone: &'d str,
    pub(super) mesh: &'d str,
    pub(super) egress: bool,
    /// Whether `Mesh.routing.localityAwareLoadBalancing` is set.
    pub(super) locality_aware: bool,
}
