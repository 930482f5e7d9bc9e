//! What a proxy of Istio receives, before the settings apply.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_core::order;
use spillgate_mesh::istio::{
    IstioDestinationRule, IstioMeshConfig, IstioProxy, IstioVersion, IstioVirtualService,
};

use super::{
    locality::{NETWORK, localities},
    proxy::proxy_of,
    service_entries,
    service_input::IstioServiceInput,
    services,
    sources::merged,
};
use crate::{
    Affects, Diagnostic,
    mesh::{assemble::point_of_view::PointOfView, istio::ReadMeshConfig, read::MeshDocuments},
    node::quote,
};

/// What one proxy of Istio receives.
#[derive(Debug, Clone, PartialEq)]
pub struct IstioInputs {
    /// The version of Istio.
    pub version: IstioVersion,
    /// The proxy.
    pub proxy: IstioProxy,
    /// The services, one for each host and port, by cluster name.
    pub services: Vec<IstioServiceInput>,
    /// The localities of endpoints, Pods, Nodes and workloads, whether or not they are ready.
    pub localities: BTreeSet<String>,
    /// The DestinationRules, in document order.
    pub rules: Vec<IstioDestinationRule>,
    /// The MeshConfig; without one, Istio's defaults.
    pub mesh: IstioMeshConfig,
    /// The namespace whose rules apply to all others.
    pub root_namespace: String,
    /// The VirtualServices, in document order.
    pub virtual_services: Vec<IstioVirtualService>,
    /// Warnings about missing documents.
    pub warnings: Vec<Diagnostic>,
}

impl IstioInputs {
    /// Collects what a proxy receives.
    ///
    /// # Errors
    /// If the documents do not contain the proxy, or the zone is unknown or ambiguous.
    #[allow(clippy::result_large_err, reason = "called once")]
    pub fn new(documents: &MeshDocuments, view: &PointOfView) -> Result<Self, Diagnostic> {
        let mut warnings = Vec::new();
        let mut services = services::services(documents);
        services.extend(service_entries::services(documents));
        let short = services::short(documents, &services);
        services.extend(short);
        let localities = localities(documents, &services);
        let proxy = proxy_of(documents, &localities, view)?;
        services.retain(|of| of.service.is_exported_to(&proxy.namespace));
        let services = merged(services, &mut warnings);
        let services = order::sorted(services, |a, b| a.cluster.cmp(&b.cluster));
        let istio = &documents.istio;
        let config = istio.mesh_configs.last();
        if services.iter().all(|service| service.endpoints.is_empty()) {
            warnings.push(
                Diagnostic::warning("mesh/no-destinations", "no destination has endpoints")
                    .expected(
                        "Services with EndpointSlices or Pods, ServiceEntries, or endpoints \
                         {address, locality, labels}",
                    ),
            );
        }
        warnings.extend(networks(&proxy, &services, config));
        Ok(Self {
            version: documents.istio_version,
            proxy,
            localities,
            services,
            rules: istio
                .destination_rules
                .iter()
                .map(|read| read.rule.clone())
                .collect(),
            mesh: config.map_or_else(IstioMeshConfig::default, |read| read.config.clone()),
            root_namespace: config
                .map_or("istio-system", |read| read.root_namespace.as_str())
                .into(),
            virtual_services: istio
                .virtual_services
                .iter()
                .map(|read| read.service.clone())
                .collect(),
            warnings,
        })
    }
}

/// The limit of endpoints in other networks than the proxy: it reaches them through gateways, whose
/// addresses and weights replace theirs (`EndpointsByNetworkFilter`).
fn networks(
    proxy: &IstioProxy,
    services: &[IstioServiceInput],
    config: Option<&ReadMeshConfig>,
) -> Option<Diagnostic> {
    let own = proxy.labels.get(NETWORK).map_or("", String::as_str);
    let endpoints = services.iter().flat_map(|service| &service.endpoints);
    let networks = endpoints.filter_map(|endpoint| endpoint.labels.get(NETWORK));
    let others: BTreeSet<&str> = networks
        .map(String::as_str)
        .filter(|name| *name != own)
        .collect();
    let declared = config.is_some_and(|read| read.has_networks);
    // An endpoint or a proxy without a network counts as one of every network.
    let separate = !own.is_empty() && !others.is_empty();
    if !(separate || declared || others.len() > 1) {
        return None;
    }
    let limit = Diagnostic::limit(
        "mesh/networks",
        "several networks are not modeled; Istio replaces endpoints of other networks by their \
         gateways, with other weights",
        Affects::Everything,
    );
    let others: Vec<&str> = others.into_iter().collect();
    Some(match others.as_slice() {
        [] => limit,
        others => limit.found(format!("{}, seen from {}", others.join(", "), quote(own))),
    })
}
