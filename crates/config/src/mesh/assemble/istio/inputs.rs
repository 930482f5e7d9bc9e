//! What a proxy of Istio receives, before the settings apply.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use spillgate_core::order;
use spillgate_mesh::istio::{
    IstioDestinationRule, IstioEndpoint, IstioGateway, IstioMeshConfig, IstioNetworkGateways,
    IstioProxy, IstioVersion, IstioVirtualService,
};

use super::{
    aliases::add_aliases,
    ambient, gateway_api,
    gateways::gateways_of,
    locality::localities,
    missing, networks,
    proxy::proxy_of,
    self_discovery::own_workload,
    service_entries,
    service_input::IstioServiceInput,
    services,
    sources::merged,
    zone_view::{open_sub_zone, unknown_proxy},
};
use crate::{
    Diagnostic,
    mesh::{assemble::point_of_view::PointOfView, read::MeshDocuments},
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
    /// The endpoints of the proxy's own workload, if the proxy learns them: Envoy's local cluster.
    pub own_workload: Option<Vec<IstioEndpoint>>,
    /// The gateways of networks.
    pub network_gateways: IstioNetworkGateways,
    /// The VirtualServices, in document order, then the routes of the Gateway API.
    pub virtual_services: Vec<IstioVirtualService>,
    /// The Gateways of the proxy, oldest first; empty for a sidecar.
    pub gateways: Vec<IstioGateway>,
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
        add_aliases(documents, &mut services);
        let localities = localities(documents, &services);
        let mut proxy = proxy_of(documents, &localities, view)?;
        if let Some(fault) = ambient::ambient_proxy(documents, view) {
            return Err(fault);
        }
        warnings.extend(ambient::limit(documents));
        warnings.extend(missing::limits(documents));
        let istio = &documents.istio;
        let config = istio.mesh_configs.last();
        let root_namespace = config.map_or("istio-system", |read| read.root_namespace.as_str());
        if matches!(view, PointOfView::Zone(_)) {
            let open = unknown_proxy(documents, &services, config, root_namespace);
            warnings.extend(open);
            warnings.extend(open_sub_zone(documents, &services, &proxy, &localities));
        }
        services.retain(|of| of.service.is_exported_to(&proxy.namespace));
        let mut services = merged(services, &mut warnings);
        services.iter_mut().for_each(IstioServiceInput::drain);
        let mut services = order::sorted(services, |a, b| a.cluster.cmp(&b.cluster));
        if services.iter().all(|service| service.endpoints.is_empty()) {
            warnings.push(
                Diagnostic::warning("mesh/no-destinations", "no destination has endpoints")
                    .expected(
                        "Services with EndpointSlices or Pods, ServiceEntries, or endpoints \
                         {address, locality, labels}",
                    ),
            );
        }
        networks::add_default(documents, root_namespace, &mut services, &mut proxy);
        let mut network_gateways = networks::gateways(documents, config);
        if matches!(view, PointOfView::Zone(_))
            && let Err(names) = networks::add_of_zone(&services, &mut proxy)
        {
            warnings.push(networks::several_networks(&proxy.locality, &names));
            network_gateways = IstioNetworkGateways::default();
        } else {
            let found = networks::network_limits(&proxy, &services, &network_gateways, config);
            warnings.extend(found);
        }
        let own_workload = own_workload(documents, view, &proxy, &services, &mut warnings);
        let read = istio.virtual_services.iter();
        let mut virtual_services: Vec<_> = read.map(|read| read.service.clone()).collect();
        virtual_services.extend(gateway_api::virtual_services(documents, &mut warnings));
        let gateways = gateways_of(documents, view, &proxy, &mut warnings);
        Ok(Self {
            own_workload,
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
            root_namespace: root_namespace.into(),
            network_gateways,
            virtual_services,
            gateways,
            warnings,
        })
    }
}
