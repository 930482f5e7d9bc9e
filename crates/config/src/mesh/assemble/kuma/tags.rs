//! Destinations that are values of the tag `kuma.io/service`.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use spillgate_core::model::Weight;
use spillgate_mesh::{
    MeshHost,
    kuma::{KumaDestination, KumaDestinationKind, KumaEndpoint, KumaMeta},
};

use super::{
    protocol::KumaProtocol,
    protocol::PROTOCOL_TAG,
    services::{endpoint_of, is_http},
    sources::{KumaDestinationInput, Sources},
};
use crate::mesh::{
    kuma::{AvailableService, KumaZoneIngress, SERVICE_TAG, ZONE_TAG},
    short::ShortEndpoint,
};

/// The name of a service if neither its endpoints nor a policy name it.
const UNNAMED: &str = "service";

/// Endpoints by the name of their service.
type ByService = BTreeMap<String, Vec<KumaEndpoint>>;

/// One destination for each value of the tag, and for endpoints in short form.
pub(super) fn destinations(sources: &Sources<'_>) -> Vec<KumaDestinationInput> {
    let mut services = ByService::new();
    add_ingresses(sources, &mut services);
    add_dataplanes(sources, &mut services);
    add_short(sources, &mut services);
    services
        .into_iter()
        .map(|(name, endpoints)| KumaDestinationInput {
            cluster: name.clone(),
            destination: KumaDestination {
                kind: KumaDestinationKind::ServiceTag,
                meta: KumaMeta {
                    name,
                    mesh: sources.mesh.into(),
                    ..KumaMeta::default()
                },
                http: speaks_http(&endpoints),
                ..KumaDestination::default()
            },
            protocol: KumaProtocol::common(&endpoints),
            endpoints,
            prefers_local_zone: sources.locality_aware,
        })
        .collect()
}

/// Whether all endpoints speak HTTP; `None` if none of them names its protocol.
fn speaks_http(endpoints: &[KumaEndpoint]) -> Option<bool> {
    let protocol = |of: &KumaEndpoint| of.tags.get(PROTOCOL_TAG).map(|name| is_http(name));
    let known = endpoints.iter().any(|of| protocol(of).is_some());
    known.then(|| endpoints.iter().all(|of| protocol(of) == Some(true)))
}

/// The zone ingresses of other zones, each address once. One without services yet does not hide
/// another one at the same address.
fn remote_ingresses<'d>(sources: &Sources<'d>) -> Vec<(&'d KumaZoneIngress, &'d str)> {
    let mut addresses = BTreeSet::new();
    let mut ingresses = Vec::new();
    for ingress in &sources.documents.kuma.zone_ingresses {
        let Some(address) = ingress.address.as_deref() else {
            continue;
        };
        if ingress.zone == sources.zone || addresses.contains(address) {
            continue;
        }
        if !ingress.services.is_empty() {
            addresses.insert(address);
            ingresses.push((ingress, address));
        }
    }
    ingresses
}

fn add_ingresses(sources: &Sources<'_>, services: &mut ByService) {
    for (ingress, address) in remote_ingresses(sources) {
        for service in &ingress.services {
            let Some(name) = service.tags.get(SERVICE_TAG) else {
                continue;
            };
            if service.mesh != sources.mesh {
                continue;
            }
            let endpoints = services.entry(name.clone()).or_default();
            if sources.egress && sources.own_egresses().next().is_some() {
                let egresses = sources.own_egresses();
                endpoints.extend(
                    egresses.map(|egress| behind_ingress(service, ingress, egress, Weight::ONE)),
                );
            } else {
                // Kuma writes no weight instead of 0, which is 1 for Envoy.
                let weight = Weight::new(service.instances).unwrap_or(Weight::ONE);
                endpoints.push(behind_ingress(service, ingress, address, weight));
            }
        }
    }
}

/// An endpoint for the instances with some tags behind a zone ingress.
fn behind_ingress(
    service: &AvailableService,
    ingress: &KumaZoneIngress,
    address: &str,
    weight: Weight,
) -> KumaEndpoint {
    let mut tags = service.tags.clone();
    let zone = tags.remove(ZONE_TAG);
    KumaEndpoint {
        host: MeshHost {
            weight,
            ..MeshHost::new(address)
        },
        tags,
        ..KumaEndpoint::new("", zone.unwrap_or_else(|| ingress.zone.clone()))
    }
}

/// Local proxies. Those of another zone only if there is no ZoneIngress document of the zone.
fn add_dataplanes(sources: &Sources<'_>, services: &mut ByService) {
    // Kuma does not count them without mTLS.
    let ingresses = if sources.mtls {
        remote_ingresses(sources).len()
    } else {
        0
    };
    let weight = u32::try_from(ingresses).ok().and_then(Weight::new);
    let behind: BTreeSet<&str> = sources
        .documents
        .kuma
        .zone_ingresses
        .iter()
        .map(|ingress| ingress.zone.as_str())
        .filter(|zone| *zone != sources.zone)
        .collect();
    for dataplane in &sources.dataplanes {
        for inbound in dataplane.inbounds.iter().filter(|inbound| inbound.ready) {
            let Some(name) = inbound.tags.get(SERVICE_TAG) else {
                continue;
            };
            let mut endpoint = endpoint_of(dataplane, inbound);
            if behind.contains(endpoint.zone.as_str()) {
                continue;
            }
            endpoint.host.weight = weight.unwrap_or_default();
            services.entry(name.clone()).or_default().push(endpoint);
        }
    }
}

/// Endpoints in short form. One without a service belongs to every service that the other documents
/// name.
fn add_short(sources: &Sources<'_>, services: &mut ByService) {
    let short = &sources.documents.endpoints;
    for endpoint in short {
        if let Some(name) = name_of(endpoint) {
            services
                .entry(name.into())
                .or_default()
                .push(endpoint.as_kuma());
        }
    }
    if short.iter().all(|endpoint| name_of(endpoint).is_some()) {
        return;
    }
    let policies = &sources.documents.kuma.policies;
    for entry in policies.iter().flat_map(|read| &read.policy.to) {
        if let Some(name) = &entry.target_ref.name {
            services.entry(name.clone()).or_default();
        }
    }
    if services.is_empty() {
        services.insert(UNNAMED.into(), Vec::new());
    }
    for endpoint in short.iter().filter(|endpoint| name_of(endpoint).is_none()) {
        for endpoints in services.values_mut() {
            endpoints.push(endpoint.as_kuma());
        }
    }
}

/// The service of an endpoint in short form.
fn name_of(endpoint: &ShortEndpoint) -> Option<&str> {
    let own = Some(endpoint.service.as_str()).filter(|name| !name.is_empty());
    own.or_else(|| endpoint.tags.get(SERVICE_TAG).map(String::as_str))
}
