//! What a proxy of Kuma receives, before policies apply.

use alloc::{borrow::Cow, collections::BTreeSet, vec::Vec};

use spillgate_core::order;
use spillgate_mesh::kuma::{KumaPolicy, KumaProxy, KumaProxyKind, KumaRoute};

use super::{
    pod::dataplane_of,
    proxy::proxy_of,
    services,
    sources::{KumaDestinationInput, Sources},
    tags,
};
use crate::{
    Diagnostic,
    mesh::{
        assemble::point_of_view::{PointOfView, unknown_zone},
        kuma::KumaDataplane,
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
    /// All routes, in document order.
    pub routes: Vec<KumaRoute>,
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
        let pods = documents.kube.pods.iter();
        let pods = pods.map(|pod| Cow::Owned(dataplane_of(pod, &documents.kube)));
        let dataplanes = kuma.dataplanes.iter().map(Cow::Borrowed).chain(pods);
        let sources = Sources {
            documents,
            dataplanes: dataplanes
                .filter(|dataplane| dataplane.meta.mesh == mesh)
                .collect(),
            zone: &proxy.zone,
            mesh,
            egress: proxy.egress_enabled,
            locality_aware: kuma
                .meshes
                .iter()
                .any(|known| known.meta.name == mesh && known.locality_aware),
        };
        let mut destinations = services::destinations(&sources);
        destinations.extend(tags::destinations(&sources));
        let destinations = order::sorted(destinations, |a, b| a.cluster.cmp(&b.cluster));
        let policies = kuma.policies.iter().map(|read| read.policy.clone());
        let routes = kuma.routes.iter().map(|read| read.route.clone());
        let mut warnings = warnings(&sources, &destinations, view);
        warnings.extend(gateway_warning(&proxy));
        Ok(Self {
            policies: policies.collect(),
            routes: routes.collect(),
            destinations,
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
            "listeners and routes of a built-in gateway are not modeled; showing every destination \
             that a sidecar has",
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
    let egresses = sources.documents.kuma.zone_egresses.as_slice();
    if sources.egress && egresses.is_empty() {
        found.push(
            Diagnostic::warning(
                "mesh/no-egress",
                "the mesh uses the zone egress, but no ZoneEgress is given; other zones have no \
                 endpoints",
            )
            .expected("a ZoneEgress"),
        );
    }
    found
}
