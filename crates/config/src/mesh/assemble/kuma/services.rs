//! Destinations that are MeshServices and MeshMultiZoneServices.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_mesh::{
    MeshHost,
    kuma::{KumaDestination, KumaDestinationKind, KumaEndpoint},
};

use super::{
    pod::contains,
    protocol::{KumaProtocol, PROTOCOL_TAG},
    sources::{KumaDestinationInput, Sources},
};
use crate::mesh::{
    document::ResourceMeta,
    kuma::{
        DataplaneInbound, KumaDataplane, KumaMeshService, KumaMultiZoneService, MeshServicePort,
        MeshServiceSelector, SERVICE_TAG, ZONE_TAG,
    },
    port::TargetPort,
    value::TextMap,
};

/// Whether a protocol is one of HTTP (`IsHTTPBased`).
pub(super) fn is_http(protocol: &str) -> bool {
    ["http", "http2", "grpc"].contains(&protocol)
}

/// One destination for each port of each service.
pub(super) fn destinations(sources: &Sources<'_>) -> Vec<KumaDestinationInput> {
    let kuma = &sources.documents.kuma;
    let services = kuma.mesh_services.iter();
    let services: Vec<_> = services
        .filter(|service| service.meta.mesh == sources.mesh)
        .collect();
    let mut views = Vec::new();
    for service in &services {
        for port in &service.ports {
            views.push(mesh_service(sources, service, port));
        }
    }
    for service in &kuma.multi_zone_services {
        if service.meta.mesh == sources.mesh {
            for port in &service.ports {
                views.push(multi_zone(sources, service, port, &services));
            }
        }
    }
    views
}

fn mesh_service(
    sources: &Sources<'_>,
    service: &KumaMeshService,
    port: &MeshServicePort,
) -> KumaDestinationInput {
    let tags = match &service.selector {
        MeshServiceSelector::Tags(tags) => tags.clone(),
        _ => TextMap::new(),
    };
    KumaDestinationInput {
        cluster: cluster_name(&service.meta, "msvc", port.port),
        destination: KumaDestination {
            kind: KumaDestinationKind::MeshService,
            meta: service.meta.clone().into_kuma(),
            section_name: Some(port.section_name()),
            port: port.port.into(),
            tags,
            http: port.app_protocol.as_deref().map(is_http),
        },
        endpoints: endpoints(sources, service, port),
        prefers_local_zone: true,
        protocol: port.app_protocol.as_deref().map(KumaProtocol::named),
    }
}

/// The endpoints of a MeshService: its proxies in the zone of the caller, the zone ingresses of its
/// zone otherwise. Without a ZoneIngress document of that zone, its proxies.
fn endpoints(
    sources: &Sources<'_>,
    service: &KumaMeshService,
    port: &MeshServicePort,
) -> Vec<KumaEndpoint> {
    if let Some(zone) = service.zone().filter(|zone| *zone != sources.zone)
        && let Some(addresses) = addresses_of(sources, zone)
    {
        let name = cluster_name(&service.meta, "msvc", port.port);
        return addresses
            .into_iter()
            .map(|address| KumaEndpoint {
                tags: TextMap::from([(SERVICE_TAG.into(), name.clone())]),
                ..KumaEndpoint::new(address.as_str(), zone)
            })
            .collect();
    }
    let mut endpoints = Vec::new();
    for dataplane in &sources.dataplanes {
        if !selected(dataplane, service) || !same_zone(dataplane, service) {
            continue;
        }
        for inbound in dataplane.inbounds.iter().filter(|inbound| inbound.ready) {
            let served = match &port.target {
                TargetPort::Number(number) => *number == inbound.port,
                TargetPort::Name(name) => inbound.name.as_ref() == Some(name),
            };
            if served {
                endpoints.push(endpoint_of(dataplane, inbound));
            }
        }
    }
    endpoints
}

/// The addresses of another zone: those of its MeshZoneAddresses, else of its ZoneIngresses; `None`
/// without any of them.
fn addresses_of<'d>(sources: &Sources<'d>, zone: &str) -> Option<BTreeSet<&'d String>> {
    let kuma = &sources.documents.kuma;
    let own = kuma
        .zone_addresses
        .iter()
        .filter(|of| of.meta.mesh == sources.mesh && of.meta.label(ZONE_TAG) == Some(zone));
    let own: BTreeSet<&String> = own.map(|of| &of.address).collect();
    if !own.is_empty() {
        return Some(own);
    }
    let ingresses = kuma.zone_ingresses.iter();
    let mut ingresses = ingresses.filter(|of| of.zone == zone).peekable();
    ingresses.peek()?;
    Some(ingresses.filter_map(|of| of.address.as_ref()).collect())
}

fn same_zone(dataplane: &KumaDataplane, service: &KumaMeshService) -> bool {
    match (dataplane.zone(), service.zone()) {
        (Some(own), Some(zone)) => own == zone,
        _ => true,
    }
}

fn selected(dataplane: &KumaDataplane, service: &KumaMeshService) -> bool {
    match &service.selector {
        MeshServiceSelector::Nothing => false,
        MeshServiceSelector::Name(name) => dataplane.meta.name == *name,
        MeshServiceSelector::Tags(tags) => {
            let inbounds = dataplane.inbounds.iter().filter(|inbound| inbound.ready);
            let mut inbounds = inbounds.map(|inbound| &inbound.tags);
            inbounds.any(|own| contains(own, tags))
        }
        MeshServiceSelector::Labels(labels) => contains(&dataplane.meta.labels, labels),
    }
}

/// The endpoint of an inbound, with weight 1.
pub(super) fn endpoint_of(dataplane: &KumaDataplane, inbound: &DataplaneInbound) -> KumaEndpoint {
    let mut tags = inbound.tags.clone();
    tags.remove(ZONE_TAG);
    if let Some(protocol) = &inbound.protocol {
        tags.entry(PROTOCOL_TAG.into())
            .or_insert_with(|| protocol.clone());
    }
    KumaEndpoint {
        host: MeshHost::new(dataplane.endpoint(inbound)),
        zone: dataplane.inbound_zone(inbound).unwrap_or_default().into(),
        tags,
        labels: dataplane.meta.labels.clone(),
    }
}

fn multi_zone(
    sources: &Sources<'_>,
    service: &KumaMultiZoneService,
    port: &MeshServicePort,
    services: &[&KumaMeshService],
) -> KumaDestinationInput {
    let mut found = Vec::new();
    for member in services {
        let usable = member.is_in(sources.zone) || member.available;
        let labels = &service.match_labels;
        if !usable || !member.meta.clone().into_kuma().has_labels(labels) {
            continue;
        }
        // Kuma looks for the same port number in the MeshService.
        if let Some(own) = member.ports.iter().find(|own| own.port == port.port) {
            found.extend(endpoints(sources, member, own));
        }
    }
    KumaDestinationInput {
        cluster: cluster_name(&service.meta, "mzsvc", port.port),
        destination: KumaDestination {
            kind: KumaDestinationKind::MeshMultiZoneService,
            meta: service.meta.clone().into_kuma(),
            section_name: Some(port.section_name()),
            port: port.port.into(),
            tags: TextMap::new(),
            http: port.app_protocol.as_deref().map(is_http),
        },
        endpoints: found,
        prefers_local_zone: true,
        protocol: port.app_protocol.as_deref().map(KumaProtocol::named),
    }
}

/// The name of the cluster: mesh, name, namespace, zone, kind and port.
fn cluster_name(meta: &ResourceMeta, kind: &str, port: u16) -> String {
    let namespace = meta
        .label("k8s.kuma.io/namespace")
        .unwrap_or(&meta.namespace);
    format!(
        "{}_{}_{namespace}_{}_{kind}_{port}",
        meta.mesh,
        meta.display_name(),
        meta.label(ZONE_TAG).unwrap_or_default(),
    )
}
