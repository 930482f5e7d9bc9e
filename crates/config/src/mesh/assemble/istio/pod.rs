//! Pods as proxies.

use spillgate_mesh::istio::IstioProxy;

use super::locality::{augmented, of_pod};
use crate::mesh::{
    assemble::point_of_view::{PointOfView, by_name},
    kube::KubePod,
    read::MeshDocuments,
};

/// The Pod of a point of view.
pub(super) fn pod_of<'d>(
    documents: &'d MeshDocuments,
    view: &'d PointOfView,
) -> Option<&'d KubePod> {
    match view {
        PointOfView::Zone(_) | PointOfView::Gateway(_) => None,
        // The proxy itself reports an ambiguous name.
        PointOfView::Name(name) => by_name(&documents.kube.pods, name, |pod| &pod.meta).ok()?,
        PointOfView::Documents(own) => own.kube.pods.first(),
    }
}

/// The proxy of a Pod.
pub(super) fn proxy_of_pod(pod: &KubePod, documents: &MeshDocuments) -> IstioProxy {
    let locality = of_pod(pod, documents);
    IstioProxy {
        namespace: pod.meta.namespace.clone(),
        labels: augmented(&pod.meta.labels, &locality, "", &pod.node),
        locality,
    }
}
