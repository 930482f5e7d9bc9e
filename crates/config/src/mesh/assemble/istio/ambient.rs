//! Ambient mode: proxies without an Envoy, and figures that are about sidecars only.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use super::pod::pod_of;
use crate::{
    Affects, Diagnostic,
    mesh::{
        assemble::point_of_view::PointOfView,
        document::{AMBIENT, DATAPLANE_MODE},
        read::MeshDocuments,
    },
    node::quote,
};

/// The annotation of a Pod with a sidecar.
const SIDECAR: &str = "sidecar.istio.io/status";

/// The limit of documents in ambient mode: figures are those of a sidecar.
pub(super) fn limit(documents: &MeshDocuments) -> Option<Diagnostic> {
    let names = documents.ambient.iter();
    let names: BTreeSet<String> = names.map(|of| format!("{} {}", of.kind, of.name)).collect();
    let names: Vec<String> = names.into_iter().collect();
    (!names.is_empty()).then(|| {
        Diagnostic::limit(
            "mesh/ambient",
            "ambient mode is not modeled: ztunnel, which is not an Envoy, balances connections, and \
             waypoints balance requests; figures are those of a sidecar",
            Affects::Everything,
        )
        .found(names.join(", "))
    })
}

/// The error of a proxy in ambient mode: a Pod with the label, or in a namespace with it, that has no
/// sidecar.
pub(super) fn ambient_proxy(documents: &MeshDocuments, view: &PointOfView) -> Option<Diagnostic> {
    let pod = pod_of(documents, view)?;
    let is_namespace = |name: &str| {
        let mut known = documents.ambient.iter();
        known.any(|of| of.has_pods && of.kind == "Namespace" && of.name == name)
    };
    let is_ambient = match pod.meta.label(DATAPLANE_MODE) {
        Some(mode) => mode == AMBIENT,
        None => is_namespace(&pod.meta.namespace),
    };
    (is_ambient && pod.meta.annotation(SIDECAR).is_none()).then(|| {
        Diagnostic::error(
            "mesh/ambient-proxy",
            "the Pod is in ambient mode and has no Envoy: ztunnel balances its connections, and waypoints \
             its requests",
        )
        .found(quote(&pod.meta.full_name()))
        .expected("a Pod with a sidecar, a gateway, or `istioctl proxy-config all WAYPOINT_POD -o json`")
    })
}
