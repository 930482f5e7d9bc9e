//! The proxy of a point of view.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_mesh::istio::IstioProxy;

use super::{
    gateways::proxy_of_gateway,
    locality::{augmented, of_workload, zone_of},
    pod::proxy_of_pod,
};
use crate::{
    Diagnostic,
    mesh::{
        assemble::point_of_view::{PointOfView, by_name, no_proxy, unknown_proxy, unknown_zone},
        istio::IstioWorkload,
        kube::KubeReadiness,
        read::{KubeDocuments, MeshDocuments},
        short::ShortProxy,
        value::TextMap,
    },
    node::quote,
};

/// The namespace of a proxy that has none.
const DEFAULT_NAMESPACE: &str = "default";

impl MeshDocuments {
    /// The proxies of Istio that the documents describe: Pods, WorkloadEntries, and proxies in short
    /// form.
    #[must_use]
    pub fn istio_proxies(&self) -> Vec<IstioProxy> {
        let pods = self
            .kube
            .pods
            .iter()
            .filter(|pod| pod.state != KubeReadiness::Ended)
            .map(|pod| proxy_of_pod(pod, self));
        let workloads = self
            .istio
            .workload_entries
            .iter()
            .map(|of| proxy_of_workload(of, self));
        let short = self.proxies.iter().map(of_short);
        pods.chain(workloads).chain(short).collect()
    }
}

/// The proxy of a point of view.
#[allow(clippy::result_large_err, reason = "called once")]
pub(super) fn proxy_of(
    documents: &MeshDocuments,
    localities: &BTreeSet<String>,
    view: &PointOfView,
) -> Result<IstioProxy, Diagnostic> {
    match view {
        PointOfView::Zone(zone) => {
            let locality = find_locality(localities, zone)?;
            Ok(IstioProxy {
                namespace: DEFAULT_NAMESPACE.into(),
                labels: augmented(&TextMap::new(), &locality, "", ""),
                locality,
            })
        }
        PointOfView::Name(name) => named(documents, name),
        PointOfView::Gateway(name) => proxy_of_gateway(documents, name),
        PointOfView::Documents(own) => first(documents, own),
    }
}

/// The locality of a zone: `region/zone`. A text with a slash is a locality.
#[allow(clippy::result_large_err, reason = "called once")]
fn find_locality(known: &BTreeSet<String>, zone: &str) -> Result<String, Diagnostic> {
    if zone.contains('/') {
        return Ok(zone.into());
    }
    let mut found: BTreeSet<String> = BTreeSet::new();
    for locality in known {
        let region = locality.split('/').next().unwrap_or_default();
        if zone_of(locality) == zone {
            found.insert(format!("{region}/{zone}"));
        }
    }
    // A mesh without zones may have regions only.
    if found.is_empty()
        && known
            .iter()
            .any(|known| known.split('/').next() == Some(zone))
    {
        return Ok(zone.into());
    }
    let mut names = found.iter();
    match (names.next(), names.next()) {
        (Some(only), None) => Ok(only.clone()),
        (Some(first), Some(second)) => Err(Diagnostic::error(
            "mesh/ambiguous-zone",
            "several regions have a zone with this name",
        )
        .found(quote(zone))
        .expected(format!("a locality such as {first} or {second}"))),
        _ => {
            let zones: BTreeSet<&str> = known.iter().map(|known| zone_of(known)).collect();
            let zones: Vec<&str> = zones.into_iter().filter(|zone| !zone.is_empty()).collect();
            Err(unknown_zone(zone, &zones, true))
        }
    }
}

#[allow(clippy::result_large_err, reason = "called once")]
fn named(documents: &MeshDocuments, name: &str) -> Result<IstioProxy, Diagnostic> {
    let (pods, workloads) = (&documents.kube.pods, &documents.istio.workload_entries);
    if let Some(pod) = by_name(pods, name, |pod| &pod.meta)? {
        return Ok(proxy_of_pod(pod, documents));
    }
    if let Some(workload) = by_name(workloads, name, |workload| &workload.meta)? {
        return Ok(proxy_of_workload(workload, documents));
    }
    if let Some(short) = documents.proxies.iter().find(|short| short.name == name) {
        return Ok(short.as_istio());
    }
    let known = pods.iter().map(|pod| pod.meta.name.as_str());
    let workloads = workloads.iter().map(|workload| workload.meta.name.as_str());
    let short = documents.proxies.iter().map(|short| short.name.as_str());
    Err(unknown_proxy(name, known.chain(workloads).chain(short)))
}

#[allow(clippy::result_large_err, reason = "called once")]
fn first(documents: &MeshDocuments, own: &MeshDocuments) -> Result<IstioProxy, Diagnostic> {
    if let Some(pod) = own.kube.pods.first() {
        let nodes = own.kube.nodes.iter().chain(&documents.kube.nodes);
        let all = MeshDocuments {
            kube: KubeDocuments {
                nodes: nodes.cloned().collect(),
                ..KubeDocuments::default()
            },
            istio_version: documents.istio_version,
            ..MeshDocuments::default()
        };
        return Ok(proxy_of_pod(pod, &all));
    }
    if let Some(workload) = own.istio.workload_entries.first() {
        return Ok(proxy_of_workload(workload, documents));
    }
    own.proxies.first().map(of_short).ok_or_else(no_proxy)
}

fn of_short(short: &ShortProxy) -> IstioProxy {
    let mut proxy = short.as_istio();
    proxy.labels = augmented(&proxy.labels, &proxy.locality, "", "");
    proxy
}

fn proxy_of_workload(workload: &IstioWorkload, documents: &MeshDocuments) -> IstioProxy {
    let labels = &workload.labels;
    let locality = of_workload(workload, documents.istio_version);
    IstioProxy {
        namespace: workload.meta.namespace.clone(),
        labels: augmented(labels, &locality, &workload.network, ""),
        locality,
    }
}
