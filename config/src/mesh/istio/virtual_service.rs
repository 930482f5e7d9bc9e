//! VirtualService documents: which share of the requests goes where.

use alloc::{format, string::String, vec::Vec};

use spillgate_mesh::istio::{IstioRoute, IstioVirtualService, IstioWeightedDestination};

use crate::{
    mesh::{
        document::{MeshDocument, ResourceMeta},
        place::ValuePlace,
    },
    node::to_json,
    proto::{Message, Report},
};

/// A VirtualService and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadVirtualService {
    /// The VirtualService.
    pub service: IstioVirtualService,
    /// The place of the document.
    pub place: ValuePlace,
}

/// Reads a VirtualService.
pub(crate) fn read_virtual_service(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<ReadVirtualService> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open_partly(document.spec, path, "VirtualService", report)?;
    let mut routes = Vec::new();
    for field in ["http", "tls", "tcp"] {
        for route in spec.objects(field, "route", report) {
            // Redirects and direct responses have no destination.
            if route.has("route") {
                routes.push(read_route(&route, report));
            }
        }
    }
    Some(ReadVirtualService {
        place: meta.place.clone(),
        service: IstioVirtualService {
            hosts: spec.texts("hosts", report),
            routes,
            name: meta.name,
            namespace: meta.namespace,
        },
    })
}

/// Conditions that every request meets.
const MATCH_ALL: [&str; 2] = ["[]", r#"[{"uri":{"prefix":"/"}}]"#];

fn read_route(route: &Message<'_, '_>, report: &mut Report) -> IstioRoute {
    let name = route.string("name", report).filter(|name| !name.is_empty());
    let condition = route.get("match").map(to_json);
    let matches = match condition.filter(|condition| !MATCH_ALL.contains(&condition.as_str())) {
        Some(condition) => name.map_or_else(|| format!("match {condition}"), String::from),
        None => String::new(),
    };
    let destinations = route.objects("route", "destination", report);
    IstioRoute {
        matches,
        destinations: destinations
            .iter()
            .filter_map(|entry| read_destination(entry, report))
            .collect(),
    }
}

fn read_destination(
    entry: &Message<'_, '_>,
    report: &mut Report,
) -> Option<IstioWeightedDestination> {
    entry.require("destination", report);
    let destination = entry.object("destination", "destination", report)?;
    let host = destination.required_string("host", report);
    let port = destination.object("port", "port", report);
    let text = |text: &str| String::from(text);
    Some(IstioWeightedDestination {
        subset: destination.string("subset", report).map(text),
        port: port.and_then(|port| port.port("number", report)),
        weight: entry.u32("weight", report),
        host: host?.into(),
    })
}
