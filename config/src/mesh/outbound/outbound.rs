//! Everything that one proxy receives.

use alloc::{
    collections::BTreeSet,
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_core::model::{Model, ModelError};
use spillgate_mesh::Compat;

use super::{OutboundCluster, OutboundDestination, istio, kuma};
use crate::{
    Diagnostic,
    mesh::{IstioInputs, KumaInputs, MeshDocuments, PointOfView},
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
    /// The clusters.
    pub clusters: Vec<OutboundCluster>,
    /// The destinations, by name.
    pub destinations: Vec<OutboundDestination>,
    /// Warnings about the documents.
    pub warnings: Vec<Diagnostic>,
}

/// A zone, as seen from one of its proxies.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshZone {
    /// The name of the zone; for Istio, `region/zone`.
    pub name: String,
    /// What a proxy of the zone without tags and labels receives.
    pub outbound: MeshOutbound,
}

impl MeshKind {
    /// The mesh that the policies and endpoints of these documents belong to.
    #[must_use]
    pub fn of(documents: &MeshDocuments) -> Self {
        let (kuma, istio) = (&documents.kuma, &documents.istio);
        let is_kuma = !kuma.policies.is_empty()
            || !kuma.dataplanes.is_empty()
            || !kuma.mesh_services.is_empty()
            || !kuma.routes.is_empty();
        let is_istio = !istio.destination_rules.is_empty()
            || !istio.mesh_configs.is_empty()
            || !istio.service_entries.is_empty()
            || !istio.virtual_services.is_empty()
            || documents.endpoints.iter().any(|of| !of.locality.is_empty());
        match !is_kuma && is_istio {
            true => Self::Istio,
            false => Self::Kuma,
        }
    }

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
    /// What a proxy receives.
    ///
    /// # Errors
    /// If the documents do not contain the proxy or its zone.
    #[allow(clippy::result_large_err, reason = "called once for each zone")]
    pub fn new(
        documents: &MeshDocuments,
        mesh: MeshKind,
        view: &PointOfView,
        compat: Compat,
    ) -> Result<Self, Diagnostic> {
        Ok(match mesh {
            MeshKind::Kuma => kuma::outbound(&KumaInputs::new(documents, view)?, compat),
            MeshKind::Istio => istio::outbound(&IstioInputs::new(documents, view)?),
        })
    }

    /// The view of each zone with endpoints, by name.
    ///
    /// # Errors
    /// If the documents do not allow a point of view.
    #[allow(clippy::result_large_err, reason = "called once")]
    pub fn zones(
        documents: &MeshDocuments,
        mesh: MeshKind,
        compat: Compat,
    ) -> Result<Vec<MeshZone>, Diagnostic> {
        let names = zone_names(documents, mesh)?;
        names
            .into_iter()
            .map(|name| {
                let view = PointOfView::Zone(name.clone());
                let outbound = Self::new(documents, mesh, &view, compat)?;
                Ok(MeshZone { name, outbound })
            })
            .collect()
    }

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
pub(super) fn model_of(
    clusters: Vec<spillgate_core::model::Cluster>,
) -> Result<Model, Vec<Diagnostic>> {
    Model::new(clusters).map_err(|faults: Vec<ModelError>| {
        let faults = faults.iter();
        faults
            .map(|fault| Diagnostic::error("mesh/rejected", fault.to_string()))
            .collect()
    })
}

/// The names of all zones with endpoints.
#[allow(clippy::result_large_err, reason = "called once")]
fn zone_names(documents: &MeshDocuments, mesh: MeshKind) -> Result<Vec<String>, Diagnostic> {
    let empty = PointOfView::Zone(String::new());
    let names: BTreeSet<String> = match mesh {
        MeshKind::Kuma => {
            // Endpoints behind zone ingresses depend on the view, their zones do not.
            let inputs = KumaInputs::new(documents, &empty)?;
            let zones = inputs.zones().into_iter().map(String::from);
            let declared = documents.kuma.zone_ingresses.iter();
            zones
                .chain(declared.map(|ingress| ingress.zone.clone()))
                .collect()
        }
        MeshKind::Istio => {
            let locality = PointOfView::Zone("/".into());
            let inputs = IstioInputs::new(documents, &locality)?;
            let endpoints = inputs.services.iter().flat_map(|of| &of.endpoints);
            endpoints.map(|of| istio::zone_of(&of.locality)).collect()
        }
    };
    Ok(names.into_iter().filter(|name| !name.is_empty()).collect())
}
