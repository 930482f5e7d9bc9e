//! Load assignments with positions, including duplicate endpoints.

use alloc::{format, string::String, vec::Vec};
use core::net::IpAddr;

use spillgate_core::model::Locality;

use super::{FieldPlace, view::View};

/// One `LocalityLbEndpoints`.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalityFacts {
    /// Its position.
    pub place: FieldPlace,
    /// Its priority.
    pub priority: usize,
    /// Its locality.
    pub locality: Locality,
    /// Its `load_balancing_weight`, if present and above 0.
    pub weight: Option<FieldPlace>,
    /// Its endpoints.
    pub endpoints: Vec<EndpointFacts>,
}

/// One `LbEndpoint`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointFacts {
    /// Its position.
    pub place: FieldPlace,
    /// Its address as in the model; empty if absent.
    pub address: String,
    /// Its `load_balancing_weight`.
    pub weight: Option<FieldPlace>,
    /// Its `envoy.lb` metadata.
    pub metadata: Option<FieldPlace>,
}

/// Reads an assignment.
pub(super) fn read(assignment: &View<'_, '_>) -> Vec<LocalityFacts> {
    let localities = assignment.list("endpoints");
    localities.iter().map(read_locality).collect()
}

fn read_locality(view: &View<'_, '_>) -> LocalityFacts {
    let names = view.get("locality");
    let name = |field| {
        let text = names.as_ref().and_then(|names| names.text(field));
        text.map(Into::into).unwrap_or_default()
    };
    let priority = view.number("priority").unwrap_or(0);
    let weighted = view
        .number("load_balancing_weight")
        .is_some_and(|weight| weight > 0);
    let weight = view.get("load_balancing_weight").filter(|_| weighted);
    let endpoints = view.list("lb_endpoints");
    LocalityFacts {
        place: view.place(),
        priority: usize::try_from(priority).unwrap_or(usize::MAX),
        locality: Locality {
            region: name("region"),
            zone: name("zone"),
            sub_zone: name("sub_zone"),
        },
        weight: weight.map(|view| view.place()),
        endpoints: endpoints.iter().map(read_endpoint).collect(),
    }
}

fn read_endpoint(view: &View<'_, '_>) -> EndpointFacts {
    let place = |found: Option<View<'_, '_>>| found.map(|view| view.place());
    EndpointFacts {
        place: view.place(),
        address: view
            .at(&["endpoint", "address"])
            .map(|v| address(&v))
            .unwrap_or_default(),
        weight: place(view.get("load_balancing_weight")),
        metadata: place(view.at(&["metadata", "filter_metadata", "envoy.lb"])),
    }
}

/// An address in Envoy's form; empty if it cannot be read.
pub(super) fn address(view: &View<'_, '_>) -> String {
    if let Some(path) = view.get("pipe").and_then(|pipe| pipe.text("path")) {
        return path.into();
    }
    if let Some(internal) = view.get("envoy_internal_address") {
        let listener = internal.text("server_listener_name").unwrap_or_default();
        let id = internal.text("endpoint_id").unwrap_or_default();
        return format!("envoy://{listener}/{id}");
    }
    let Some(socket) = view.get("socket_address") else {
        return String::new();
    };
    let host = socket.text("address").unwrap_or_default();
    let port = socket.number("port_value").unwrap_or(0);
    match host.parse() {
        Ok(IpAddr::V6(ip)) => format!("[{ip}]:{port}"),
        Ok(IpAddr::V4(ip)) => format!("{ip}:{port}"),
        Err(_) => format!("{host}:{port}"),
    }
}
