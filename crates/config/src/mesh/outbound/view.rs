//! Everything that one proxy receives.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_core::model::{Cluster, LocalInfo, Model, ModelError};

use spillgate_mesh::istio::IstioOutlierDetection;

use super::{OutboundCluster, OutboundDestination};
use crate::{
    Diagnostic,
    envoy::facts::{ClusterFacts, ConfigFacts, FieldPlace, HealthSignals, OutlierFacts},
};

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
    /// What Envoy knows of the proxy itself, for zone-aware routing.
    pub local: LocalInfo,
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

    /// The facts of the clusters that the model does not have.
    #[must_use]
    pub fn facts(&self) -> ConfigFacts {
        let facts = |cluster: &OutboundCluster| {
            let outlier = cluster.settings.outlier_detection.as_ref();
            let signals = HealthSignals {
                outlier_detection: outlier.map(outlier_facts),
                ..HealthSignals::default()
            };
            ClusterFacts::of_mesh(&cluster.name, signals)
        };
        ConfigFacts {
            clusters: self.clusters.iter().map(facts).collect(),
            ..ConfigFacts::default()
        }
    }

    /// The clusters as the control plane writes them.
    ///
    /// # Errors
    /// Everything that Envoy rejects, such as weights above 2^32-1.
    pub fn model(&self) -> Result<Model, Vec<Diagnostic>> {
        let existing = self.clusters.iter().filter(|cluster| cluster.exists);
        let clusters = existing.map(OutboundCluster::model);
        Ok(model_of(clusters.collect())?.with_local(self.local.clone()))
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

fn outlier_facts(of: &IstioOutlierDetection) -> OutlierFacts {
    OutlierFacts {
        place: FieldPlace::default(),
        max_ejection_percent: of.ejection_limit(),
        always_eject_one_host: false,
        enforced: of.ejects(),
    }
}
