//! Requests that match the conditions of routes.

use std::collections::BTreeSet;

use spillgate_core::route::{
    ClusterName, HeaderList, HeaderMatch, HeaderMatcher, MatchResult, PathMatch, PathParameters,
    QueryMatcher, Route, RouteAction, RouteMatch, RouteTarget, StringMatch, TextMatch,
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
/// path that probably none of them has. A header that names the cluster names this one.
pub(crate) fn examples(
    domain: &str,
    routes: &[&Route],
    cluster: Option<&str>,
) -> Vec<ExampleRequest> {
    let mut known = BTreeSet::new();
    let of_routes = routes.iter();
    let mut found: Vec<ExampleRequest> = of_routes
        .flat_map(|route| examples_of(domain, route, cluster))
        .filter(|example| known.insert(example.headers.clone()))
        .collect();
    let headers = request(
        &host(domain),
        UNUSUAL_PATH,
        &RouteMatch::path(PathMatch::Prefix("/".into())),
    );
    found.push(ExampleRequest {
        matches: String::from(OTHER_PATHS),
        headers,
    });
    found
}

/// Requests for a domain that match the conditions of a route.
pub(crate) fn examples_of(
    domain: &str,
    route: &Route,
    cluster: Option<&str>,
) -> Vec<ExampleRequest> {
    let host = host(domain);
    let of_path = |path: String| {
        let mut headers = request(&host, &path, &route.matcher);
        for name in cluster_headers(route) {
            if let Some(cluster) = cluster
                && headers.iter().all(|(known, _)| known != name)
            {
                headers.push((name.to_owned(), cluster.to_owned()));
            }
        }
        let fits = route
            .matcher
            .fit(&HeaderList(&headers), PathParameters::Keep);
        (fits != MatchResult::No).then(|| ExampleRequest {
            matches: condition(&route.matcher),
            headers,
        })
    };
    paths(&route.matcher)
        .into_iter()
        .filter_map(of_path)
        .collect()
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

/// The headers that name clusters of a route.
fn cluster_headers(route: &Route) -> impl Iterator<Item = &str> {
    let clusters: Vec<&ClusterName> = match &route.action {
        RouteAction::Forward(forward) => match &forward.target {
            RouteTarget::One(name) => vec![name],
            RouteTarget::Weighted(weighted) => {
                weighted.clusters().iter().map(|of| &of.cluster).collect()
            }
            RouteTarget::Chosen(_) | RouteTarget::Matched(_) => Vec::new(),
        },
        _ => Vec::new(),
    };
    clusters.into_iter().filter_map(|name| match name {
        ClusterName::Header(header) => Some(header.as_str()),
        ClusterName::Name(_) => None,
    })
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
pub(super) fn text_of(text: &StringMatch) -> String {
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
