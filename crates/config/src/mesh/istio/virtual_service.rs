//! VirtualService documents: which requests go where.

use alloc::{string::String, vec::Vec};

use spillgate_mesh::istio::{
    IstioRoute, IstioRouteAction, IstioRouteMatch, IstioVirtualService, IstioWeightedDestination,
    full_gateway,
};

use super::{
    request_changes::{HeaderChanges, read_headers, read_retries, read_rewrite},
    route_match::read_request,
};
use crate::{
    mesh::{
        document::{MeshDocument, ResourceMeta},
        place::{ValuePlace, ValuePlaces},
        value::TextMap,
    },
    node::{Entry, to_json},
    proto::{
        Irrelevance::{Document, NotInForce, Observability, Response, UsedByOthers},
        Message, Report, Schema, limit,
    },
};

pub(super) static VIRTUAL_SERVICE: Schema =
    Schema::new("VirtualService", "hosts gateways http tls tcp exportTo")
        .ignored(&[(Document, "apiVersion kind metadata status spec")])
        .of("VirtualService");
pub(super) static HTTP_ROUTE: Schema = Schema::new(
    "HTTPRoute",
    "name match route redirect directResponse delegate rewrite headers retries timeout",
)
.limits(&[
    limit("fault", "requests can be answered without a host").with("abort"),
    limit(
        "corsPolicy",
        "preflight requests are answered without a host",
    ),
    limit("mirror", MIRROR),
    limit("mirrors", MIRROR),
])
.ignored(&[(
    UsedByOthers,
    "mirrorPercent mirror_percent mirrorPercentage",
)])
.of("VirtualService.http");
pub(in crate::mesh) const MIRROR: &str =
    "copies of requests advance the policy of their cluster, so picks in a row can differ";
pub(super) static CONNECTION_ROUTE: Schema =
    Schema::new("route", "match route").of("VirtualService.tcp");
pub(super) static MATCH: Schema = Schema::new(
    "match",
    "uri scheme method authority headers port sourceLabels gateways queryParams ignoreUriCase \
     withoutHeaders sourceNamespace",
)
.ignored(&[(Observability, "name statPrefix")])
.of("VirtualService.http.match");
pub(super) static TLS_MATCH: Schema = Schema::new(
    "match",
    "sniHosts destinationSubnets port sourceLabels gateways sourceNamespace",
)
.of("VirtualService.tls.match");
pub(super) static TCP_MATCH: Schema = Schema::new(
    "match",
    "destinationSubnets port sourceLabels gateways sourceNamespace",
)
.ignored(&[(NotInForce, "sourceSubnet")])
.of("VirtualService.tcp.match");
pub(super) static ENTRY: Schema =
    Schema::new("route", "destination weight headers").of("VirtualService.http.route");
pub(super) static DESTINATION: Schema =
    Schema::new("destination", "host subset port").of("VirtualService.http.route.destination");
pub(super) static REDIRECT: Schema = Schema::new("redirect", "redirectCode")
    .ignored(&[(
        Response,
        "uri authority port derivePort scheme prefixRewrite",
    )])
    .of("VirtualService.http.redirect");
pub(super) static DIRECT_RESPONSE: Schema = Schema::new("directResponse", "status")
    .ignored(&[(Response, "body")])
    .of("VirtualService.http.directResponse");
pub(super) static DELEGATE: Schema =
    Schema::new("delegate", "name namespace").of("VirtualService.http.delegate");

/// A VirtualService and the positions of its values.
#[derive(Debug, Clone, PartialEq)]
pub struct LocatedVirtualService {
    /// The VirtualService.
    pub service: IstioVirtualService,
    /// The place of the document.
    pub place: ValuePlace,
    /// The path of its `spec` in the file.
    pub spec_path: String,
    /// The positions of the values below `spec`.
    pub places: ValuePlaces,
}

impl LocatedVirtualService {
    /// The place of the value at a path below `spec`; the position is that of the nearest value that
    /// contains it.
    #[must_use]
    pub fn value_place(&self, path: &str) -> ValuePlace {
        self.places.place(self.place.file, &self.spec_path, path)
    }
}

/// Reads a VirtualService.
pub(crate) fn read_virtual_service(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<LocatedVirtualService> {
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, &VIRTUAL_SERVICE, report)?;
    let mut http = Vec::new();
    for (path, node) in spec.items("http", report) {
        if let Some(route) = Message::open(node, path, &HTTP_ROUTE, report) {
            http.push(read_http(&route, report));
        }
    }
    let mut connections = Vec::new();
    for (field, schema) in [("tls", &TLS_MATCH), ("tcp", &TCP_MATCH)] {
        for (path, node) in spec.items(field, report) {
            if let Some(route) = Message::open(node, path, &CONNECTION_ROUTE, report) {
                connections.push(IstioRoute {
                    matches: read_matches(&route, schema, report),
                    action: IstioRouteAction::Forward(read_destinations(&route, report)),
                    ..IstioRoute::default()
                });
            }
        }
    }
    let full = |name: &String| full_gateway(name, &meta.namespace);
    for route in http.iter_mut().chain(&mut connections) {
        for entry in &mut route.matches {
            entry.gateways = entry.gateways.iter().map(full).collect();
        }
    }
    let gateways = spec.texts("gateways", report);
    Some(LocatedVirtualService {
        place: meta.place.clone(),
        spec_path: document.spec_path.text(),
        places: ValuePlaces::of(document.spec),
        service: IstioVirtualService {
            hosts: spec.texts("hosts", report),
            gateways: gateways.iter().map(full).collect(),
            is_gateway_api: false,
            export_to: spec.texts("exportTo", report).into_iter().collect(),
            created: meta.created,
            http,
            connections,
            name: meta.name,
            namespace: meta.namespace,
        },
    })
}

fn read_http(route: &Message<'_, '_>, report: &mut Report) -> IstioRoute {
    let action = if let Some(redirect) = route.message("redirect", &REDIRECT, report) {
        const MOVED_PERMANENTLY: u16 = 301;
        let code = redirect
            .u32("redirectCode", report)
            .filter(|code| *code != 0);
        IstioRouteAction::Respond(code.map_or(MOVED_PERMANENTLY, status))
    } else if let Some(response) = route.message("directResponse", &DIRECT_RESPONSE, report) {
        response.require("status", report);
        IstioRouteAction::Respond(status(response.u32("status", report).unwrap_or_default()))
    } else if let Some(delegate) = route.message("delegate", &DELEGATE, report) {
        IstioRouteAction::Delegate {
            name: delegate.text("name", report),
            namespace: delegate.text("namespace", report),
        }
    } else {
        IstioRouteAction::Forward(read_destinations(route, report))
    };
    let HeaderChanges { headers, authority } = read_headers(route, report);
    IstioRoute {
        name: route.text("name", report),
        matches: read_matches(route, &MATCH, report),
        action,
        headers,
        rewrite: read_rewrite(route, authority, report),
        retries: read_retries(route, "retries", report),
        timeout_ms: route.milliseconds("timeout", report),
    }
}

/// A status; Istio rejects those that no response has.
fn status(code: u32) -> u16 {
    u16::try_from(code).unwrap_or(0)
}

fn read_matches(
    route: &Message<'_, '_>,
    schema: &Schema,
    report: &mut Report,
) -> Vec<IstioRouteMatch> {
    let mut matches = Vec::new();
    for (path, node) in route.items("match", report) {
        if let Some(entry) = Message::open(node, path, schema, report) {
            let request = read_request(&entry, report);
            if request.is_none() {
                let of_request = entry.entries.iter().filter(|of| !is_of_proxy(of));
                report.note_conditions(&entry.path, of_request);
            }
            matches.push(IstioRouteMatch {
                gateways: entry.texts("gateways", report),
                source_labels: if entry.has("sourceLabels") {
                    entry.text_map("sourceLabels", report)
                } else {
                    TextMap::new()
                },
                source_namespace: entry.text("sourceNamespace", report),
                port: entry.port("port", report),
                condition: condition(&entry),
                request,
            });
        }
    }
    matches
}

/// The fields that do not depend on the request.
const OF_PROXY: [&str; 6] = [
    "gateways",
    "sourceLabels",
    "sourceNamespace",
    "port",
    "name",
    "statPrefix",
];

fn is_of_proxy(field: &Entry<'_>) -> bool {
    OF_PROXY.contains(&field.key.name.as_ref())
}

/// The conditions on the request, as JSON; empty if every request meets them.
fn condition(entry: &Message<'_, '_>) -> String {
    let mut parts: Vec<String> = Vec::new();
    for field in entry.entries {
        let (name, value) = (field.key.name.as_ref(), to_json(&field.node));
        let every = name == "uri" && value == r#"{"prefix":"/"}"#;
        // How a path is compared is no condition of its own.
        if !every && !is_of_proxy(field) && name != "ignoreUriCase" {
            parts.push(alloc::format!("\"{name}\":{value}"));
        }
    }
    if parts.is_empty() {
        String::new()
    } else {
        alloc::format!("{{{}}}", parts.join(","))
    }
}

fn read_destinations(
    route: &Message<'_, '_>,
    report: &mut Report,
) -> Vec<IstioWeightedDestination> {
    let mut destinations = Vec::new();
    for (path, node) in route.items("route", report) {
        if let Some(entry) = Message::open(node, path, &ENTRY, report) {
            destinations.extend(read_destination(&entry, report));
        }
    }
    destinations
}

fn read_destination(
    entry: &Message<'_, '_>,
    report: &mut Report,
) -> Option<IstioWeightedDestination> {
    entry.require("destination", report);
    let destination = entry.message("destination", &DESTINATION, report)?;
    let host = destination.required_string("host", report);
    let port = destination.object("port", "port", report);
    let subset = destination.text("subset", report);
    let HeaderChanges { headers, authority } = read_headers(entry, report);
    Some(IstioWeightedDestination {
        headers,
        authority,
        subset: (!subset.is_empty()).then_some(subset),
        port: port.and_then(|port| port.port("number", report)),
        weight: entry.u32("weight", report),
        host: host?.into(),
    })
}
