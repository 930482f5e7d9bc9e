//! Localities of Pods, Nodes and workloads, and the labels that Istio derives from them.

use alloc::{collections::BTreeSet, format, string::String};

use spillgate_mesh::istio::NETWORK_LABEL;

use super::service_input::IstioServiceInput;
use crate::mesh::{
    kube::{KubeNode, KubePod},
    read::{KubeDocuments, MeshDocuments},
    value::TextMap,
};

const REGION: &str = "topology.kubernetes.io/region";
const ZONE: &str = "topology.kubernetes.io/zone";
const SUB_ZONE: &str = "topology.istio.io/subzone";
/// The label with the node of a Pod.
pub(in crate::mesh) const HOSTNAME: &str = "kubernetes.io/hostname";
/// The label of a Pod or workload with its locality; dots may replace the slashes.
const LOCALITY: &str = "istio-locality";

/// The locality in the label of a workload.
pub(super) fn labeled(labels: &TextMap) -> Option<String> {
    let label = labels.get(LOCALITY).filter(|label| !label.is_empty())?;
    Some(match label.contains('/') {
        true => label.clone(),
        false => label.replace('.', "/"),
    })
}

/// The locality of a Node: region, zone and sub-zone without empty parts at the end.
pub(super) fn of_node(node: &KubeNode) -> String {
    let locality = format!(
        "{}/{}/{}",
        node.label(REGION),
        node.label(ZONE),
        node.label(SUB_ZONE)
    );
    locality.trim_end_matches('/').into()
}

/// The locality of a Pod: its label, or else that of its Node.
pub(super) fn of_pod(pod: &KubePod, kube: &KubeDocuments) -> String {
    let node = || kube.nodes.iter().find(|node| node.meta.name == pod.node);
    labeled(&pod.meta.labels)
        .or_else(|| node().map(of_node))
        .unwrap_or_default()
}

/// The labels of a workload with those that Istio derives from its place.
pub(super) fn augmented(labels: &TextMap, locality: &str, network: &str, node: &str) -> TextMap {
    let mut labels = labels.clone();
    let mut parts = locality.split('/');
    for key in [REGION, ZONE, SUB_ZONE] {
        if let Some(part) = parts.next().filter(|part| !part.is_empty()) {
            labels.insert(key.into(), part.into());
        }
    }
    for (key, value) in [(NETWORK_LABEL, network), (HOSTNAME, node)] {
        if !value.is_empty() {
            labels.insert(key.into(), value.into());
        }
    }
    labels
}

/// The localities of endpoints, Pods, Nodes and workloads, whether or not they are ready: a zone with
/// only failed Pods is still a zone.
pub(super) fn localities(
    documents: &MeshDocuments,
    services: &[IstioServiceInput],
) -> BTreeSet<String> {
    let kube = &documents.kube;
    let endpoints = services.iter().flat_map(|service| &service.endpoints);
    let endpoints = endpoints.map(|endpoint| endpoint.locality.clone());
    let pods = kube.pods.iter().map(|pod| of_pod(pod, kube));
    let nodes = kube.nodes.iter().map(of_node);
    let workloads = documents.istio.workload_entries.iter();
    let workloads = workloads.map(|of| labeled(&of.labels).unwrap_or_else(|| of.locality.clone()));
    let all = endpoints.chain(pods).chain(nodes).chain(workloads);
    all.filter(|locality| !locality.is_empty()).collect()
}

/// The zone of a locality.
pub(super) fn zone_of(locality: &str) -> &str {
    locality.split('/').nth(1).unwrap_or_default()
}
