//! MeshHTTPRoute and MeshTCPRoute documents: which share of the requests goes where.

use alloc::{format, string::String, vec::Vec};

use spillgate_mesh::kuma::{KumaBackendRef, KumaRoute, KumaRouteKind, KumaRouteRule, KumaRouteTo};

use super::target_ref::{BACKEND_REF, read_target_ref, target_ref};
use crate::{
    mesh::{
        document::{DocumentKind, KUMA_DOCUMENT, MeshDocument, ResourceMeta},
        place::ValuePlace,
    },
    node::to_json,
    proto::{
        Irrelevance::{Document, Response},
        Message, Report, Schema, limit,
    },
};

pub(super) static HTTP_ROUTE: Schema = Schema::new("MeshHTTPRoute", "targetRef to")
    .ignored(&[(Document, KUMA_DOCUMENT)])
    .of("MeshHTTPRoute");
pub(super) static HTTP_TO: Schema =
    Schema::new("to", "targetRef hostnames rules").of("MeshHTTPRoute.to");
pub(super) static RULE: Schema =
    Schema::new("rule", "matches default").of("MeshHTTPRoute.to.rules");
pub(super) static MATCH: Schema =
    Schema::new("match", "path method headers queryParams").of("MeshHTTPRoute.to.rules.matches");
pub(super) static PATH: Schema =
    Schema::new("path", "type value").of("MeshHTTPRoute.to.rules.matches.path");
pub(super) static CONF: Schema =
    Schema::new("default", "backendRefs filters").of("MeshHTTPRoute.to.rules.default");
pub(super) static FILTER: Schema = Schema::new("filter", "type requestRedirect")
    .limits(&[
        limit("requestHeaderModifier", HASH).with("set add remove"),
        limit("urlRewrite", HASH).with("hostname hostToBackendHostname"),
        limit(
            "requestMirror",
            "copies of requests advance the policy of their cluster, so picks in a row can differ",
        ),
    ])
    .ignored(&[(Response, "responseHeaderModifier")])
    .of("MeshHTTPRoute.to.rules.default.filters");
const HASH: &str = "the request hash can differ";
pub(super) static REDIRECT: Schema = Schema::new("requestRedirect", "statusCode")
    .ignored(&[(Response, "hostname path port scheme")])
    .of("MeshHTTPRoute.to.rules.default.filters.requestRedirect");
pub(super) static TCP_ROUTE: Schema = Schema::new("MeshTCPRoute", "targetRef to")
    .ignored(&[(Document, KUMA_DOCUMENT)])
    .of("MeshTCPRoute");
pub(super) static TCP_TO: Schema = Schema::new("to", "targetRef rules").of("MeshTCPRoute.to");
pub(super) static TCP_RULE: Schema = Schema::new("rule", "default").of("MeshTCPRoute.to.rules");
/// The status of a redirect without one.
const FOUND: u16 = 302;

/// A route and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadKumaRoute {
    /// The route.
    pub route: KumaRoute,
    /// The place of the document.
    pub place: ValuePlace,
}

/// Reads a MeshHTTPRoute or MeshTCPRoute.
pub(crate) fn read_route(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<ReadKumaRoute> {
    let meta = ResourceMeta::read(document, report);
    let (kind, schema, to) = match document.kind {
        DocumentKind::MeshTcpRoute => (KumaRouteKind::Tcp, &TCP_ROUTE, &TCP_TO),
        _ => (KumaRouteKind::Http, &HTTP_ROUTE, &HTTP_TO),
    };
    let path = document.spec_path.clone();
    let spec = Message::open(document.spec, path, schema, report)?;
    let to = spec.messages("to", to, report);
    Some(ReadKumaRoute {
        place: meta.place.clone(),
        route: KumaRoute {
            kind,
            target_ref: read_target_ref(&spec, report),
            to: to.iter().map(|to| read_to(to, kind, report)).collect(),
            meta: meta.into_kuma(),
        },
    })
}

fn read_to(to: &Message<'_, '_>, kind: KumaRouteKind, report: &mut Report) -> KumaRouteTo {
    to.require("targetRef", report);
    let schema = match kind {
        KumaRouteKind::Http => &RULE,
        KumaRouteKind::Tcp => &TCP_RULE,
    };
    let rules = to.messages("rules", schema, report);
    KumaRouteTo {
        target_ref: read_target_ref(to, report).unwrap_or_default(),
        hostnames: to.texts("hostnames", report),
        rules: rules.iter().map(|rule| read_rule(rule, report)).collect(),
    }
}

fn read_rule(rule: &Message<'_, '_>, report: &mut Report) -> KumaRouteRule {
    let matches = rule.messages("matches", &MATCH, report);
    let matches: Vec<String> = matches.iter().map(|one| describe(one, report)).collect();
    let conf = rule.message("default", &CONF, report);
    let mut backend_refs = Vec::new();
    let mut responds = None;
    if let Some(conf) = conf {
        for filter in conf.messages("filters", &FILTER, report) {
            if let Some(redirect) = filter.message("requestRedirect", &REDIRECT, report) {
                let status = redirect.u32_within("statusCode", 301..=308, report);
                responds = Some(
                    status
                        .and_then(|of| u16::try_from(of).ok())
                        .unwrap_or(FOUND),
                );
            }
        }
        for (path, node) in conf.items("backendRefs", report) {
            let Some(reference) = Message::open(node, path, &BACKEND_REF, report) else {
                continue;
            };
            backend_refs.push(KumaBackendRef {
                target_ref: target_ref(&reference, report),
                weight: reference.u32("weight", report).unwrap_or(1),
                port: reference.port("port", report),
            });
        }
    }
    let matches_all = matches.iter().any(String::is_empty);
    if !matches_all {
        let entries = rule.entries.iter();
        let conditions = entries.filter(|entry| entry.key.name == "matches");
        report.note_conditions(&rule.path, conditions);
    }
    KumaRouteRule {
        matches: if matches_all {
            String::new()
        } else {
            matches.join(" or ")
        },
        backend_refs,
        responds,
    }
}

/// A match as a short text, such as `PathPrefix /api, GET`; empty if it accepts every request.
fn describe(one: &Message<'_, '_>, report: &mut Report) -> String {
    let mut parts = Vec::new();
    if let Some(path) = one.message("path", &PATH, report) {
        let part = |field| path.get(field).map(to_json).unwrap_or_default();
        let path = format!("{} {}", part("type"), part("value")).replace('"', "");
        if path != "PathPrefix /" {
            parts.push(path);
        }
    }
    if let Some(method) = one.get("method") {
        parts.push(to_json(method).replace('"', ""));
    }
    for field in ["headers", "queryParams"] {
        if let Some(list) = one.get(field) {
            parts.push(format!("{field} {}", to_json(list)));
        }
    }
    parts.join(", ")
}
