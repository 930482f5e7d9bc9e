//! Localities of Pods, Nodes and workloads, and the labels that Istio derives from them.

use alloc::{collections::BTreeSet, format, string::String};

use spillgate_mesh::istio::{IstioVersion, NETWORK_LABEL};

use super::service_input::IstioServiceInput;
use crate::mesh::{
    istio::IstioWorkload,
    kube::{KubeNode, KubePod},
    read::MeshDocuments,
    value::TextMap,
};

const REGION: &str = "topology.kubernetes.io/region";
const ZONE: &str = "topology.kubernetes.io/zone";
const SUB_ZONE: &str = "topology.istio.io/subzone";
/// The label with the node of a Pod.
pub(in crate::mesh) const HOSTNAME: &str = "kubernetes.io/hostname";
/// The label of a Node with its region in old versions of Kubernetes, which counts without the new one.
const OLD_REGION: &str = "failure-domain.beta.kubernetes.io/region";
/// That with its zone.
const OLD_ZONE: &str = "failure-domain.beta.kubernetes.io/zone";
/// The label of a Pod or workload with its locality, since Istio 1.29; dots may replace the slashes.
const LOCALITY: &str = "topology.istio.io/locality";
/// The older one, which counts without the other.
const OLD_LOCALITY: &str = "istio-locality";

/// The locality in the label of a workload (`GetLocalityLabel`).
pub(super) fn labeled(labels: &TextMap, version: IstioVersion) -> Option<String> {
    let new = labels
        .get(LOCALITY)
        .filter(|_| version >= IstioVersion::V1_29);
    let label = new.or_else(|| labels.get(OLD_LOCALITY));
    let label = label.filter(|label| !label.is_empty())?;
    Some(if label.contains('/') {
        label.clone()
    } else {
        label.replace('.', "/")
    })
}

/// The locality of a Node: region, zone and sub-zone without empty parts at the end.
pub(super) fn of_node(node: &KubeNode) -> String {
    let either = |label, old| match node.label(label) {
        "" => node.label(old),
        found => found,
    };
    let locality = format!(
        "{}/{}/{}",
        either(REGION, OLD_REGION),
        either(ZONE, OLD_ZONE),
        node.label(SUB_ZONE)
    );
    locality.trim_end_matches('/').into()
}

/// The locality of a Pod: its label, or else that of its Node.
pub(super) fn of_pod(pod: &KubePod, documents: &MeshDocuments) -> String {
    let mut nodes = documents.kube.nodes.iter();
    let mut node = || nodes.find(|node| node.meta.name == pod.node);
    labeled(&pod.meta.labels, documents.istio_version)
        .or_else(|| node().map(of_node))
        .unwrap_or_default()
}

/// The locality of a workload: its own, or else that in its label
/// (`convertWorkloadEntryToWorkloadInstance`).
pub(super) fn of_workload(workload: &IstioWorkload, version: IstioVersion) -> String {
    match workload.locality.as_str() {
        "" => labeled(&workload.labels, version).unwrap_or_default(),
        own => own.into(),
    }
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
    let endpoints = services
        .iter()
        .flat_map(|service| &service.endpoints)
        .map(|endpoint| endpoint.locality.clone());
    let pods = kube.pods.iter().map(|pod| of_pod(pod, documents));
    let nodes = kube.nodes.iter().map(of_node);
    let workloads = documents
        .istio
        .workload_entries
        .iter()
        .map(|of| of_workload(of, documents.istio_version));
    let all = endpoints.chain(pods).chain(nodes).chain(workloads);
    all.filter(|locality| !locality.is_empty()).collect()
}

/// The zone of a locality.
pub(super) fn zone_of(locality: &str) -> &str {
    locality.split('/').nth(1).unwrap_or_default()
}
