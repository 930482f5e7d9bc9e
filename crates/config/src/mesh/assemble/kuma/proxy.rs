//! The proxy of a point of view.

use alloc::string::String;

use spillgate_mesh::kuma::KumaProxy;

use super::pod::dataplane_of;
use crate::{
    Diagnostic,
    mesh::{
        assemble::point_of_view::{PointOfView, by_name, no_proxy, unknown_proxy},
        kuma::{KumaDataplane, ZONE_TAG},
        read::{KubeDocuments, MeshDocuments},
    },
};

/// Kuma's mesh if no document names one.
const DEFAULT_MESH: &str = "default";

/// The proxy of a point of view.
#[allow(clippy::result_large_err, reason = "called once")]
pub(super) fn proxy_of(
    documents: &MeshDocuments,
    view: &PointOfView,
) -> Result<KumaProxy, Diagnostic> {
    match view {
        PointOfView::Zone(zone) => {
            let mut proxy = KumaProxy::new(zone.clone());
            // Every proxy of the zone has them.
            proxy.add_tag(ZONE_TAG, zone.clone());
            proxy.meta.labels.insert(ZONE_TAG.into(), zone.clone());
            proxy.meta.mesh = only_mesh(documents);
            proxy.egress_enabled = egress_enabled(documents, &proxy.meta.mesh);
            Ok(proxy)
        }
        PointOfView::Name(name) | PointOfView::Gateway(name) => named(documents, name),
        PointOfView::Documents(own) => first(documents, own),
    }
}

/// Whether a mesh reaches other zones through the zone egress.
pub(super) fn egress_enabled(documents: &MeshDocuments, mesh: &str) -> bool {
    let meshes = &documents.kuma.meshes;
    meshes
        .iter()
        .any(|known| known.meta.name == mesh && known.zone_egress)
}

/// The mesh of the documents, if they are all of one.
fn only_mesh(documents: &MeshDocuments) -> String {
    let kuma = &documents.kuma;
    let dataplanes = kuma.dataplanes.iter().map(|dataplane| &dataplane.meta.mesh);
    let policies = kuma.policies.iter().map(|read| &read.policy.meta.mesh);
    let services = kuma.mesh_services.iter().map(|service| &service.meta.mesh);
    let mut meshes = dataplanes.chain(services).chain(policies);
    let first = meshes.next();
    match first {
        Some(first) if meshes.all(|mesh| mesh == first) => first.clone(),
        _ => DEFAULT_MESH.into(),
    }
}

#[allow(clippy::result_large_err, reason = "called once")]
fn named(documents: &MeshDocuments, name: &str) -> Result<KumaProxy, Diagnostic> {
    let (dataplanes, pods) = (&documents.kuma.dataplanes, &documents.kube.pods);
    if let Some(dataplane) = by_name(dataplanes, name, |dataplane| &dataplane.meta)? {
        return Ok(proxy(documents, dataplane));
    }
    if let Some(pod) = by_name(pods, name, |pod| &pod.meta)? {
        return Ok(proxy(documents, &dataplane_of(pod, &documents.kube)));
    }
    if let Some(short) = documents.proxies.iter().find(|short| short.name == name) {
        return Ok(short.as_kuma());
    }
    let known = dataplanes
        .iter()
        .map(|dataplane| dataplane.meta.name.as_str());
    let pods = pods.iter().map(|pod| pod.meta.name.as_str());
    let short = documents.proxies.iter().map(|short| short.name.as_str());
    Err(unknown_proxy(name, known.chain(pods).chain(short)))
}

/// The first proxy of its own documents. Its Node may be in either.
#[allow(clippy::result_large_err, reason = "called once")]
fn first(documents: &MeshDocuments, own: &MeshDocuments) -> Result<KumaProxy, Diagnostic> {
    if let Some(dataplane) = own.kuma.dataplanes.first() {
        return Ok(proxy(documents, dataplane));
    }
    if let Some(pod) = own.kube.pods.first() {
        let mut kube = KubeDocuments {
            nodes: own.kube.nodes.clone(),
            services: own.kube.services.clone(),
            ..KubeDocuments::default()
        };
        kube.nodes.extend(documents.kube.nodes.iter().cloned());
        kube.services
            .extend(documents.kube.services.iter().cloned());
        return Ok(proxy(documents, &dataplane_of(pod, &kube)));
    }
    own.proxies
        .first()
        .map(|short| short.as_kuma())
        .ok_or_else(no_proxy)
}

fn proxy(documents: &MeshDocuments, dataplane: &KumaDataplane) -> KumaProxy {
    let zone = dataplane.zone().unwrap_or_default().into();
    dataplane.as_proxy(zone, egress_enabled(documents, &dataplane.meta.mesh))
}
