//! The input of the rules for mesh documents.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use spillgate_config::mesh::{
    IstioInputs, IstioServiceInput, KumaInputs, MeshDocuments, PointOfView,
};
use spillgate_mesh::istio::IstioProxy;

use super::{
    entry::KumaEntry,
    setting::IstioSettingAt,
    targets::{RuleAt, Targets},
};

/// Maximum number of zones from which a policy is examined.
const MAXIMUM_ZONES: usize = 64;

/// The documents and what proxies receive from them.
pub(super) struct MeshContext<'d> {
    pub(super) documents: &'d MeshDocuments,
    /// The entries of all Kuma policies that configure a destination, or of which none is known.
    pub(super) entries: Vec<KumaEntry<'d>>,
    /// The other entries.
    pub(super) idle_entries: Vec<KumaEntry<'d>>,
    /// What a proxy without tags receives in each zone.
    pub(super) kuma: Vec<KumaInputs>,
    /// The zones of Kuma's endpoints and proxies.
    pub(super) zones: BTreeSet<String>,
    /// The services of each DestinationRule.
    pub(super) targets: Targets,
    /// The DestinationRules that apply.
    pub(super) rules: Vec<RuleAt<'d>>,
    /// The locality settings of these rules and of the mesh.
    pub(super) settings: Vec<IstioSettingAt<'d>>,
    /// The services of Istio with their endpoints.
    pub(super) services: Vec<IstioServiceInput>,
    /// The proxies of Istio that the documents show.
    pub(super) proxies: Vec<IstioProxy>,
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
        let (mut services, mut proxies) = (Vec::new(), Vec::new());
        let istio = &documents.istio;
        if !istio.destination_rules.is_empty()
            || !istio.mesh_configs.is_empty()
            || !istio.virtual_services.is_empty()
        {
            // A locality is always a valid point of view.
            let inputs = IstioInputs::new(documents, &PointOfView::Zone("/".into()));
            services = inputs.map_or_else(|_| Vec::new(), |inputs| inputs.services);
            proxies = documents.istio_proxies();
        }
        let targets = Targets::new(istio, &services, &proxies);
        let rules = RuleAt::all(istio, &targets, &services);
        let entries = KumaEntry::all(policies).into_iter();
        let (entries, idle_entries) = entries.partition(|entry| entry.has_destination(&kuma));
        Self {
            documents,
            entries,
            idle_entries,
            kuma,
            zones,
            settings: IstioSettingAt::all(istio, &rules, &targets, &services),
            targets,
            rules,
            services,
            proxies,
        }
    }

    /// The localities of Istio's proxies and endpoints, without unknown ones.
    pub(super) fn localities(&self) -> BTreeSet<&str> {
        let endpoints = self
            .services
            .iter()
            .flat_map(|service| &service.endpoints)
            .map(|endpoint| endpoint.locality.as_str());
        let proxies = self.proxies.iter().map(|proxy| proxy.locality.as_str());
        let all = endpoints.chain(proxies);
        all.filter(|locality| !locality.is_empty()).collect()
    }
}
