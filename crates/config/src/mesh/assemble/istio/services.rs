//! The services of Kubernetes, and endpoints in short form.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use spillgate_mesh::istio::{IstioEndpoint, IstioResolution, IstioService, kube_host};

use super::{
    distribution::distribution,
    endpoints::of_service,
    locality::augmented,
    service_input::{IstioProtocol, IstioServiceInput, cluster_name, is_http2},
};
use crate::mesh::{document::ResourceMeta, read::MeshDocuments};

/// The host of endpoints in short form if neither they nor a DestinationRule name one.
const UNNAMED: &str = "service";

/// One service for each port of each Kubernetes Service.
pub(super) fn services(documents: &MeshDocuments) -> Vec<IstioServiceInput> {
    let mut services = Vec::new();
    for service in &documents.kube.services {
        let meta = &service.meta;
        let host = kube_host(&meta.name, &meta.namespace);
        let istio = IstioService {
            host: host.clone(),
            namespace: meta.namespace.clone(),
            selector: service.selector.clone(),
            traffic_distribution: distribution(
                service.traffic_distribution.as_deref(),
                meta,
                documents,
            ),
            resolution: if service.headless || service.external_name.is_some() {
                IstioResolution::Passthrough
            } else {
                IstioResolution::Static
            },
            export_to: exports(meta.annotation(EXPORT_TO).unwrap_or_default()),
            node_local: service.node_local,
            keeps_sessions: keeps_sessions(meta),
            target_ports: BTreeMap::new(),
        };
        for port in &service.ports {
            services.push(IstioServiceInput {
                aliases: Vec::new(),
                cluster: cluster_name(&host, port.port, None),
                port: port.port,
                port_name: port.name.clone().unwrap_or_default(),
                is_http2: is_http2(
                    port.app_protocol.as_deref(),
                    port.name.as_deref().unwrap_or_default(),
                ),
                protocol: IstioProtocol::of_port(
                    port.app_protocol.as_deref(),
                    port.name.as_deref().unwrap_or_default(),
                ),
                endpoints: of_service(service, &istio, port, documents),
                service: istio.clone(),
            });
        }
    }
    services
}

/// The annotation of a Service with the namespaces that see it.
const EXPORT_TO: &str = "networking.istio.io/exportTo";

/// Whether Envoy receives draining endpoints of a service: a label asks for sessions by cookie. That for
/// sessions by header marks them as draining, but `filterIstioEndpoint` removes them.
pub(super) fn keeps_sessions(meta: &ResourceMeta) -> bool {
    let label = meta.label("istio.io/persistent-session");
    label.is_some_and(|value| !value.is_empty())
}

/// The namespaces in a list with commas.
fn exports(list: &str) -> BTreeSet<String> {
    let names = list.split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(String::from)
        .collect()
}

/// The services of endpoints in short form, by name. Endpoints without a service belong to the host
/// of every DestinationRule.
pub(super) fn short(
    documents: &MeshDocuments,
    known: &[IstioServiceInput],
) -> Vec<IstioServiceInput> {
    let mut hosts: BTreeMap<String, Vec<IstioEndpoint>> = BTreeMap::new();
    let (named, unnamed): (Vec<_>, Vec<_>) = documents
        .endpoints
        .iter()
        .partition(|endpoint| !endpoint.service.is_empty());
    for endpoint in named {
        let endpoints = hosts.entry(endpoint.service.clone()).or_default();
        endpoints.push(augment(endpoint.as_istio()));
    }
    if !unnamed.is_empty() {
        for read in &documents.istio.destination_rules {
            if known
                .iter()
                .all(|service| service.service.host != read.rule.host)
            {
                hosts.entry(read.rule.host.clone()).or_default();
            }
        }
        if hosts.is_empty() {
            hosts.insert(UNNAMED.into(), Vec::new());
        }
        for endpoint in unnamed {
            for endpoints in hosts.values_mut() {
                endpoints.push(augment(endpoint.as_istio()));
            }
        }
    }
    hosts
        .into_iter()
        .map(|(host, endpoints)| {
            let port = endpoints
                .first()
                .and_then(|endpoint| {
                    let (_, port) = endpoint.host.address.rsplit_once(':')?;
                    port.parse().ok()
                })
                .unwrap_or(80);
            IstioServiceInput {
                aliases: Vec::new(),
                cluster: cluster_name(&host, port, None),
                port,
                port_name: String::new(),
                is_http2: false,
                protocol: IstioProtocol::Detected,
                endpoints,
                service: IstioService {
                    namespace: namespace_of(&host, documents).into(),
                    host,
                    ..IstioService::default()
                },
            }
        })
        .collect()
}

/// The namespace of a host in short form: that in NAME.NAMESPACE.svc.cluster.local, else that of the
/// first DestinationRule with this host.
fn namespace_of<'d>(host: &'d str, documents: &'d MeshDocuments) -> &'d str {
    let mut parts = host.split('.').skip(1);
    if let (Some(namespace), Some("svc")) = (parts.next(), parts.next()) {
        return namespace;
    }
    let mut rules = documents.istio.destination_rules.iter();
    rules
        .find(|read| read.rule.host == host)
        .map_or("default", |read| &read.rule.namespace)
}

fn augment(mut endpoint: IstioEndpoint) -> IstioEndpoint {
    endpoint.labels = augmented(&endpoint.labels, &endpoint.locality, "", "");
    endpoint
}
