//! The hosts of the proxy's own workload, which zone-aware routing needs (`SelfDiscoveryCluster`).

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use spillgate_mesh::istio::{IstioEndpoint, IstioProxy, IstioVersion};

use super::{pod::pod_of, service_input::IstioServiceInput};
use crate::{
    Affects, Diagnostic,
    mesh::{
        assemble::point_of_view::PointOfView, istio::ReadMeshConfig, kube::KubePod, kuma::socket,
        read::MeshDocuments,
    },
};

/// The labels that tell the ReplicaSets of a workload apart.
const REPLICA_SETS: [&str; 2] = ["pod-template-hash", "rollouts-pod-template-hash"];

/// The endpoints of the proxy's own workload in its region: those of the first Service that has the
/// proxy. `None` if the proxy does not learn them. Adds a limit if they are unknown.
pub(super) fn own_workload(
    documents: &MeshDocuments,
    view: &PointOfView,
    proxy: &IstioProxy,
    services: &[IstioServiceInput],
    warnings: &mut Vec<Diagnostic>,
) -> Option<Vec<IstioEndpoint>> {
    let config = documents.istio.mesh_configs.last();
    let pod = pod_of(documents, view);
    let sidecar = pod.and_then(|pod| pod.sidecar.as_ref());
    let of_mesh = config.is_some_and(|config| config.self_discovery);
    let learns = sidecar.map_or(of_mesh, |sidecar| sidecar.self_discovery);
    if documents.istio_version < IstioVersion::V1_31 {
        return None;
    }
    if !learns {
        let known = sidecar.is_some() || config.is_some();
        warnings.extend(asks(documents, config).then(|| not_enabled(known)));
        return None;
    }
    let Some(pod) = pod else {
        warnings.push(Diagnostic::limit(
            "mesh/own-workload",
            "the hosts of the proxy's own workload are unknown: showing shares without zone-aware \
             routing; --proxy with the name of a Pod knows them",
            Affects::Everything,
        ));
        return None;
    };
    let pods = documents.kube.pods.iter();
    let same = pods.filter(|other| is_same_workload(pod, other));
    let addresses: BTreeSet<&str> = same.filter_map(|pod| pod.address.as_deref()).collect();
    let own = pod.address.as_deref()?;
    let region = |locality: &str| locality.split('/').next().map(String::from);
    let is_of = |endpoint: &IstioEndpoint, address: &str| {
        let port = endpoint.host.address.rsplit(':').next();
        let port = port.and_then(|port| port.parse().ok()).unwrap_or(0);
        endpoint.host.address == socket(address, port)
    };
    let of_proxy = |service: &&IstioServiceInput| {
        service
            .endpoints
            .iter()
            .any(|endpoint| is_of(endpoint, own))
    };
    let endpoints = services.iter().find(of_proxy)?.endpoints.iter();
    let members = endpoints.filter(|endpoint| {
        let (address, _) = endpoint.host.address.rsplit_once(':').unwrap_or_default();
        addresses.contains(address.trim_matches(['[', ']']))
            && region(&endpoint.locality) == region(&proxy.locality)
    });
    Some(members.cloned().collect())
}

/// Whether two Pods are of the same workload and ReplicaSet.
fn is_same_workload(pod: &KubePod, other: &KubePod) -> bool {
    pod.meta.namespace == other.meta.namespace
        && pod.owner == other.owner
        && REPLICA_SETS
            .iter()
            .all(|label| pod.meta.label(label) == other.meta.label(label))
}

/// Whether a rule or the mesh asks for zone-aware routing.
fn asks(documents: &MeshDocuments, config: Option<&ReadMeshConfig>) -> bool {
    let rules = documents.istio.destination_rules.iter();
    let mut of_rules = rules.flat_map(|read| read.policies());
    let of_mesh = config.and_then(|read| read.config.zone_aware_lb_setting.as_ref());
    of_mesh.is_some_and(|of| of.routes())
        || of_rules.any(|part| {
            let setting = part
                .load_balancer
                .and_then(|of| of.zone_aware_lb_setting.as_ref());
            setting.is_some_and(|of| of.routes())
        })
}

/// The finding about `zoneAwareLbSetting` for proxies that do not learn the hosts of their own workload.
fn not_enabled(known: bool) -> Diagnostic {
    let expected =
        "ISTIO_META_ENABLE_SELF_DISCOVERY: \"true\" in meshConfig.defaultConfig.proxyMetadata";
    if known {
        Diagnostic::warning(
            "mesh/no-self-discovery",
            "zoneAwareLbSetting does not prefer the zone of the proxy: proxies do not know the hosts of \
             their own workload",
        )
        .expected(expected)
    } else {
        Diagnostic::limit(
            "mesh/own-workload",
            "without a MeshConfig it is unknown whether proxies know the hosts of their own workload: \
             showing shares without zone-aware routing",
            Affects::Everything,
        )
    }
}
