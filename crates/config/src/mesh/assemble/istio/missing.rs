//! Pods and Nodes that documents name and no document has.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use super::locality::labeled;
use crate::{
    Affects, Diagnostic,
    mesh::{kube::KubeReadiness, read::MeshDocuments},
};

/// The most names that a finding lists.
const LISTED: usize = 3;

/// The limits of Pods that EndpointSlices name, and of Nodes that Pods name.
pub(super) fn limits(documents: &MeshDocuments) -> Vec<Diagnostic> {
    let kube = &documents.kube;
    let pods: BTreeSet<String> = kube.pods.iter().map(|pod| pod.meta.full_name()).collect();
    let mut unknown: BTreeSet<String> = BTreeSet::new();
    for slice in kube
        .endpoint_slices
        .iter()
        .filter(|slice| slice.service().is_some())
    {
        for name in slice.endpoints.iter().filter_map(|of| of.pod.as_ref()) {
            let name = format!("{}/{name}", slice.meta.namespace);
            if !pods.contains(&name) {
                unknown.insert(name);
            }
        }
    }
    let nodes: BTreeSet<&str> = kube
        .nodes
        .iter()
        .map(|node| node.meta.name.as_str())
        .collect();
    let placed = kube.pods.iter().filter(|pod| {
        pod.state != KubeReadiness::Ended
            && !pod.node.is_empty()
            && labeled(&pod.meta.labels, documents.istio_version).is_none()
    });
    let nodes: BTreeSet<String> = placed
        .filter(|pod| !nodes.contains(pod.node.as_str()))
        .map(|pod| pod.node.clone())
        .collect();
    let found = [
        (
            unknown,
            "mesh/unknown-pods",
            "no document has the Pods that EndpointSlices name: their labels are unknown, and with \
             them subsets and localities",
        ),
        (
            nodes,
            "mesh/unknown-nodes",
            "no document has the Nodes that Pods name: the localities of these Pods are unknown",
        ),
    ]
    .into_iter()
    .filter(|(names, ..)| !names.is_empty());
    let limits = found.map(|(names, code, text)| {
        Diagnostic::limit(code, text, Affects::Everything).found(listed(names))
    });
    limits.collect()
}

/// The first names, and how many more there are.
fn listed(names: BTreeSet<String>) -> String {
    let more = names.len().saturating_sub(LISTED);
    let names: Vec<String> = names.into_iter().take(LISTED).collect();
    match more {
        0 => names.join(", "),
        _ => format!("{} and {more} more", names.join(", ")),
    }
}
