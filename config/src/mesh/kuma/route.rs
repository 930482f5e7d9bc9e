//! MeshHTTPRoute and MeshTCPRoute documents: which share of the requests goes where.

use alloc::{format, string::String, vec::Vec};

use spillgate_mesh::kuma::{KumaBackendRef, KumaRoute, KumaRouteKind, KumaRouteRule, KumaRouteTo};

use super::target_ref::{BACKEND_REF, read_target_ref, target_ref};
use crate::{
    mesh::{
        document::{DocumentKind, MeshDocument, ResourceMeta},
        place::ValuePlace,
    },
    node::to_json,
    proto::{Message, Report},
};

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
    let (name, kind) = match document.kind {
        DocumentKind::MeshTcpRoute => ("MeshTCPRoute", KumaRouteKind::Tcp),
        _ => ("MeshHTTPRoute", KumaRouteKind::Http),
    };
    let path = document.spec_path.clone();
    let spec = Message::open_partly(document.spec, path, name, report)?;
    let to = spec.objects("to", "to", report);
    Some(ReadKumaRoute {
        place: meta.place.clone(),
        route: KumaRoute {
            kind,
            target_ref: read_target_ref(&spec, report),
            to: to.iter().map(|to| read_to(to, report)).collect(),
            meta: meta.into_kuma(),
        },
    })
}

fn read_to(to: &Message<'_, '_>, report: &mut Report) -> KumaRouteTo {
    to.require("targetRef", report);
    let rules = to.objects("rules", "rule", report);
    KumaRouteTo {
        target_ref: read_target_ref(to, report).unwrap_or_default(),
        rules: rules.iter().map(|rule| read_rule(rule, report)).collect(),
    }
}

fn read_rule(rule: &Message<'_, '_>, report: &mut Report) -> KumaRouteRule {
    let matches = rule.objects("matches", "match", report);
    let matches: Vec<String> = matches.iter().map(describe).collect();
    let conf = rule.object("default", "default", report);
    let mut backend_refs = Vec::new();
    if let Some(conf) = conf {
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
    KumaRouteRule {
        matches: match matches_all {
            true => String::new(),
            false => matches.join(" or "),
        },
        backend_refs,
    }
}

/// A match as a short text, such as `PathPrefix /api, GET`; empty if it accepts every request.
fn describe(one: &Message<'_, '_>) -> String {
    let mut parts = Vec::new();
    if let Some(path) = one.get("path") {
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
