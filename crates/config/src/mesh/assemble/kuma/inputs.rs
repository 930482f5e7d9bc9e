//! What a proxy of Kuma receives, before policies apply.

use alloc::{borrow::Cow, collections::BTreeSet, vec::Vec};

use spillgate_core::order;
use spillgate_mesh::kuma::{
    KumaGateway, KumaPolicy, KumaProxy, KumaProxyKind, KumaRoute, select_gateway,
};

#[cfg(feature = "health")]
use super::health::KumaHealthInputs;
use super::{
    named::named_of,
    pod::dataplane_of,
    proxy::proxy_of,
    reach::keep_reachable,
    services,
    sources::{KumaDestinationInput, Sources},
    tags,
    zone_view::unknown_proxy,
};
use crate::{
    Diagnostic,
    mesh::{
        assemble::point_of_view::{PointOfView, unknown_zone},
        kube::KubeReadiness,
        kuma::{KumaDataplane, MeshServicesMode},
        read::MeshDocuments,
    },
    node::quote,
};

/// What one proxy of Kuma receives.
#[derive(Debug, Clone, PartialEq)]
pub struct KumaInputs {
    /// The proxy.
    pub proxy: KumaProxy,
    /// The destinations, by cluster name.
    pub destinations: Vec<KumaDestinationInput>,
    /// All policies, in the order of [`KumaDocuments::policies`](crate::mesh::KumaDocuments); which
    /// of them apply is a rule of `spillgate-mesh`.
    pub policies: Vec<KumaPolicy>,
    /// The policies that decide what happens over time.
    #[cfg(feature = "health")]
    pub health: KumaHealthInputs,
    /// All routes, in document order.
    pub routes: Vec<KumaRoute>,
    /// The MeshGateway of a built-in gateway; `None` for other proxies, or if no document has it.
    pub gateway: Option<KumaGateway>,
    /// Warnings about missing documents.
    pub warnings: Vec<Diagnostic>,
}

impl KumaInputs {
    /// Collects what a proxy receives.
    ///
    /// # Errors
    /// If the documents do not contain the proxy.
    #[allow(clippy::result_large_err, reason = "called once")]
    pub fn new(documents: &MeshDocuments, view: &PointOfView) -> Result<Self, Diagnostic> {
        let proxy = proxy_of(documents, view)?;
        let kuma = &documents.kuma;
        let mesh = match proxy.meta.mesh.as_str() {
            "" => "default",
            mesh => mesh,
        };
        let pods = documents
            .kube
            .pods
            .iter()
            .filter(|pod| pod.state != KubeReadiness::Ended)
            .map(|pod| Cow::Owned(dataplane_of(pod, &documents.kube)));
        let dataplanes = kuma.dataplanes.iter().map(Cow::Borrowed).chain(pods);
        let settings = kuma.meshes.iter().find(|known| known.meta.name == mesh);
        let sources = Sources {
            documents,
            settings,
            dataplanes: dataplanes
                .filter(|dataplane| dataplane.meta.mesh == mesh)
                .collect(),
            zone: &proxy.zone,
            mesh,
            egress: proxy.egress_enabled,
            mtls: settings.is_none_or(|settings| settings.mtls),
            mode: settings.map_or(MeshServicesMode::Disabled, |settings| settings.mode),
            named: named_of(documents, view, &proxy),
            proxy: &proxy,
            locality_aware: settings.is_some_and(|settings| settings.locality_aware),
        };
        let mut destinations = services::destinations(&sources);
        destinations.extend(tags::destinations(&sources));
        let mut destinations = order::sorted(destinations, |a, b| a.cluster.cmp(&b.cluster));
        let policies = kuma.policies.iter().map(|read| read.policy.clone());
        let policies: Vec<KumaPolicy> = policies.collect();
        let routes = kuma.routes.iter().map(|read| read.route.clone());
        let routes: Vec<KumaRoute> = routes.collect();
        let mut warnings = warnings(&sources, &destinations, view);
        if matches!(view, PointOfView::Zone(_)) {
            warnings.extend(unknown_proxy(&policies, &routes, &sources));
        }
        warnings.extend(keep_reachable(&sources, &mut destinations));
        let gateway = select_gateway(kuma.gateways.iter(), &proxy).cloned();
        if gateway.is_none() {
            warnings.extend(gateway_warning(&proxy));
        }
        #[cfg(feature = "health")]
        let health = KumaHealthInputs::new(&sources);
        Ok(Self {
            #[cfg(feature = "health")]
            health,
            policies,
            routes,
            destinations,
            gateway,
            warnings,
            proxy,
        })
    }

    /// The zones of all endpoints and of the proxy, sorted.
    #[must_use]
    pub fn zones(&self) -> Vec<&str> {
        let endpoints = self.destinations.iter().flat_map(|view| &view.endpoints);
        let mut zones: BTreeSet<&str> = endpoints.map(|endpoint| endpoint.zone.as_str()).collect();
        zones.insert(&self.proxy.zone);
        zones.into_iter().collect()
    }
}

/// A built-in gateway gets the clusters of its routes; without its MeshGateway they are unknown.
fn gateway_warning(proxy: &KumaProxy) -> Option<Diagnostic> {
    (proxy.kind == KumaProxyKind::BuiltinGateway).then(|| {
        Diagnostic::warning(
            "mesh/builtin-gateway",
            "no MeshGateway selects the built-in gateway, so its routes are unknown; showing every \
             destination that a sidecar has",
        )
        .found(quote(&proxy.meta.name))
    })
}

fn warnings(
    sources: &Sources<'_>,
    destinations: &[KumaDestinationInput],
    view: &PointOfView,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let endpoints = destinations.iter().flat_map(|view| &view.endpoints);
    let zones: BTreeSet<&str> = endpoints.map(|endpoint| endpoint.zone.as_str()).collect();
    let zones: Vec<&str> = zones.into_iter().collect();
    if destinations.is_empty() {
        found.push(
            Diagnostic::warning("mesh/no-destinations", "no destination has endpoints").expected(
                "Dataplanes with inbounds, ZoneIngresses, or endpoints {address, zone, tags}",
            ),
        );
    } else if let PointOfView::Zone(zone) = view
        && !zones.contains(&zone.as_str())
    {
        found.push(unknown_zone(zone, &zones, false));
    }
    let without = |dataplane: &&Cow<'_, KumaDataplane>| dataplane.zone().is_none();
    if zones.iter().any(|zone| !zone.is_empty())
        && let Some(dataplane) = sources.dataplanes.iter().find(without)
    {
        let place = &dataplane.meta.place;
        found.push(
            Diagnostic::warning(
                "mesh/no-zone",
                "proxy without a zone; it counts as a zone without a name",
            )
            .at(place.path.clone(), place.position)
            .found(quote(&dataplane.meta.full_name()))
            .expected("the tag or label kuma.io/zone"),
        );
    }
    found
}
