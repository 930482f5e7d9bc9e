//! Faults of a generated configuration at the documents that it comes from.

use serde_json::Value;
use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, NamedText, mesh::ValuePlace};
use spillgate_mesh::istio::full_host;

use super::bootstrap::HOSTS;
use crate::mesh::MeshInput;

/// The faults with the places of DestinationRules, VirtualServices and Services.
pub(super) fn placed(
    faults: Vec<Diagnostic>,
    bootstrap: &Value,
    (input, texts): (&MeshInput, &[NamedText]),
) -> Faults {
    let mut all = Faults::default();
    for fault in faults {
        let named = |list: &str| index(&fault.path, list);
        let cluster = || {
            let clusters = bootstrap.pointer("/static_resources/clusters")?;
            clusters.get(named("clusters[")?)?.get("name")?.as_str()
        };
        let host = || {
            let listeners = bootstrap.pointer("/static_resources/listeners")?;
            let listener = listeners.get(named("listeners[")?)?;
            let hosts = listener.pointer(HOSTS)?;
            hosts.get(named("virtual_hosts[")?)?.get("name")?.as_str()
        };
        let (place, of) = match (host(), cluster()) {
            (Some(host), _) => (of_host(host, input), Some(host)),
            (None, Some(cluster)) => (of_cluster(cluster, input), Some(cluster)),
            (None, None) => (None, None),
        };
        let message = match of {
            Some(of) => format!("{of}: {}", fault.message),
            None => fault.message.clone(),
        };
        let file = place.map_or(0, |place| place.file);
        let name = texts
            .get(file)
            .map_or(input.name.as_str(), |text| &text.name);
        let fault = Diagnostic {
            path: place.map_or_else(String::new, |place| place.path.clone()),
            position: place.map(|place| place.position),
            message,
            ..fault
        };
        all.push(name, &fault);
    }
    all
}

/// The index after the start of a path's step.
fn index(path: &str, step: &str) -> Option<usize> {
    let (_, rest) = path.split_once(step)?;
    rest.split(']').next()?.parse().ok()
}

/// The VirtualService of a virtual host, or the Service.
fn of_host<'i>(name: &str, input: &'i MeshInput) -> Option<&'i ValuePlace> {
    let host = name.rsplit_once(':').map_or(name, |(host, _)| host);
    let mut services = input.documents.istio.virtual_services.iter();
    let found = services.find(|of| {
        let mut hosts = of.service.hosts.iter();
        hosts.any(|own| own == host || full_host(own, &of.service.namespace) == host)
    });
    found
        .map(|of| &of.place)
        .or_else(|| of_service(host, input))
}

/// The DestinationRule of a cluster, or the Service.
fn of_cluster<'i>(name: &str, input: &'i MeshInput) -> Option<&'i ValuePlace> {
    let host = name.rsplit('|').next()?;
    let mut rules = input.documents.istio.destination_rules.iter();
    let found = rules.find(|of| full_host(&of.rule.host, &of.rule.namespace) == host);
    found
        .map(|of| &of.place)
        .or_else(|| of_service(host, input))
}

fn of_service<'i>(host: &str, input: &'i MeshInput) -> Option<&'i ValuePlace> {
    let mut services = input.documents.kube.services.iter();
    let found = services.find(|of| full_host(&of.meta.name, &of.meta.namespace) == host);
    found.map(|of| &of.meta.place)
}
