//! Conditions of a VirtualService on requests, as those of a route of Envoy.

use alloc::{string::String, vec::Vec};

use spillgate_core::route::{
    HeaderMatch, HeaderMatcher, PathMatch, QueryMatch, QueryMatcher, RouteMatch, StringMatch,
    TextMatch,
};

use super::request_changes::compiled;
use crate::proto::{Message, Report};

/// The conditions of an entry of `match`; `None` if one of them is not converted: regular expressions
/// without a compiler, claims of a token, SNI.
pub(super) fn read_request(entry: &Message<'_, '_>, report: &mut Report) -> Option<RouteMatch> {
    let path = match entry.object("uri", "StringMatch", report) {
        None => PathMatch::Prefix("/".into()),
        Some(uri) => match text_of(&uri, report)? {
            TextMatch::Exact(text) => PathMatch::Exact(text),
            TextMatch::Prefix(text) => PathMatch::Prefix(text),
            TextMatch::Regex(pattern) => PathMatch::Regex(pattern),
            _ => return None,
        },
    };
    let mut request = RouteMatch::path(path);
    request.case_sensitive = entry.bool("ignoreUriCase", report) != Some(true);
    for (field, name) in [
        ("scheme", ":scheme"),
        ("method", ":method"),
        ("authority", ":authority"),
    ] {
        if let Some(condition) = entry.object(field, "StringMatch", report) {
            let text = text_of(&condition, report)?;
            request.headers.push(header(name.into(), matcher(text)));
        }
    }
    for (field, invert) in [("headers", false), ("withoutHeaders", true)] {
        for (name, found) in conditions(entry, field, report)? {
            let name = name.to_ascii_lowercase();
            if name.starts_with(CLAIMS) {
                return None;
            }
            // Without the header, an inverted condition on its text holds.
            let missing_as_empty = invert && found.is_some();
            // An empty condition asks for the presence of the header.
            let matcher = found.map_or(HeaderMatcher::Present(true), matcher);
            request.headers.push(HeaderMatch {
                invert,
                missing_as_empty,
                ..header(name, matcher)
            });
        }
    }
    for (name, found) in conditions(entry, "queryParams", report)? {
        let matcher = match found {
            None => QueryMatcher::Present(true),
            Some(text) => QueryMatcher::Text(string(text)),
        };
        request.query_parameters.push(QueryMatch { name, matcher });
    }
    let unconverted = ["sniHosts", "destinationSubnets"];
    (!unconverted.iter().any(|field| entry.has(field))).then_some(request)
}

/// How the names of conditions on the claims of a token start (`ToRoutingClaim`).
const CLAIMS: &str = "@request.auth.claims";

/// The conditions of a map, by name; `None` for one that asks for presence: an empty one, or the regular
/// expression `*`.
fn conditions(
    entry: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Option<Vec<(String, Option<TextMatch>)>> {
    let mut found = Vec::new();
    let Some(map) = entry.object(field, "conditions by name", report) else {
        return Some(found);
    };
    for one in map.entries {
        let name: String = one.key.name.as_ref().into();
        let path = map.path.field(name.clone());
        let condition = Message::open_partly(&one.node, path, "StringMatch", report)?;
        let any = condition.string("regex", report) == Some("*");
        let text = if condition.entries.is_empty() || any {
            None
        } else {
            Some(text_of(&condition, report)?)
        };
        found.push((name, text));
    }
    Some(found)
}

/// `exact`, `prefix` or `regex` of a StringMatch.
fn text_of(of: &Message<'_, '_>, report: &mut Report) -> Option<TextMatch> {
    if let Some(pattern) = of.string("regex", report) {
        return compiled(pattern, report).map(TextMatch::Regex);
    }
    if let Some(text) = of.string("exact", report) {
        return Some(TextMatch::Exact(text.into()));
    }
    of.string("prefix", report)
        .map(|text| TextMatch::Prefix(text.into()))
}

pub(super) fn matcher(text: TextMatch) -> HeaderMatcher {
    HeaderMatcher::Text(string(text))
}

pub(super) fn string(text: TextMatch) -> StringMatch {
    StringMatch {
        text,
        ignore_case: false,
    }
}

pub(super) const fn header(name: String, matcher: HeaderMatcher) -> HeaderMatch {
    HeaderMatch {
        name,
        matcher,
        invert: false,
        missing_as_empty: false,
    }
}
