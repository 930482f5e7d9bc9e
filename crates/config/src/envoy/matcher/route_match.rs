//! `RouteMatch`: the conditions of a route.

use alloc::format;

use spillgate_core::route::{PathMatch, RouteMatch};

use super::{Modeled, read_cookie, read_fraction, read_header, read_query_parameter, read_regex};
use crate::{
    envoy::schema::ROUTE_MATCH,
    node::{Node, NodeValue},
    proto::{Message, Report, Schema, field_of},
};

const PATHS: [&str; 6] = [
    "prefix",
    "path",
    "path_separated_prefix",
    "safe_regex",
    "connect_matcher",
    "path_match_policy",
];

/// Conditions on data that requests do not show.
const HIDDEN: [&str; 3] = ["tls_context", "dynamic_metadata", "filter_state"];
/// Those of connections without TLS.
const HIDDEN_WITHOUT_TLS: [&str; 2] = ["dynamic_metadata", "filter_state"];

/// The fields that [`read_match`] reads.
pub(crate) fn route_match_schema() -> &'static Schema {
    &ROUTE_MATCH
}

/// Reads a `RouteMatch`; `None` after an error, and for a match that no request fulfills. A
/// condition that is not modeled is reported, and the match names it.
pub(crate) fn read_match(message: &Message<'_, '_>, report: &mut Report) -> Option<RouteMatch> {
    read_with(message, &HIDDEN, report)
}

/// As [`read_match`], for connections without TLS: no client has a certificate.
pub(in crate::envoy) fn read_match_without_tls(
    message: &Message<'_, '_>,
    report: &mut Report,
) -> Option<RouteMatch> {
    let matcher = read_with(message, &HIDDEN_WITHOUT_TLS, report)?;
    let context = message.get("tls_context");
    (!context.is_some_and(requires_certificate)).then_some(matcher)
}

/// Whether a `tls_context` requires that the client has a certificate.
fn requires_certificate(context: &Node<'_>) -> bool {
    let is_true = |field| {
        let node = field_of(context, field)?;
        let value = field_of(node, "value").unwrap_or(node);
        Some(value.value == NodeValue::Bool(true))
    };
    let mut fields = ["presented", "validated"].into_iter();
    fields.any(|field| is_true(field) == Some(true))
}

/// Reads a match with these conditions that are not modeled.
fn read_with(
    message: &Message<'_, '_>,
    hidden: &[&'static str],
    report: &mut Report,
) -> Option<RouteMatch> {
    message.one_of(&PATHS, report);
    let errors = report.errors();
    let mut matcher = RouteMatch::path(PathMatch::Unmodeled);
    matcher.case_sensitive = message.bool("case_sensitive", report).unwrap_or(true);
    matcher.grpc = message.has("grpc");
    let mut left_out = hidden.iter().copied().find(|field| message.has(field));
    match read_path(message, report) {
        Ok(path) => matcher.path = path.unwrap_or(PathMatch::Unmodeled),
        Err(field) => left_out = Some(field),
    }
    for (path, node) in message.list("headers", report) {
        match read_header(node, path, report) {
            Ok(header) => matcher.headers.extend(header),
            Err(field) => left_out = Some(field),
        }
    }
    for (path, node) in message.list("query_parameters", report) {
        match read_query_parameter(node, path, report) {
            Ok(parameter) => matcher.query_parameters.extend(parameter),
            Err(field) => left_out = Some(field),
        }
    }
    for (path, node) in message.list("cookies", report) {
        match read_cookie(node, path, report) {
            Ok(cookie) => matcher.cookies.extend(cookie),
            Err(field) => left_out = Some(field),
        }
    }
    matcher.fraction = read_fraction(message, report).filter(|fraction| !fraction.is_always());
    if report.errors() > errors || matcher.fraction.is_some_and(|fraction| fraction.is_never()) {
        return None;
    }
    // The filter sees no random number.
    if matcher.fraction.is_some() && report.is_strict() {
        left_out = Some("runtime_fraction");
    }
    if let Some(field) = left_out {
        not_modeled(message, field, "a match with", report);
        matcher.unmodeled = Some(field);
    }
    Some(matcher)
}

fn read_path(message: &Message<'_, '_>, report: &mut Report) -> Modeled<PathMatch> {
    match PATHS.into_iter().find(|field| message.has(field)) {
        None => {
            message
                .error("prefix", "config/missing", "match without a path")
                .expected("prefix, path, path_separated_prefix or safe_regex")
                .push_to(report);
            Ok(None)
        }
        Some(field @ "prefix") => {
            let prefix = message.string(field, report);
            Ok(prefix.map(|prefix| PathMatch::Prefix(prefix.into())))
        }
        Some(field @ "path") => {
            let path = message.string(field, report);
            Ok(path.map(|path| PathMatch::Exact(path.into())))
        }
        Some("path_separated_prefix") => Ok(separated_prefix(message, report)),
        Some(field @ "safe_regex") => {
            let pattern = read_regex(message, field, report)?;
            Ok(pattern.map(PathMatch::Regex))
        }
        Some(field) => Err(field),
    }
}

/// `/a` matches `/a` itself and everything below `/a/`.
fn separated_prefix(message: &Message<'_, '_>, report: &mut Report) -> Option<PathMatch> {
    let field = "path_separated_prefix";
    let prefix = message.string(field, report)?;
    if prefix.len() < 2 || prefix.ends_with('/') || prefix.contains(['?', '#']) {
        message
            .error(field, "config/value", "not a path-separated prefix")
            .expected("a path such as /a, without a trailing slash")
            .push_to(report);
        return None;
    }
    Some(PathMatch::PathSeparatedPrefix(prefix.into()))
}

/// Reports a route that cannot be evaluated: the result for its requests is unknown.
pub(in crate::envoy) fn not_modeled(
    message: &Message<'_, '_>,
    field: &'static str,
    what: &'static str,
    report: &mut Report,
) {
    report.missing_feature(
        "config/route-not-modeled",
        &format!("{what} {field}"),
        "requests that reach it have an unknown result",
        &message.path.field(field),
        message.position_of(field),
    );
}
