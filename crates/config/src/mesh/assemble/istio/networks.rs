//! Networks of endpoints and proxies, and their gateways.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_mesh::istio::{
    IstioNetworkGateway, IstioNetworkGateways, IstioProxy, NETWORK_LABEL, kube_host,
};

use super::{locality::zone_of, service_input::IstioServiceInput};
use crate::{
    Affects, Diagnostic,
    mesh::{
        istio::ReadMeshConfig,
        kube::{KubePod, KubeService},
        read::MeshDocuments,
    },
    node::quote,
};

/// The label with the kind of TLS that the proxy of a workload accepts.
pub(super) const TLS_MODE: &str = "security.istio.io/tlsMode";
/// Its value for mutual TLS.
pub(super) const MUTUAL: &str = "istio";

/// Whether the proxy of a Pod accepts mutual TLS: its label says so, which Istio sets on each Pod to
/// which it adds a proxy.
pub(super) fn accepts_mtls(pod: &KubePod) -> bool {
    match pod.meta.label(TLS_MODE) {
        Some(mode) => mode == MUTUAL,
        None => pod.sidecar.is_some(),
    }
}

/// Adds the network of the cluster to labels without one: that of the namespace of Istio.
pub(super) fn add_default(
    documents: &MeshDocuments,
    root_namespace: &str,
    services: &mut [IstioServiceInput],
    proxy: &mut IstioProxy,
) {
    let mut namespaces = documents.kube.namespaces.iter();
    let system = namespaces.find(|known| known.meta.name == root_namespace);
    let Some(network) = system.and_then(|known| known.meta.label(NETWORK_LABEL)) else {
        return;
    };
    let endpoints = services.iter_mut().flat_map(|of| &mut of.endpoints);
    let labels = endpoints.map(|endpoint| &mut endpoint.labels);
    for labels in labels.chain([&mut proxy.labels]) {
        labels
            .entry(NETWORK_LABEL.into())
            .or_insert_with(|| network.into());
    }
}

/// Adds the network of a zone to a proxy that is known by its zone only: that of all endpoints there.
///
/// # Errors
/// The names, if the zone has several networks.
pub(super) fn add_of_zone(
    services: &[IstioServiceInput],
    proxy: &mut IstioProxy,
) -> Result<(), Vec<String>> {
    if proxy.labels.contains_key(NETWORK_LABEL) {
        return Ok(());
    }
    let place = |locality: &str| {
        (
            locality.split('/').next().map(String::from),
            String::from(zone_of(locality)),
        )
    };
    let own = place(&proxy.locality);
    let endpoints = services.iter().flat_map(|of| &of.endpoints);
    let near = endpoints.filter(|endpoint| place(&endpoint.locality) == own);
    let networks: BTreeSet<&String> = near
        .filter_map(|endpoint| endpoint.labels.get(NETWORK_LABEL))
        .collect();
    let mut names: Vec<String> = networks.into_iter().cloned().collect();
    if names.len() > 1 {
        return Err(names);
    }
    if let Some(only) = names.pop() {
        proxy.labels.insert(NETWORK_LABEL.into(), only);
    }
    Ok(())
}

/// The gateways of `meshNetworks`, and those that are Services with the label of a network.
pub(super) fn gateways(
    documents: &MeshDocuments,
    config: Option<&ReadMeshConfig>,
) -> IstioNetworkGateways {
    /// The default port for mutual TLS.
    const PORT: u16 = 15_443;
    let mut found = IstioNetworkGateways::default();
    let services = &documents.kube.services;
    for service in services {
        let Some(network) = service.meta.label(NETWORK_LABEL) else {
            continue;
        };
        let port = service.meta.label("networking.istio.io/gatewayPort");
        let port = port.and_then(|port| port.parse().ok()).unwrap_or(PORT);
        if service.ports.iter().any(|known| known.port == port) {
            add_service(network, service, port, &mut found);
        }
    }
    for network in config.iter().flat_map(|read| &read.networks) {
        for gateway in &network.gateways {
            if !gateway.is_service {
                let gateway = IstioNetworkGateway {
                    address: gateway.address.clone(),
                    port: gateway.port,
                    of_cluster: false,
                };
                found.add(&network.name, gateway);
                continue;
            }
            let named = services.iter().filter(|of| {
                let meta = &of.meta;
                gateway.address == kube_host(&meta.name, &meta.namespace)
            });
            for service in named {
                add_service(&network.name, service, gateway.port, &mut found);
            }
        }
    }
    found
}

fn add_service(network: &str, service: &KubeService, port: u16, found: &mut IstioNetworkGateways) {
    for address in &service.external_addresses {
        let gateway = IstioNetworkGateway {
            address: address.clone(),
            port,
            of_cluster: true,
        };
        found.add(network, gateway);
    }
}

/// What the figures of several networks leave open.
pub(super) fn network_limits(
    proxy: &IstioProxy,
    services: &[IstioServiceInput],
    gateways: &IstioNetworkGateways,
    config: Option<&ReadMeshConfig>,
) -> Vec<Diagnostic> {
    let limit = |text: String| Diagnostic::limit("mesh/networks", text, Affects::Everything);
    let own = proxy.labels.get(NETWORK_LABEL).map_or("", String::as_str);
    let endpoints = || services.iter().flat_map(|service| &service.endpoints);
    let networks = endpoints().filter_map(|endpoint| endpoint.labels.get(NETWORK_LABEL));
    let others: BTreeSet<&str> = networks
        .map(String::as_str)
        .filter(|name| *name != own)
        .collect();
    let mut found = Vec::new();
    let closed: Vec<&str> = others.into_iter().filter(|of| !gateways.has(of)).collect();
    if !closed.is_empty() && !own.is_empty() {
        let text = "no document has a gateway of a network: showing its endpoints, which Istio then \
                    reaches directly";
        let networks = format!("{}, seen from {}", closed.join(", "), quote(own));
        found.push(limit(text.into()).found(networks));
    }
    let is_ipv6 = |address: &str| address.contains(':');
    let is_ipv4 = |address: &str| address.bytes().all(|b| b == b'.' || b.is_ascii_digit());
    let name = |address: &&str| !is_ipv6(address) && !is_ipv4(address);
    if let Some(name) = gateways.addresses().find(name) {
        let text = "Istio resolves the name of a gateway: each of its addresses is a host";
        found.push(limit(text.into()).found(name));
    }
    if let Some(address) = gateways.addresses().find(|address| is_ipv6(address)) {
        let text =
            "since Istio 1.30, proxies use only gateways of their own IP version; showing all";
        found.push(limit(text.into()).found(address));
    }
    let selects = config.is_some_and(|read| read.networks.iter().any(|of| of.selects));
    let unknown = endpoints().any(|endpoint| !endpoint.labels.contains_key(NETWORK_LABEL));
    if selects && unknown {
        let text = "meshNetworks selects endpoints by registry or address, which is not modeled: the \
                    network of those without the label topology.istio.io/network is unknown";
        found.push(limit(text.into()));
    }
    found
}

/// The limit of a zone with several networks.
pub(super) fn several_networks(zone: &str, names: &[String]) -> Diagnostic {
    let text = format!(
        "the network of a proxy in {} is unknown; showing endpoints of all networks without their \
         gateways",
        quote(zone)
    );
    let limit = Diagnostic::limit("mesh/networks", text, Affects::Everything);
    limit.found(names.join(", "))
}
