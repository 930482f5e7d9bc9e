//! Everything that one proxy receives.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_core::model::{Cluster, Model, ModelError};

use super::{OutboundCluster, OutboundDestination};
use crate::Diagnostic;

/// The mesh that documents belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshKind {
    /// Kuma.
    Kuma,
    /// Istio.
    Istio,
}

/// What one proxy receives.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshOutbound {
    /// The mesh.
    pub mesh: MeshKind,
    /// The zone of the proxy; for Istio, `region/zone`. Empty if unknown.
    pub zone: String,
    /// The clusters.
    pub clusters: Vec<OutboundCluster>,
    /// The destinations, by name.
    pub destinations: Vec<OutboundDestination>,
    /// Warnings about the documents.
    pub warnings: Vec<Diagnostic>,
}

impl MeshKind {
    /// `kuma` or `istio`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kuma => "kuma",
            Self::Istio => "istio",
        }
    }
}

impl MeshOutbound {
    /// The cluster with this name.
    #[must_use]
    pub fn cluster(&self, name: &str) -> Option<&OutboundCluster> {
        self.clusters.iter().find(|cluster| cluster.name == name)
    }

    /// The clusters as the control plane writes them.
    ///
    /// # Errors
    /// Everything that Envoy rejects, such as weights above 2^32-1.
    pub fn model(&self) -> Result<Model, Vec<Diagnostic>> {
        model_of(self.clusters.iter().map(OutboundCluster::model).collect())
    }
}

/// A model of these clusters.
pub(super) fn model_of(clusters: Vec<Cluster>) -> Result<Model, Vec<Diagnostic>> {
    Model::new(clusters).map_err(|faults: Vec<ModelError>| {
        let faults = faults.iter();
        faults
            .map(|fault| Diagnostic::error("mesh/rejected", fault.to_string()))
            .collect()
    })
}
