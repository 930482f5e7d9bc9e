//! Requests at the edges of conditions: those that a condition of another kind, or with another bound, treats
//! otherwise.

use spillgate_core::route::{HeaderMatch, HeaderMatcher, RouteMatch};

use super::example::{ExampleRequest, text_of};

/// Requests that differ in one place each from this one, which was built for these conditions.
pub(crate) fn edges(example: &ExampleRequest, matcher: &RouteMatch) -> Vec<ExampleRequest> {
    let mut found = Vec::new();
    let mut with = |name: &str, value: Option<String>| {
        let mut edge = example.clone();
        let place = edge.headers.iter().position(|(known, _)| known == name);
        match (place, value) {
            (Some(place), None) => {
                edge.headers.remove(place);
            }
            (Some(place), Some(value)) => {
                if let Some((_, known)) = edge.headers.get_mut(place) {
                    *known = value;
                }
            }
            (None, Some(value)) => edge.headers.push((name.to_owned(), value)),
            (None, None) => return,
        }
        found.push(edge);
    };
    let value_of = |name: &str| {
        let mut headers = example.headers.iter();
        let header = headers.find(|(known, _)| known == name);
        header.map(|(_, value)| value.as_str())
    };
    if let Some(target) = value_of(":path") {
        for edge in targets(target, matcher) {
            with(":path", Some(edge));
        }
    }
    if let Some(host) = value_of(":authority") {
        for end in [":8080", "."] {
            with(":authority", Some(format!("{host}{end}")));
        }
    }
    for header in &matcher.headers {
        for value in values(header, value_of(&header.name)) {
            with(&header.name, value);
        }
    }
    if let Some(cookies) = value_of("cookie") {
        for edge in parts(cookies, "; ") {
            with("cookie", edge);
        }
    }
    if matcher.grpc {
        with("content-type", Some(String::from("application/grpc+proto")));
        with("content-type", None);
    }
    found
}

/// Paths at the edges of the path and of the conditions on query parameters.
fn targets(target: &str, matcher: &RouteMatch) -> Vec<String> {
    let (path, query) = match target.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (target, None),
    };
    let paths = [
        other_case(path),
        format!("{path}x"),
        format!("{path}/x"),
        format!("{path}/"),
        format!("{path};a=b"),
        format!("/{path}"),
    ];
    let shorter = path.strip_suffix(|_: char| true);
    let shorter = shorter.filter(|path| !path.is_empty()).map(str::to_owned);
    let whole = |path: String| match query {
        Some(query) => format!("{path}?{query}"),
        None => path,
    };
    let mut found: Vec<String> = paths.into_iter().chain(shorter).map(whole).collect();
    if let Some(query) = query {
        let edges = parts(query, "&").into_iter();
        found.extend(edges.map(|edge| match edge {
            Some(query) => format!("{path}?{query}"),
            None => path.to_owned(),
        }));
    }
    for parameter in &matcher.query_parameters {
        let separator = if query.is_some() { '&' } else { '?' };
        found.push(format!("{target}{separator}{}=x", parameter.name));
    }
    found
}

/// The values at the edges of a condition on a header; `None` is a missing header.
fn values(header: &HeaderMatch, present: Option<&str>) -> Vec<Option<String>> {
    let of_condition = match &header.matcher {
        HeaderMatcher::Range { start, end } => {
            let bounds = [
                start.checked_sub(1),
                Some(*start),
                end.checked_sub(1),
                Some(*end),
            ];
            let bounds = bounds.into_iter().flatten();
            bounds.map(|bound| bound.to_string()).collect()
        }
        HeaderMatcher::Text(text) => vec![text_of(text)],
        HeaderMatcher::Present(_) => vec![String::from("x")],
    };
    let mut found: Vec<Option<String>> = of_condition.into_iter().map(Some).collect();
    match (header.name.as_str(), present) {
        // Envoy refuses other methods.
        (":method", _) => {
            let methods = ["GET", "HEAD", "POST"];
            found.extend(methods.map(|method| Some(method.to_owned())));
        }
        (name, Some(value)) => {
            found.extend(near(value).map(Some));
            if !name.starts_with(':') {
                found.push(None);
            }
        }
        (_, None) => {}
    }
    found.retain(|value| value.as_deref() != present);
    found
}

/// A list of names with values, with another value of each, and without it.
fn parts(list: &str, separator: &str) -> Vec<Option<String>> {
    let parts: Vec<&str> = list.split(separator).collect();
    let mut found = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let Some((name, value)) = part.split_once('=') else {
            continue;
        };
        let mut edges: Vec<Option<String>> = near(value)
            .into_iter()
            .map(|value| Some(format!("{name}={value}")))
            .collect();
        edges.push(None);
        for edge in edges {
            let all = parts.iter().enumerate().filter_map(|(at, part)| {
                if at == place {
                    edge.clone()
                } else {
                    Some((*part).to_owned())
                }
            });
            let all: Vec<String> = all.collect();
            found.push((!all.is_empty()).then(|| all.join(separator)));
        }
    }
    found
}

/// Texts that a prefix, a suffix, a contained text, or a comparison with another case matches.
fn near(value: &str) -> [String; 3] {
    [format!("{value}x"), format!("x{value}"), other_case(value)]
}

fn other_case(text: &str) -> String {
    let swap = |letter: char| {
        if letter.is_ascii_lowercase() {
            letter.to_ascii_uppercase()
        } else {
            letter.to_ascii_lowercase()
        }
    };
    text.chars().map(swap).collect()
}
