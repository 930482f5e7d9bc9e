//! Conditions of rules, and the order of rules that they give.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::route::{
    HeaderMatch, HeaderMatcher, PathMatch, QueryMatch, QueryMatcher, RouteMatch, StringMatch,
    TextMatch,
};

use crate::{
    mesh::istio::compiled,
    node::to_json,
    proto::{Message, Report, Schema},
};

pub(super) static HTTP_MATCH: Schema =
    Schema::new("match", "path headers queryParams method").of("HTTPRoute.rules.matches");
pub(super) static GRPC_MATCH: Schema =
    Schema::new("match", "method headers").of("GRPCRoute.rules.matches");
pub(super) static PATH: Schema =
    Schema::new("path", "type value").of("HTTPRoute.rules.matches.path");
pub(super) static VALUE_MATCH: Schema =
    Schema::new("condition", "name type value").of("HTTPRoute.rules.matches.headers");
pub(super) static GRPC_METHOD: Schema =
    Schema::new("method", "type service method").of("GRPCRoute.rules.matches.method");

/// The place of a rule among those of a host: higher ones come first (`sortHTTPRoutes`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleRank {
    /// Exact paths, then prefixes, then regular expressions, then no condition on the path.
    kind: u8,
    /// The length of the path.
    length: usize,
    /// Whether there is a condition on the method.
    method: bool,
    /// The number of conditions on headers.
    headers: usize,
    /// The number of conditions on query parameters.
    query: usize,
}

/// The condition of one entry of `matches`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ReadMatch {
    /// As a short text; empty matches everything.
    pub(super) text: String,
    /// As that of a route; `None` if it is not converted.
    pub(super) request: Option<RouteMatch>,
    pub(super) rank: RuleRank,
    /// The prefix of its paths, without `/` at the end; empty without one.
    pub(super) prefix: String,
}

impl ReadMatch {
    /// The prefix `/`.
    pub(super) fn all() -> Self {
        Self {
            rank: RuleRank {
                kind: 2,
                length: 1,
                ..RuleRank::default()
            },
            ..Self::default()
        }
    }
}

/// A condition on the path, or on a value.
enum Condition {
    Exact(String),
    Prefix(String),
    Regex(String),
}

/// The condition of an HTTPRoute; without a path, the API server adds the prefix `/`.
pub(super) fn read_http_match(of: &Message<'_, '_>, report: &mut Report) -> ReadMatch {
    let path = of.message("path", &PATH, report);
    let value = path.as_ref().map(|path| path.text("value", report));
    let value = value
        .filter(|value| !value.is_empty())
        .unwrap_or_else(|| "/".into());
    let kind = path
        .as_ref()
        .map(|path| path.text("type", report))
        .unwrap_or_default();
    let path = match kind.as_str() {
        "Exact" => Condition::Exact(value),
        "RegularExpression" => Condition::Regex(value),
        _ => Condition::Prefix(match value.strip_suffix('/') {
            Some(rest) if !rest.is_empty() => rest.into(),
            _ => value,
        }),
    };
    let method = of.text("method", report);
    read(of, Some(path), &method, report)
}

/// The condition of a GRPCRoute: the path is `/SERVICE/METHOD` (`createGRPCURIMatch`).
pub(super) fn read_grpc_match(of: &Message<'_, '_>, report: &mut Report) -> ReadMatch {
    let path = of.message("method", &GRPC_METHOD, report).map(|method| {
        let service = method.text("service", report);
        let name = method.text("method", report);
        let exact = method.text("type", report) != "RegularExpression";
        match (service.as_str(), name.as_str(), exact) {
            (service, "", true) => Condition::Prefix(format!("/{service}/")),
            (service, "", false) => Condition::Regex(format!("/{service}/.+")),
            ("", name, _) => Condition::Regex(format!("/[^/]+/{name}")),
            (service, name, true) => Condition::Exact(format!("/{service}/{name}")),
            (service, name, false) => Condition::Regex(format!("/{service}/{name}")),
        }
    });
    read(of, path, "", report)
}

fn read(
    of: &Message<'_, '_>,
    path: Option<Condition>,
    method: &str,
    report: &mut Report,
) -> ReadMatch {
    let headers = values(of, "headers", report);
    let query = values(of, "queryParams", report);
    let rank = RuleRank {
        kind: match &path {
            Some(Condition::Exact(_)) => 3,
            Some(Condition::Prefix(_)) => 2,
            Some(Condition::Regex(_)) => 1,
            None => 0,
        },
        length: match &path {
            Some(Condition::Exact(text) | Condition::Prefix(text) | Condition::Regex(text)) => {
                text.len()
            }
            None => 0,
        },
        method: !method.is_empty(),
        headers: headers.len(),
        query: query.len(),
    };
    let every = match &path {
        None => true,
        Some(Condition::Prefix(text)) => text == "/",
        Some(_) => false,
    };
    let prefix = match &path {
        Some(Condition::Prefix(text)) => text.trim_end_matches('/').into(),
        _ => String::new(),
    };
    let is_all = every && method.is_empty() && headers.is_empty() && query.is_empty();
    ReadMatch {
        text: if is_all { String::new() } else { text(of) },
        request: request(path, method, headers, query, report),
        rank,
        prefix,
    }
}

/// The conditions as JSON.
fn text(of: &Message<'_, '_>) -> String {
    let parts = of
        .entries
        .iter()
        .map(|entry| format!("\"{}\":{}", entry.key.name, to_json(&entry.node)));
    let parts: Vec<String> = parts.collect();
    format!("{{{}}}", parts.join(","))
}

/// Named conditions; later ones for the same name have no effect.
fn values(
    of: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Vec<(String, Condition)> {
    let mut found: Vec<(String, Condition)> = Vec::new();
    for (path, node) in of.items(field, report) {
        let Some(one) = Message::open(node, path, &VALUE_MATCH, report) else {
            continue;
        };
        let (name, value) = (one.text("name", report), one.text("value", report));
        let condition = match one.text("type", report).as_str() {
            "RegularExpression" => Condition::Regex(value),
            _ => Condition::Exact(value),
        };
        if found.iter().all(|(known, _)| *known != name) {
            found.push((name, condition));
        }
    }
    found
}

fn request(
    path: Option<Condition>,
    method: &str,
    headers: Vec<(String, Condition)>,
    query: Vec<(String, Condition)>,
    report: &Report,
) -> Option<RouteMatch> {
    let mut request = RouteMatch::path(match path {
        None => PathMatch::Prefix("/".into()),
        Some(Condition::Exact(text)) => PathMatch::Exact(text),
        Some(Condition::Regex(text)) => PathMatch::Regex(compiled(&text, report)?),
        Some(Condition::Prefix(text)) if text == "/" => PathMatch::Prefix(text),
        Some(Condition::Prefix(text)) => {
            PathMatch::PathSeparatedPrefix(text.trim_end_matches('/').into())
        }
    });
    if !method.is_empty() {
        let method = string(Condition::Exact(method.into()), report)?;
        request.headers.push(header(":method".into(), method));
    }
    for (name, condition) in headers {
        let text = string(condition, report)?;
        request
            .headers
            .push(header(name.to_ascii_lowercase(), text));
    }
    for (name, condition) in query {
        let matcher = QueryMatcher::Text(string(condition, report)?);
        request.query_parameters.push(QueryMatch { name, matcher });
    }
    Some(request)
}

fn string(condition: Condition, report: &Report) -> Option<StringMatch> {
    Some(StringMatch {
        text: match condition {
            Condition::Exact(text) => TextMatch::Exact(text),
            Condition::Prefix(text) => TextMatch::Prefix(text),
            Condition::Regex(text) => TextMatch::Regex(compiled(&text, report)?),
        },
        ignore_case: false,
    })
}

const fn header(name: String, text: StringMatch) -> HeaderMatch {
    HeaderMatch {
        name,
        matcher: HeaderMatcher::Text(text),
        invert: false,
        missing_as_empty: false,
    }
}
