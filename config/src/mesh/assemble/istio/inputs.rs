//! What a proxy of Istio receives, before the settings apply.

use alloc::{string::String, vec::Vec};

use spillgate_core::order;
use spillgate_mesh::istio::{
    IstioDestinationRule, IstioMeshConfig, IstioProxy, IstioVirtualService,
};

use super::{proxy::proxy_of, service_entries, service_input::IstioServiceInput, services};
use crate::{
    Diagnostic,
    mesh::{assemble::point_of_view::PointOfView, read::MeshDocuments},
};

/// What one proxy of Istio receives.
#[derive(Debug, Clone, PartialEq)]
pub struct IstioInputs {
    /// The proxy.
    pub proxy: IstioProxy,
    /// The services, one for each host and port, by cluster name.
    pub services: Vec<IstioServiceInput>,
    /// The DestinationRules, in document order.
    pub rules: Vec<IstioDestinationRule>,
    /// The MeshConfig; Istio's defaults if there is none.
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
        let mut services = services::services(documents);
        services.extend(service_entries::services(documents));
        let short = services::short(documents, &services);
        services.extend(short);
        let services = order::sorted(services, |a, b| a.cluster.cmp(&b.cluster));
        let istio = &documents.istio;
        let config = istio.mesh_configs.last();
        let mut warnings = Vec::new();
        if services.iter().all(|service| service.endpoints.is_empty()) {
            warnings.push(
                Diagnostic::warning("mesh/no-destinations", "no destination has endpoints")
                    .expected(
                        "Services with EndpointSlices or Pods, ServiceEntries, or endpoints \
                         {address, locality, labels}",
                    ),
            );
        }
        Ok(Self {
            proxy: proxy_of(documents, &services, view)?,
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
