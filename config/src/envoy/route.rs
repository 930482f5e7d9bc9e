//! `RouteConfiguration`: virtual hosts, matches, actions.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_core::route::{PathMatch, Route, RouteAction, RouteMatch, RouteTable, VirtualHost};

use super::{
    hash_policy::read_hash_policies,
    headers::{ReadHeader, read_header},
    schema::{
        DIRECT_RESPONSE, REDIRECT, ROUTE, ROUTE_ACTION, ROUTE_CONFIGURATION, ROUTE_MATCH,
        VIRTUAL_HOST,
    },
};
use crate::{
    Diagnostic, Severity,
    node::{Node, Value},
    proto::{Message, Path, Report, Schema, nearest},
};

/// The names that routes may refer to; `None` when the text says nothing about clusters.
pub(super) type ClusterNames<'c> = Option<&'c BTreeSet<String>>;

/// Reads a route configuration.
pub(super) fn read_routes(
    node: &Node<'_>,
    path: Path,
    clusters: ClusterNames<'_>,
    report: &mut Report,
) -> RouteTable {
    let mut table = RouteTable::default();
    let Some(message) = Message::open(node, path, &ROUTE_CONFIGURATION, report) else {
        return table;
    };
    let unknown_cluster = match message.bool("validate_clusters", report) {
        Some(false) => Severity::Warning,
        _ => Severity::Error,
    };
    let context = Context {
        clusters,
        unknown_cluster,
    };
    let mut domains = BTreeSet::new();
    for (path, node) in message.list("virtual_hosts", report) {
        if let Some(host) = read_virtual_host(node, path, &context, &mut domains, report) {
            table.virtual_hosts.push(host);
        }
    }
    table
}

struct Context<'c> {
    clusters: ClusterNames<'c>,
    unknown_cluster: Severity,
}

fn read_virtual_host(
    node: &Node<'_>,
    path: Path,
    context: &Context<'_>,
    seen: &mut BTreeSet<String>,
    report: &mut Report,
) -> Option<VirtualHost> {
    let message = Message::open(node, path, &VIRTUAL_HOST, report)?;
    let name = message.required_string("name", report);
    let mut domains = Vec::new();
    for node in message.strings("domains", report) {
        let Value::String(domain) = &node.value else {
            continue;
        };
        if !seen.insert(domain.to_ascii_lowercase()) {
            report.push(
                Diagnostic::error(
                    "config/duplicate-domain",
                    "another virtual host has this domain",
                )
                .at(message.path.field("domains").text(), node.position)
                .found(node.describe()),
            );
        }
        domains.push(domain.as_ref().into());
    }
    if domains.is_empty() {
        report.push(
            message
                .error(
                    "domains",
                    "config/missing",
                    "a virtual host without domains",
                )
                .expected("a list such as [\"*\"]"),
        );
    }
    let mut routes = Vec::new();
    for (path, node) in message.list("routes", report) {
        read_route(node, path, context, &mut routes, report);
    }
    Some(VirtualHost {
        name: name?.into(),
        domains,
        routes,
    })
}

fn read_route(
    node: &Node<'_>,
    path: Path,
    context: &Context<'_>,
    routes: &mut Vec<Route>,
    report: &mut Report,
) {
    let Some(message) = Message::open(node, path, &ROUTE, report) else {
        return;
    };
    let name = message.string("name", report).unwrap_or_default();
    if !message.has("match") {
        report.push(message.error("match", "config/missing", "a route without a match"));
    }
    let matchers = message
        .message("match", &ROUTE_MATCH, report)
        .and_then(|matcher| read_match(&matcher, report));
    let action = read_action(&message, context, report);
    if let (Some(matchers), Some(action)) = (matchers, action) {
        routes.extend(matchers.into_iter().map(|matcher| Route {
            name: name.into(),
            matcher,
            action: action.clone(),
        }));
    }
}

/// The fields that [`read_match`] reads.
pub(crate) fn route_match_schema() -> &'static Schema {
    &ROUTE_MATCH
}

/// Reads a `RouteMatch`. A path-separated prefix gives two matches, everything else one; none
/// after an error and where a condition is not modelled, which is then reported.
pub(crate) fn read_match(
    message: &Message<'_, '_>,
    report: &mut Report,
) -> Option<Vec<RouteMatch>> {
    const PATHS: [&str; 6] = [
        "prefix",
        "path",
        "path_separated_prefix",
        "safe_regex",
        "connect_matcher",
        "path_match_policy",
    ];
    const CONDITIONS: [&str; 7] = [
        "runtime_fraction",
        "query_parameters",
        "cookies",
        "grpc",
        "tls_context",
        "dynamic_metadata",
        "filter_state",
    ];
    message.one_of(&PATHS, report);
    let case_sensitive = message.bool("case_sensitive", report).unwrap_or(true);
    let mut headers = Vec::new();
    let mut left_out = CONDITIONS.into_iter().find(|field| message.has(field));
    let errors = report.errors();
    for (path, node) in message.list("headers", report) {
        match read_header(node, path, report) {
            ReadHeader::Match(header) => headers.push(header),
            ReadHeader::NotModelled(field) => left_out = Some(field),
            ReadHeader::Faulty => {}
        }
    }
    let paths = match PATHS.into_iter().find(|field| message.has(field)) {
        None => {
            report.push(
                message
                    .error("prefix", "config/missing", "a match without a path")
                    .expected("prefix, path or path_separated_prefix"),
            );
            return None;
        }
        Some("prefix") => Vec::from([PathMatch::Prefix(message.string("prefix", report)?.into())]),
        Some("path") => Vec::from([PathMatch::Exact(message.string("path", report)?.into())]),
        Some("path_separated_prefix") => separated_prefix(message, report)?,
        Some(other) => {
            left_out = Some(other);
            Vec::new()
        }
    };
    if let Some(field) = left_out {
        leave_out(message, field, "a match with", report);
        return None;
    }
    if report.errors() > errors {
        return None;
    }
    let matcher = |path| RouteMatch {
        path,
        case_sensitive,
        headers: headers.clone(),
    };
    Some(paths.into_iter().map(matcher).collect())
}

/// `/a` stands for `/a` itself and for everything below `/a/`.
fn separated_prefix(message: &Message<'_, '_>, report: &mut Report) -> Option<Vec<PathMatch>> {
    let field = "path_separated_prefix";
    let prefix = message.required_string(field, report)?;
    if !prefix.starts_with('/') || prefix.ends_with('/') || prefix.contains(['?', '#']) {
        report.push(
            message
                .error(field, "config/value", "not a path-separated prefix")
                .expected("a path that begins with / and does not end with it"),
        );
        return None;
    }
    let below = format!("{prefix}/");
    Some(Vec::from([
        PathMatch::Exact(prefix.into()),
        PathMatch::Prefix(below),
    ]))
}

fn read_action(
    message: &Message<'_, '_>,
    context: &Context<'_>,
    report: &mut Report,
) -> Option<RouteAction> {
    const ACTIONS: [&str; 5] = [
        "route",
        "redirect",
        "direct_response",
        "filter_action",
        "non_forwarding_action",
    ];
    message.one_of(&ACTIONS, report);
    match ACTIONS.into_iter().find(|action| message.has(action)) {
        Some("route") => {
            let action = message.message("route", &ROUTE_ACTION, report)?;
            read_forward(&action, context, report)
        }
        Some("redirect") => read_redirect(message, report),
        Some("direct_response") => read_direct_response(message, report),
        Some(action) => {
            leave_out(message, action, "a route with", report);
            None
        }
        None => {
            report.push(
                message
                    .error("route", "config/missing", "a route without an action")
                    .expected("route, redirect or direct_response"),
            );
            None
        }
    }
}

fn read_forward(
    action: &Message<'_, '_>,
    context: &Context<'_>,
    report: &mut Report,
) -> Option<RouteAction> {
    const TARGETS: [&str; 5] = [
        "cluster",
        "cluster_header",
        "weighted_clusters",
        "cluster_specifier_plugin",
        "inline_cluster_specifier_plugin",
    ];
    action.one_of(&TARGETS, report);
    let hash_policies = read_hash_policies(action, "hash_policy", report);
    let target = TARGETS.into_iter().find(|target| action.has(target));
    if let Some(target) = target.filter(|target| *target != "cluster") {
        leave_out(action, target, "a route with", report);
        return None;
    }
    let cluster = action.required_string("cluster", report)?;
    if let Some(clusters) = context.clusters
        && !clusters.contains(cluster)
    {
        let mut diagnostic = action
            .error(
                "cluster",
                "config/unknown-cluster",
                "no cluster has this name",
            )
            .suggest(nearest(cluster, clusters.iter().map(String::as_str)));
        diagnostic.severity = context.unknown_cluster;
        report.push(diagnostic);
    }
    Some(RouteAction::Cluster {
        cluster: cluster.into(),
        hash_policies,
    })
}

fn read_redirect(message: &Message<'_, '_>, report: &mut Report) -> Option<RouteAction> {
    const RESPONSE_CODE: [(&str, i64, u16); 5] = [
        ("MOVED_PERMANENTLY", 0, 301),
        ("FOUND", 1, 302),
        ("SEE_OTHER", 2, 303),
        ("TEMPORARY_REDIRECT", 3, 307),
        ("PERMANENT_REDIRECT", 4, 308),
    ];
    let redirect = message.message("redirect", &REDIRECT, report)?;
    let status = redirect
        .enumeration("response_code", &RESPONSE_CODE, report)
        .unwrap_or(301);
    Some(RouteAction::Respond { status })
}

fn read_direct_response(message: &Message<'_, '_>, report: &mut Report) -> Option<RouteAction> {
    let direct = message.message("direct_response", &DIRECT_RESPONSE, report)?;
    let status = direct.u32("status", report).map(u16::try_from);
    if let Some(Ok(status @ 200..=599)) = status {
        return Some(RouteAction::Respond { status });
    }
    if status.is_some() || !direct.has("status") {
        report.push(
            direct
                .error("status", "config/value", "not a status to answer with")
                .expected("a whole number from 200 to 599"),
        );
    }
    None
}

/// A route that cannot be evaluated is left out rather than guessed at.
fn leave_out(
    message: &Message<'_, '_>,
    field: &'static str,
    what: &'static str,
    report: &mut Report,
) {
    report.missing_feature(
        "config/route-not-modelled",
        &format!("{what} {field}"),
        "the route is left out",
        &message.path.field(field),
        message.position_of(field),
    );
}
