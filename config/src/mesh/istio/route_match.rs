//! Conditions of a VirtualService on requests, as those of a route of Envoy.

use alloc::{string::String, vec::Vec};

use spillgate_core::route::{
    HeaderMatch, HeaderMatcher, PathMatch, QueryMatch, QueryMatcher, RouteMatch, StringMatch,
    TextMatch,
};

use crate::proto::{Message, Report};

/// The conditions of an entry of `match`; `None` if one of them is not converted, such as a regular
/// expression.
pub(super) fn read_request(entry: &Message<'_, '_>, report: &mut Report) -> Option<RouteMatch> {
    let path = match entry.object("uri", "StringMatch", report) {
        None => PathMatch::Prefix("/".into()),
        Some(uri) => match text_of(&uri, report)? {
            TextMatch::Exact(text) => PathMatch::Exact(text),
            TextMatch::Prefix(text) => PathMatch::Prefix(text),
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
            request
                .headers
                .push(header(name.into(), matcher(text), false));
        }
    }
    for (field, invert) in [("headers", false), ("withoutHeaders", true)] {
        for (name, found) in conditions(entry, field, report)? {
            // An empty condition asks for the presence of the header.
            let matcher = found.map_or(HeaderMatcher::Present(true), matcher);
            let name = name.to_ascii_lowercase();
            request.headers.push(header(name, matcher, invert));
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

/// The conditions of a map, by name; `None` for an empty one.
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
        let text = match condition.entries.is_empty() {
            true => None,
            false => Some(text_of(&condition, report)?),
        };
        found.push((name, text));
    }
    Some(found)
}

/// `exact` or `prefix` of a StringMatch.
fn text_of(of: &Message<'_, '_>, report: &mut Report) -> Option<TextMatch> {
    if let Some(text) = of.string("exact", report) {
        return Some(TextMatch::Exact(text.into()));
    }
    of.string("prefix", report)
        .map(|text| TextMatch::Prefix(text.into()))
}

fn matcher(text: TextMatch) -> HeaderMatcher {
    HeaderMatcher::Text(string(text))
}

fn string(text: TextMatch) -> StringMatch {
    StringMatch {
        text,
        ignore_case: false,
    }
}

fn header(name: String, matcher: HeaderMatcher, invert: bool) -> HeaderMatch {
    HeaderMatch {
        name,
        matcher,
        invert,
        missing_as_empty: false,
    }
}
