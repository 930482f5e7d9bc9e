//! The earlier routes that can take all requests of a later one, found without comparing each with each.

use alloc::{collections::BTreeMap, vec::Vec};

use spillgate_core::route::{
    HeaderMatcher, PathMatch, QueryMatcher, RouteMatch, StringMatch, TextMatch,
};

/// Routes by their path and their first further condition. Only routes whose path is a prefix or equal, and whose
/// further conditions the later route has too, can take all of its requests.
#[derive(Default)]
pub(super) struct EarlierRoutes<'r> {
    by_key: BTreeMap<Key<'r>, Vec<&'r RouteMatch>>,
}

/// What a later route must have in common with an earlier one.
type Key<'r> = (PathKind, &'r str, Option<Condition<'r>>);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PathKind {
    Prefix,
    Exact,
    Separated,
    Regex,
    Unmodeled,
}

/// A condition on a header, a query parameter or a cookie. Equal conditions have equal texts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Condition<'r> {
    name: &'r str,
    text: &'r str,
}

impl<'r> EarlierRoutes<'r> {
    /// Adds the next route.
    pub(super) fn push(&mut self, matcher: &'r RouteMatch) {
        let (kind, path) = path_of(&matcher.path);
        let key = (kind, path, conditions(matcher).next());
        self.by_key.entry(key).or_default().push(matcher);
    }

    /// The routes that can take all requests of a later one, in any order. Their conditions are to be compared.
    pub(super) fn candidates(&self, later: &'r RouteMatch) -> impl Iterator<Item = &'r RouteMatch> {
        let (kind, path) = path_of(&later.path);
        // Of a regular expression, only these are prefixes of all paths.
        let prefixed = if kind == PathKind::Regex { "/" } else { path };
        let ends = prefixed.char_indices().map(|(end, _)| end);
        let prefixes = ends.chain([prefixed.len()]).filter_map(|end| {
            let prefix = prefixed.get(..end)?;
            Some((PathKind::Prefix, prefix))
        });
        let equal = (kind != PathKind::Prefix).then_some((kind, path));
        prefixes.chain(equal).flat_map(move |(kind, path)| {
            let shared = conditions(later).map(Some).chain([None]);
            shared.flat_map(move |shared| {
                let routes = self.by_key.get(&(kind, path, shared));
                routes.into_iter().flatten().copied()
            })
        })
    }
}

fn path_of(path: &PathMatch) -> (PathKind, &str) {
    match path {
        PathMatch::Prefix(path) => (PathKind::Prefix, path),
        PathMatch::Exact(path) => (PathKind::Exact, path),
        PathMatch::PathSeparatedPrefix(path) => (PathKind::Separated, path),
        PathMatch::Regex(pattern) => (PathKind::Regex, pattern.source()),
        PathMatch::Unmodeled => (PathKind::Unmodeled, ""),
    }
}

fn conditions(matcher: &RouteMatch) -> impl Iterator<Item = Condition<'_>> {
    let headers = matcher.headers.iter().map(|header| Condition {
        name: &header.name,
        text: match &header.matcher {
            HeaderMatcher::Text(text) => text_of(text),
            HeaderMatcher::Present(_) | HeaderMatcher::Range { .. } => "",
        },
    });
    let queries = matcher.query_parameters.iter().map(|query| Condition {
        name: &query.name,
        text: match &query.matcher {
            QueryMatcher::Text(text) => text_of(text),
            QueryMatcher::Present(_) => "",
        },
    });
    let cookies = matcher.cookies.iter().map(|cookie| Condition {
        name: &cookie.name,
        text: text_of(&cookie.text),
    });
    headers.chain(queries).chain(cookies)
}

fn text_of(text: &StringMatch) -> &str {
    match &text.text {
        TextMatch::Exact(text)
        | TextMatch::Prefix(text)
        | TextMatch::Suffix(text)
        | TextMatch::Contains(text) => text,
        TextMatch::Regex(pattern) => pattern.source(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use spillgate_core::route::{CookieMatch, HeaderMatch, QueryMatch};

    use super::{super::fraction::covers, *};

    fn text(text: &str) -> StringMatch {
        StringMatch {
            text: TextMatch::Exact(text.into()),
            ignore_case: false,
        }
    }

    fn path() -> impl Strategy<Value = PathMatch> {
        const PATHS: &[&str] = &["", "/", "/a", "/a/", "/a/b", "/ab", "a"];
        (0..4_usize, prop::sample::select(PATHS)).prop_map(|(kind, path)| match kind {
            0 => PathMatch::Exact(path.into()),
            1 => PathMatch::PathSeparatedPrefix(path.into()),
            _ => PathMatch::Prefix(path.into()),
        })
    }

    fn matcher() -> impl Strategy<Value = RouteMatch> {
        let some = || prop::collection::vec(prop::sample::select(&["x", "y"]), 0..3);
        (path(), some(), some(), some(), any::<bool>()).prop_map(
            |(path, headers, queries, cookies, case_sensitive)| RouteMatch {
                case_sensitive,
                headers: headers
                    .into_iter()
                    .map(|name| HeaderMatch {
                        name: "h".into(),
                        matcher: HeaderMatcher::Text(text(name)),
                        invert: false,
                        missing_as_empty: false,
                    })
                    .collect(),
                query_parameters: queries
                    .into_iter()
                    .map(|name| QueryMatch {
                        name: name.into(),
                        matcher: QueryMatcher::Present(true),
                    })
                    .collect(),
                cookies: cookies
                    .into_iter()
                    .map(|name| CookieMatch {
                        name: name.into(),
                        text: text("1"),
                        invert: false,
                    })
                    .collect(),
                ..RouteMatch::path(path)
            },
        )
    }

    proptest! {
        #[test]
        fn every_route_that_takes_all_requests_is_a_candidate(
            routes in prop::collection::vec(matcher(), 0..8),
            later in matcher(),
        ) {
            let mut earlier = EarlierRoutes::default();
            for route in &routes {
                earlier.push(route);
            }
            let found: Vec<&RouteMatch> = earlier.candidates(&later).collect();
            for route in &routes {
                let is_found = found.iter().any(|found| core::ptr::eq(*found, route));
                prop_assert!(is_found || !covers(route, &later), "{route:?} {later:?}");
            }
        }
    }
}
