//! Requests that match the conditions of routes.

use std::collections::BTreeSet;

use spillgate_core::route::{
    HeaderList, HeaderMatch, HeaderMatcher, MatchResult, PathMatch, PathParameters, QueryMatcher,
    Route, RouteMatch, StringMatch, TextMatch,
};

use super::regex_example::example_of;

/// An example request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExampleRequest {
    /// The condition of the route that it was built for.
    pub(crate) matches: String,
    /// Its headers, with `:method`, `:authority` and `:path`.
    pub(crate) headers: Vec<(String, String)>,
}

/// Requests for a domain that match the conditions of these routes, the most specific path first; and one for a
/// path that probably none of them has.
pub(crate) fn examples(domain: &str, routes: &[&Route]) -> Vec<ExampleRequest> {
    let host = host(domain);
    let mut found: Vec<ExampleRequest> = Vec::new();
    let mut known = BTreeSet::new();
    for route in routes {
        for path in paths(&route.matcher) {
            let example = ExampleRequest {
                matches: condition(&route.matcher),
                headers: request(&host, &path, &route.matcher),
            };
            let fits = route
                .matcher
                .fit(&HeaderList(&example.headers), PathParameters::Keep);
            if fits != MatchResult::No && known.insert(example.headers.clone()) {
                found.push(example);
            }
        }
    }
    let headers = request(
        &host,
        UNUSUAL_PATH,
        &RouteMatch::path(PathMatch::Prefix("/".into())),
    );
    found.push(ExampleRequest {
        matches: String::from(OTHER_PATHS),
        headers,
    });
    found
}

/// The condition of the request for a path that probably no route has.
pub(crate) const OTHER_PATHS: &str = "other paths";
const UNUSUAL_PATH: &str = "/spillgate-other";

/// A host of a domain.
fn host(domain: &str) -> String {
    match (domain.strip_prefix('*'), domain.strip_suffix('*')) {
        (Some(""), _) => String::from("other.example"),
        (Some(suffix), _) => format!("www{suffix}"),
        (_, Some(prefix)) => format!("{prefix}example"),
        _ => domain.to_owned(),
    }
}

/// Paths that match.
fn paths(matcher: &RouteMatch) -> Vec<String> {
    match &matcher.path {
        PathMatch::Exact(path) => vec![path.clone()],
        PathMatch::Prefix(prefix) if prefix.starts_with('/') => {
            vec![prefix.clone(), format!("{prefix}x")]
        }
        PathMatch::Prefix(prefix) => vec![format!("/{prefix}")],
        PathMatch::PathSeparatedPrefix(prefix) => vec![prefix.clone(), format!("{prefix}/x")],
        PathMatch::Regex(pattern) => example_of(pattern.source()).into_iter().collect(),
        PathMatch::Unmodeled => vec![String::from("/")],
    }
}

/// The headers of a request that meets all conditions, as far as a text that meets each of them is known.
fn request(host: &str, path: &str, matcher: &RouteMatch) -> Vec<(String, String)> {
    let mut path = path.to_owned();
    for query in &matcher.query_parameters {
        let value = match &query.matcher {
            QueryMatcher::Present(false) => continue,
            QueryMatcher::Present(true) => String::from("x"),
            QueryMatcher::Text(text) => text_of(text),
        };
        let separator = if path.contains('?') { '&' } else { '?' };
        path.push_str(&format!("{separator}{}={value}", query.name));
    }
    let mut headers = vec![
        (String::from(":method"), String::from("GET")),
        (String::from(":authority"), host.to_owned()),
        (String::from(":path"), path),
    ];
    let mut set =
        |name: &str, value: String| match headers.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => headers.push((name.to_owned(), value)),
        };
    for header in &matcher.headers {
        if let Some(value) = header_of(header) {
            set(&header.name, value);
        }
    }
    let cookies = matcher.cookies.iter().filter(|cookie| !cookie.invert);
    let cookies: Vec<String> = cookies
        .map(|cookie| format!("{}={}", cookie.name, text_of(&cookie.text)))
        .collect();
    if !cookies.is_empty() {
        set("cookie", cookies.join("; "));
    }
    if matcher.grpc {
        set(":method", String::from("POST"));
        set("content-type", String::from("application/grpc"));
    }
    headers
}

/// A value for which the condition holds; `None` for a missing header.
fn header_of(header: &HeaderMatch) -> Option<String> {
    let other = || Some(String::from("spillgate-other"));
    match (&header.matcher, header.invert) {
        (HeaderMatcher::Present(present), invert) => {
            (*present != invert).then(|| String::from("x"))
        }
        (HeaderMatcher::Text(text), false) => Some(text_of(text)),
        (HeaderMatcher::Range { start, .. }, false) => Some(start.to_string()),
        (HeaderMatcher::Range { end, .. }, true) => Some(end.to_string()),
        (HeaderMatcher::Text(_), true) if header.missing_as_empty => None,
        (HeaderMatcher::Text(_), true) => other(),
    }
}

/// A text for which the condition holds.
fn text_of(text: &StringMatch) -> String {
    match &text.text {
        TextMatch::Exact(text)
        | TextMatch::Prefix(text)
        | TextMatch::Suffix(text)
        | TextMatch::Contains(text) => text.clone(),
        TextMatch::Regex(pattern) => example_of(pattern.source()).unwrap_or_default(),
    }
}

/// The condition as a short text.
pub(crate) fn condition(matcher: &RouteMatch) -> String {
    let mut text = match &matcher.path {
        PathMatch::Exact(path) => path.clone(),
        PathMatch::Prefix(prefix) => format!("{prefix}*"),
        PathMatch::PathSeparatedPrefix(prefix) => format!("{prefix}/*"),
        PathMatch::Regex(pattern) => format!("~{}", pattern.source()),
        PathMatch::Unmodeled => String::from("a path condition that is not modeled"),
    };
    let names = matcher.headers.iter().map(|header| header.name.as_str());
    let names: Vec<&str> = names.collect();
    if !names.is_empty() {
        text.push_str(&format!(" with {}", names.join(", ")));
    }
    text
}
