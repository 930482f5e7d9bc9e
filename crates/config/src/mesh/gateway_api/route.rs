//! HTTPRoute and GRPCRoute documents.

use alloc::{format, string::String, vec::Vec};

use spillgate_mesh::istio::{IstioRetries, IstioRoute, IstioRouteAction, IstioRouteMatch};

use super::{
    backends::read_backends,
    filters::{FILTER, GRPC_FILTER, read_filters, rewrite_of},
    matches::{GRPC_MATCH, HTTP_MATCH, ReadMatch, RuleRank, read_grpc_match, read_http_match},
};
use crate::{
    mesh::document::{DocumentKind, MeshDocument, ResourceMeta},
    proto::{
        Irrelevance::{Document, NotInForce},
        Message, Report, Schema,
    },
};

pub(super) static HTTP_ROUTE: Schema = Schema::new("HTTPRoute", "parentRefs hostnames rules")
    .ignored(&[
        (Document, "apiVersion kind metadata status spec"),
        (NotInForce, "useDefaultGateways"),
    ])
    .of("HTTPRoute");
pub(super) static GRPC_ROUTE: Schema = Schema::new("GRPCRoute", "parentRefs hostnames rules")
    .ignored(&[
        (Document, "apiVersion kind metadata status spec"),
        (NotInForce, "useDefaultGateways"),
    ])
    .of("GRPCRoute");
pub(super) static PARENT: Schema =
    Schema::new("parentRef", "group kind name namespace port sectionName")
        .of("HTTPRoute.parentRefs");
pub(super) static HTTP_RULE: Schema =
    Schema::new("rule", "name matches filters backendRefs retry timeouts")
        .ignored(&[(NotInForce, "sessionPersistence")])
        .of("HTTPRoute.rules");
pub(super) static GRPC_RULE: Schema = Schema::new("rule", "name matches filters backendRefs")
    .ignored(&[(NotInForce, "sessionPersistence")])
    .of("GRPCRoute.rules");
pub(super) static RETRY: Schema =
    Schema::new("retry", "attempts codes backoff").of("HTTPRoute.rules.retry");
pub(super) static TIMEOUTS: Schema =
    Schema::new("timeouts", "request backendRequest").of("HTTPRoute.rules.timeouts");

/// An HTTPRoute or GRPCRoute.
#[derive(Debug, Clone, PartialEq)]
pub struct GatewayApiRoute {
    /// Name, namespace and place.
    pub meta: ResourceMeta,
    /// `HTTPRoute` or `GRPCRoute`.
    pub kind: &'static str,
    /// What it is attached to.
    pub parents: Vec<GatewayApiParent>,
    /// The hosts of its requests at a gateway; empty means all.
    pub hostnames: Vec<String>,
    /// Its rules, one for each entry of `matches`; or the reason why Istio ignores the route.
    pub rules: Result<Vec<GatewayApiRule>, String>,
}

/// An entry of `parentRefs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayApiParent {
    /// The API group; that of the Gateway API if it names none.
    pub group: String,
    /// The kind: `Gateway`, `Service`, `ServiceEntry` or another one.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The namespace; that of the route if it names none.
    pub namespace: String,
    /// The port; `None` means all.
    pub port: Option<u16>,
}

/// One rule with at most one condition.
#[derive(Debug, Clone, PartialEq)]
pub struct GatewayApiRule {
    /// Its place among the rules of a host: higher ones come first.
    pub rank: RuleRank,
    /// The rule as a route of a VirtualService.
    pub route: IstioRoute,
}

/// Reads an HTTPRoute or GRPCRoute.
pub(crate) fn read_route(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<GatewayApiRoute> {
    let is_grpc = document.kind == DocumentKind::GrpcRoute;
    let meta = ResourceMeta::read(document, report);
    let path = document.spec_path.clone();
    let schema = if is_grpc { &GRPC_ROUTE } else { &HTTP_ROUTE };
    let spec = Message::open(document.spec, path, schema, report)?;
    let mut parents = Vec::new();
    for (path, node) in spec.items("parentRefs", report) {
        if let Some(parent) = Message::open(node, path, &PARENT, report) {
            let kind = parent.text("kind", report);
            let namespace = parent.text("namespace", report);
            let group = parent.string("group", report);
            parents.push(GatewayApiParent {
                group: group.unwrap_or("gateway.networking.k8s.io").into(),
                kind: if kind.is_empty() {
                    "Gateway".into()
                } else {
                    kind
                },
                name: parent.text("name", report),
                namespace: if namespace.is_empty() {
                    meta.namespace.clone()
                } else {
                    namespace
                },
                port: parent.port("port", report),
            });
        }
    }
    let mut rules = Ok(Vec::new());
    for (path, node) in spec.items("rules", report) {
        let schema = if is_grpc { &GRPC_RULE } else { &HTTP_RULE };
        let Some(rule) = Message::open(node, path, schema, report) else {
            continue;
        };
        match (
            read_rule(&rule, &meta.namespace, is_grpc, report),
            &mut rules,
        ) {
            (Ok(read), Ok(rules)) => rules.extend(read),
            (Err(why), Ok(_)) => rules = Err(why),
            (_, Err(_)) => {}
        }
    }
    Some(GatewayApiRoute {
        hostnames: spec.texts("hostnames", report),
        meta,
        kind: if is_grpc { "GRPCRoute" } else { "HTTPRoute" },
        parents,
        rules,
    })
}

fn read_rule(
    rule: &Message<'_, '_>,
    namespace: &str,
    is_grpc: bool,
    report: &mut Report,
) -> Result<Vec<GatewayApiRule>, String> {
    let (filter, condition) = if is_grpc {
        (&GRPC_FILTER, &GRPC_MATCH)
    } else {
        (&FILTER, &HTTP_MATCH)
    };
    let mut matches = Vec::new();
    for (path, node) in rule.items("matches", report) {
        if let Some(one) = Message::open(node, path, condition, report) {
            let read = if is_grpc {
                read_grpc_match(&one, report)
            } else {
                read_http_match(&one, report)
            };
            if read.request.is_none() {
                report.note_conditions(&one.path, one.entries);
            }
            matches.push(read);
        }
    }
    let filters = read_filters(rule, filter, report);
    let backends = read_backends(rule, namespace, filter, report);
    if let Some(why) = filters.rejected() {
        return Err(why);
    }
    let backends = backends?;
    const NO_BACKENDS: u16 = 500;
    let route = IstioRoute {
        name: rule.text("name", report),
        matches: Vec::new(),
        action: match (filters.redirect, backends.is_empty()) {
            (Some(status), _) => IstioRouteAction::Respond(status),
            (None, true) => IstioRouteAction::Respond(NO_BACKENDS),
            (None, false) => IstioRouteAction::Forward(backends),
        },
        rewrite: filters.full_rewrite(),
        headers: filters.headers,
        retries: read_retry(rule, report),
        timeout_ms: None,
    };
    let route = read_timeouts(rule, route, report);
    if matches.is_empty() {
        // The API server adds the prefix `/` to an HTTPRoute.
        matches.push(if is_grpc {
            ReadMatch::default()
        } else {
            ReadMatch::all()
        });
    }
    let rules = matches.into_iter().map(|one| GatewayApiRule {
        rank: one.rank,
        route: IstioRoute {
            matches: Vec::from([IstioRouteMatch {
                condition: one.text,
                request: one.request,
                ..IstioRouteMatch::default()
            }]),
            rewrite: rewrite_of(route.rewrite.as_ref(), &one.prefix, report),
            ..route.clone()
        },
    });
    Ok(rules.collect())
}

/// The retries of a rule, with the conditions that Istio adds.
fn read_retry(rule: &Message<'_, '_>, report: &mut Report) -> Option<IstioRetries> {
    const ATTEMPTS: u32 = 2;
    let retry = rule.message("retry", &RETRY, report)?;
    let mut conditions = String::from("connect-failure,refused-stream,unavailable,cancelled");
    let codes: Vec<_> = retry.items("codes", report).collect();
    for (_, code) in codes {
        conditions.push_str(&format!(",{}", crate::node::to_json(code)));
    }
    Some(IstioRetries {
        attempts: retry.u32("attempts", report).unwrap_or(ATTEMPTS),
        retry_on: conditions,
        backoff_ms: retry.milliseconds("backoff", report),
        ..IstioRetries::default()
    })
}

/// The timeouts of a rule: that of a request to a backend is one of an attempt if the rule has retries. 0 means no timeout.
fn read_timeouts(rule: &Message<'_, '_>, mut route: IstioRoute, report: &mut Report) -> IstioRoute {
    let Some(timeouts) = rule.message("timeouts", &TIMEOUTS, report) else {
        return route;
    };
    let mut stated = |field| {
        let time = timeouts.milliseconds(field, report);
        time.filter(|time| *time > 0)
    };
    route.timeout_ms = stated("request");
    if let Some(of_attempt) = stated("backendRequest") {
        match &mut route.retries {
            Some(retries) => retries.per_try_timeout_ms = Some(of_attempt),
            None => route.timeout_ms = Some(of_attempt),
        }
    }
    route
}
