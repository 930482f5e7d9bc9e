//! The input of the rules for mesh documents.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use spillgate_config::mesh::{
    IstioInputs, IstioServiceInput, KumaInputs, MeshDocuments, PointOfView,
};

use super::{entry::KumaEntry, setting::IstioSettingAt};

/// Maximum number of zones from which a policy is examined.
const MAXIMUM_ZONES: usize = 64;

/// The documents and what proxies receive from them.
pub(super) struct MeshContext<'d> {
    pub(super) documents: &'d MeshDocuments,
    /// The entries of all Kuma policies.
    pub(super) entries: Vec<KumaEntry<'d>>,
    /// What a proxy without tags receives in each zone.
    pub(super) kuma: Vec<KumaInputs>,
    /// The zones of Kuma's endpoints and proxies.
    pub(super) zones: BTreeSet<String>,
    /// The locality settings of all DestinationRules and of the mesh.
    pub(super) settings: Vec<IstioSettingAt<'d>>,
    /// The services of Istio with their endpoints.
    pub(super) services: Vec<IstioServiceInput>,
}

impl<'d> MeshContext<'d> {
    /// Collects the endpoints and the settings.
    pub(super) fn new(documents: &'d MeshDocuments) -> Self {
        let mut kuma = Vec::new();
        let mut zones = BTreeSet::new();
        let policies = &documents.kuma.policies;
        if !policies.is_empty() {
            zones = documents.kuma_zones();
            for zone in zones.iter().take(MAXIMUM_ZONES) {
                kuma.extend(KumaInputs::new(documents, &PointOfView::Zone(zone.clone())));
            }
        }
        let mut services = Vec::new();
        let istio = &documents.istio;
        if !istio.destination_rules.is_empty() || !istio.mesh_configs.is_empty() {
            // A locality is always a valid point of view.
            let inputs = IstioInputs::new(documents, &PointOfView::Zone("/".into()));
            services = inputs.map(|inputs| inputs.services).unwrap_or_default();
        }
        Self {
            documents,
            entries: KumaEntry::all(policies),
            kuma,
            zones,
            settings: IstioSettingAt::all(&documents.istio),
            services,
        }
    }
}
