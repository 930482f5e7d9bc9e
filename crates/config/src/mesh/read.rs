//! From a text to the documents in it.

use alloc::vec::Vec;

use spillgate_mesh::{
    istio::{IstioGateway, IstioVersion},
    kuma::KumaGateway,
};

#[cfg(feature = "health")]
use super::kuma::{KumaHealthDocuments, read_health_policy};
#[cfg(feature = "unread")]
use super::unread::{DocumentUnread, OtherDocument, UnseenDocument, counts};
use super::{
    document::{AmbientDocument, DocumentKind as Kind, MeshDocument, SkippedDocument, sort},
    gateway_api::{GatewayApiRoute, read_route as read_gateway_api_route},
    istio::{
        IstioServiceEntry, IstioWorkload, LocatedVirtualService, ReadDestinationRule,
        ReadMeshConfig, read_config_map, read_destination_rule, read_gateway, read_mesh_config,
        read_operator, read_service_entry, read_virtual_service, read_workload_entry,
    },
    kube::{
        KubeEndpointSlice, KubeNamespace, KubeNode, KubePod, KubeService, read_endpoint_slice,
        read_namespace, read_node, read_pod, read_service,
    },
    kuma::{
        KumaDataplane, KumaMeshService, KumaMeshSettings, KumaMultiZoneService, KumaZoneAddress,
        KumaZoneEgress, KumaZoneIngress, ReadKumaPolicy, ReadKumaRoute, read_dataplane,
        read_gateway as read_mesh_gateway, read_mesh, read_mesh_service, read_multi_zone_service,
        read_policy, read_route, read_zone_address, read_zone_egress, read_zone_ingress,
    },
    object::{MeshObject, RepeatedObject},
    short::{ShortEndpoint, ShortProxy, read_short_endpoint, read_short_proxy},
};
use crate::{
    Diagnostic,
    envoy::{Format, explain_faults},
    proto::{Purpose, ReaderOptions, RegexCompiler, Report},
};

/// The documents of one or several files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshDocuments {
    /// Kuma's documents.
    pub kuma: KumaDocuments,
    /// Istio's documents.
    pub istio: IstioDocuments,
    /// The version of Istio whose rules apply; the newest one by default.
    pub istio_version: IstioVersion,
    /// Routes of the Gateway API.
    pub gateway_api: Vec<GatewayApiRoute>,
    /// Objects of Kubernetes.
    pub kube: KubeDocuments,
    /// Proxies in short form.
    pub proxies: Vec<ShortProxy>,
    /// Endpoints in short form.
    pub endpoints: Vec<ShortEndpoint>,
    /// Documents of other kinds.
    pub skipped: Vec<SkippedDocument>,
    /// Documents of Istio's ambient mode.
    pub ambient: Vec<AmbientDocument>,
    /// The objects of Kubernetes and Istio, each once.
    pub(super) objects: Vec<MeshObject>,
    /// Objects with several documents, of which the last one counts.
    pub(super) repeated: Vec<RepeatedObject>,
    /// What a comparison does not see in each document.
    #[cfg(feature = "unread")]
    pub(super) unread: Vec<DocumentUnread>,
    /// The documents of other kinds, in which a comparison sees nothing.
    #[cfg(feature = "unread")]
    pub(super) others: Vec<OtherDocument>,
    /// The documents that the proxies of a comparison may not have.
    #[cfg(feature = "unread")]
    pub(super) unseen: Vec<UnseenDocument>,
    /// Settings that are valid but have no effect or another effect than expected.
    pub warnings: Vec<Diagnostic>,
    /// Limits of simulations over time alone.
    pub over_time: Vec<Diagnostic>,
}

/// Kuma's documents, by kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaDocuments {
    /// MeshLoadBalancingStrategies.
    pub policies: Vec<ReadKumaPolicy>,
    /// MeshHTTPRoutes and MeshTCPRoutes.
    pub routes: Vec<ReadKumaRoute>,
    /// Meshes.
    pub meshes: Vec<KumaMeshSettings>,
    /// Dataplanes.
    pub dataplanes: Vec<KumaDataplane>,
    /// ZoneIngresses.
    pub zone_ingresses: Vec<KumaZoneIngress>,
    /// MeshZoneAddresses.
    pub zone_addresses: Vec<KumaZoneAddress>,
    /// ZoneEgresses.
    pub zone_egresses: Vec<KumaZoneEgress>,
    /// MeshGateways.
    pub gateways: Vec<KumaGateway>,
    /// MeshServices.
    pub mesh_services: Vec<KumaMeshService>,
    /// MeshMultiZoneServices.
    pub multi_zone_services: Vec<KumaMultiZoneService>,
    /// The policies that decide what happens over time.
    #[cfg(feature = "health")]
    pub health: KumaHealthDocuments,
}

/// Istio's documents, by kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IstioDocuments {
    /// DestinationRules.
    pub destination_rules: Vec<ReadDestinationRule>,
    /// MeshConfigs; the last one applies.
    pub mesh_configs: Vec<ReadMeshConfig>,
    /// ServiceEntries.
    pub service_entries: Vec<IstioServiceEntry>,
    /// WorkloadEntries.
    pub workload_entries: Vec<IstioWorkload>,
    /// VirtualServices.
    pub virtual_services: Vec<LocatedVirtualService>,
    /// Gateways.
    pub gateways: Vec<IstioGateway>,
}

/// Objects of Kubernetes, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KubeDocuments {
    /// Services.
    pub services: Vec<KubeService>,
    /// EndpointSlices.
    pub endpoint_slices: Vec<KubeEndpointSlice>,
    /// Pods.
    pub pods: Vec<KubePod>,
    /// Nodes.
    pub nodes: Vec<KubeNode>,
    /// Namespaces.
    pub namespaces: Vec<KubeNamespace>,
}

/// Reads the documents of a file: one document, several YAML documents, or lists of them. `file` is
/// the number of the file in the places of the documents. Documents of other kinds are listed and
/// skipped.
///
/// # Errors
/// Every fault in text order; for a syntax error only that one.
///
/// # Examples
/// ```
/// use spillgate_config::{envoy::Format, mesh::read};
///
/// let text = "
/// type: MeshLoadBalancingStrategy
/// name: local
/// mesh: default
/// spec:
///   to:
///   - targetRef: {kind: Mesh}
///     default: {localityAwareness: {disabled: false}}
/// ---
/// kind: Deployment
/// ";
/// let documents = read(text, Format::Yaml, 0)?;
/// assert_eq!(documents.kuma.policies[0].policy.meta.name, "local");
/// assert_eq!(documents.skipped[0].kind, "Deployment");
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read(text: &str, format: Format, file: usize) -> Result<MeshDocuments, Vec<Diagnostic>> {
    read_text(text, format, file, None).documents
}

/// A text, read as documents of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadMeshText {
    /// Whether it contains documents of a service mesh. Other texts can be documents of another kind,
    /// or the objects that meshes share with others, such as Pods.
    pub is_mesh: bool,
    /// Its documents, or every fault.
    pub documents: Result<MeshDocuments, Vec<Diagnostic>>,
}

/// Reads a text as [`read`] does, and recognizes whether it is one of a mesh. Without a compiler,
/// conditions with regular expressions are not converted.
#[must_use]
pub fn read_text(
    text: &str,
    format: Format,
    file: usize,
    regex: Option<RegexCompiler>,
) -> ReadMeshText {
    let mut is_mesh = false;
    let report = Report::new(ReaderOptions {
        purpose: Purpose::default(),
        regex,
        for_grpc: false,
    });
    let documents = read_documents(text, format, file, report, &mut is_mesh)
        .map_err(|faults| explain_faults(text, faults));
    ReadMeshText { is_mesh, documents }
}

fn read_documents(
    text: &str,
    format: Format,
    file: usize,
    mut report: Report,
    is_mesh: &mut bool,
) -> Result<MeshDocuments, Vec<Diagnostic>> {
    let format = match format {
        // The tools of the meshes convert YAML to JSON.
        Format::Yaml | Format::YamlAsJson => Format::YamlAsJson,
        other => other,
    };
    let parsed = format.parse(text).map_err(|fault| Vec::from([fault]))?;
    report.doubt_all(parsed.warnings);
    #[cfg(feature = "unread")]
    report.collect_notes(counts);
    let sorted = sort(&parsed.roots, file, &mut report);
    *is_mesh = sorted.documents.iter().any(MeshDocument::is_mesh);
    let mut documents = MeshDocuments {
        skipped: sorted.skipped,
        ambient: sorted.ambient,
        #[cfg(feature = "unread")]
        others: sorted
            .others
            .iter()
            .filter_map(|(node, kind)| OtherDocument::of(node, kind))
            .collect(),
        ..MeshDocuments::default()
    };
    for document in &sorted.documents {
        documents.objects.extend(MeshObject::of(document));
        documents.add(document, &mut report);
        #[cfg(feature = "unread")]
        documents.add_unread(document, &mut report);
    }
    documents.keep_last();
    report.hide_secrets(&parsed.roots);
    documents.over_time = report.take_over_time();
    documents.warnings = report.finish()?;
    Ok(documents)
}

impl MeshDocuments {
    /// Whether there are only documents of other kinds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kuma == KumaDocuments::default()
            && self.istio == IstioDocuments::default()
            && self.kube == KubeDocuments::default()
            && self.gateway_api.is_empty()
            && self.proxies.is_empty()
            && self.endpoints.is_empty()
    }

    /// Adds the documents of another file, which replace those of the same objects. The version of Istio
    /// remains.
    pub fn append(&mut self, mut other: Self) {
        let (kuma, more) = (&mut self.kuma, &mut other.kuma);
        kuma.policies.append(&mut more.policies);
        kuma.routes.append(&mut more.routes);
        kuma.meshes.append(&mut more.meshes);
        kuma.dataplanes.append(&mut more.dataplanes);
        kuma.zone_ingresses.append(&mut more.zone_ingresses);
        kuma.zone_addresses.append(&mut more.zone_addresses);
        kuma.zone_egresses.append(&mut more.zone_egresses);
        kuma.gateways.append(&mut more.gateways);
        kuma.mesh_services.append(&mut more.mesh_services);
        kuma.multi_zone_services
            .append(&mut more.multi_zone_services);
        #[cfg(feature = "health")]
        kuma.health.append(&mut more.health);
        let (istio, more) = (&mut self.istio, &mut other.istio);
        istio.destination_rules.append(&mut more.destination_rules);
        istio.mesh_configs.append(&mut more.mesh_configs);
        istio.service_entries.append(&mut more.service_entries);
        istio.workload_entries.append(&mut more.workload_entries);
        istio.virtual_services.append(&mut more.virtual_services);
        istio.gateways.append(&mut more.gateways);
        self.gateway_api.append(&mut other.gateway_api);
        let (kube, more) = (&mut self.kube, &mut other.kube);
        kube.services.append(&mut more.services);
        kube.endpoint_slices.append(&mut more.endpoint_slices);
        kube.pods.append(&mut more.pods);
        kube.nodes.append(&mut more.nodes);
        kube.namespaces.append(&mut more.namespaces);
        self.proxies.append(&mut other.proxies);
        self.endpoints.append(&mut other.endpoints);
        self.skipped.append(&mut other.skipped);
        self.ambient.append(&mut other.ambient);
        self.warnings.append(&mut other.warnings);
        self.over_time.append(&mut other.over_time);
        self.repeated.append(&mut other.repeated);
        self.objects.append(&mut other.objects);
        #[cfg(feature = "unread")]
        self.unread.append(&mut other.unread);
        #[cfg(feature = "unread")]
        self.others.append(&mut other.others);
        #[cfg(feature = "unread")]
        self.unseen.append(&mut other.unseen);
        self.keep_last();
    }

    #[cfg(feature = "unread")]
    fn add_unread(&mut self, document: &MeshDocument<'_, '_>, report: &mut Report) {
        let notes = report.take_notes();
        self.unseen.extend(UnseenDocument::of(document));
        match DocumentUnread::whole(document) {
            Some(other) => self.others.push(other),
            None => self.unread.push(DocumentUnread::of(document, &notes)),
        }
    }

    fn add(&mut self, document: &MeshDocument<'_, '_>, report: &mut Report) {
        let (kuma, istio, kube) = (&mut self.kuma, &mut self.istio, &mut self.kube);
        let (kind, from) = (document.kind, document);
        match kind {
            Kind::LoadBalancingStrategy => kuma.policies.extend(read_policy(from, report)),
            Kind::KumaMesh => kuma.meshes.extend(read_mesh(from, report)),
            Kind::Dataplane => kuma.dataplanes.extend(read_dataplane(from, report)),
            Kind::ZoneIngress => kuma.zone_ingresses.extend(read_zone_ingress(from, report)),
            Kind::MeshZoneAddress => kuma.zone_addresses.extend(read_zone_address(from, report)),
            Kind::ZoneEgress => kuma.zone_egresses.extend(read_zone_egress(from, report)),
            Kind::MeshGateway => kuma.gateways.extend(read_mesh_gateway(from, report)),
            Kind::MeshService => kuma.mesh_services.extend(read_mesh_service(from, report)),
            Kind::MeshMultiZoneService => {
                let read = read_multi_zone_service(from, report);
                kuma.multi_zone_services.extend(read);
            }
            Kind::MeshHttpRoute | Kind::MeshTcpRoute => {
                kuma.routes.extend(read_route(from, report));
            }
            #[cfg(feature = "health")]
            Kind::MeshHealthCheck
            | Kind::MeshCircuitBreaker
            | Kind::MeshRetry
            | Kind::MeshTimeout => read_health_policy(from, &mut kuma.health, report),
            Kind::DestinationRule => {
                let read = read_destination_rule(from, report);
                istio.destination_rules.extend(read);
            }
            Kind::MeshConfig => istio.mesh_configs.extend(read_mesh_config(from, report)),
            Kind::IstioOperator => istio.mesh_configs.extend(read_operator(from, report)),
            Kind::ConfigMap => istio.mesh_configs.extend(read_config_map(from, report)),
            Kind::ServiceEntry => istio
                .service_entries
                .extend(read_service_entry(from, report)),
            Kind::WorkloadEntry => {
                istio
                    .workload_entries
                    .extend(read_workload_entry(from, report));
            }
            Kind::VirtualService => {
                istio
                    .virtual_services
                    .extend(read_virtual_service(from, report));
            }
            Kind::IstioGateway => istio.gateways.extend(read_gateway(from, report)),
            Kind::HttpRoute | Kind::GrpcRoute => {
                self.gateway_api
                    .extend(read_gateway_api_route(from, report));
            }
            Kind::KubeService => kube.services.extend(read_service(from, report)),
            Kind::EndpointSlice => kube
                .endpoint_slices
                .extend(read_endpoint_slice(from, report)),
            Kind::Pod => kube.pods.extend(read_pod(from, report)),
            Kind::KubeNode => kube.nodes.extend(read_node(from, report)),
            Kind::Namespace => kube.namespaces.extend(read_namespace(from, report)),
            Kind::ShortProxy => self.proxies.extend(read_short_proxy(from, report)),
            Kind::ShortEndpoint => self.endpoints.extend(read_short_endpoint(from, report)),
        }
    }
}
