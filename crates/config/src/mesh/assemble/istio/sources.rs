//! Several documents that describe one host.

use alloc::{format, string::String, vec::Vec};

use super::service_input::IstioServiceInput;
use crate::{Diagnostic, node::quote};

/// The services with those endpoints that other sources of the same host add to them. Services of
/// Kubernetes come first in `services`: they own their host, else its first source does. Endpoints of
/// a source count if it is in the namespace of the owner, and its port has the same name
/// (`EndpointIndex`, `snapshotShards`).
pub(super) fn merged(
    services: Vec<IstioServiceInput>,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<IstioServiceInput> {
    let mut owners: Vec<IstioServiceInput> = Vec::new();
    for service in services {
        let host = |known: &&IstioServiceInput| known.service.host == service.service.host;
        let Some(owner) = owners.iter().find(host).map(|owner| &owner.service) else {
            owners.push(service);
            continue;
        };
        if owner.namespace != service.service.namespace {
            warnings.push(unused(&service, format!("namespace {}", owner.namespace)));
            continue;
        }
        let (port, resolution) = (service.port, owner.resolution);
        let mut same = owners.iter_mut().filter(|known| {
            known.service.host == service.service.host && known.port_name == service.port_name
        });
        match same.next() {
            Some(known) if resolution == service.service.resolution => {
                known.endpoints.extend(service.endpoints);
            }
            Some(_) => warnings.push(unused(&service, format!("resolution {resolution:?}"))),
            None => {
                let mut ports = owners.iter();
                let taken = ports
                    .find(|known| known.service.host == service.service.host && known.port == port);
                match taken.map(|known| known.port_name.clone()) {
                    Some(name) => {
                        warnings.push(unused(&service, format!("port name {}", quote(&name))))
                    }
                    None => owners.push(service),
                }
            }
        }
    }
    owners
}

/// The warning of a source that another one makes useless.
fn unused(service: &IstioServiceInput, expected: String) -> Diagnostic {
    let name = &service.port_name;
    let namespace = &service.service.namespace;
    Diagnostic::warning(
        "mesh/unused-source",
        format!(
            "another document owns the host {}; Istio does not add these endpoints to it",
            service.service.host
        ),
    )
    .found(format!(
        "namespace {namespace}, port {} {}",
        service.port,
        quote(name)
    ))
    .expected(format!("{expected}, as in the document that owns the host"))
}
