//! Routes in another order that decide the same.

use spillgate_core::route::{HeaderMatcher, PathMatch, Route, RouteMatch, TextMatch};

use super::places::Places;

/// Whether two lists have the same routes, in an order that no request can tell apart: routes that changed places
/// never match the same request, or do the same with it.
pub(crate) fn is_reordering(before: &[Route], after: &[Route], places: &Places) -> bool {
    if before.len() != after.len() || places.of_old.contains(&None) {
        return false;
    }
    if places.are_in_order() {
        return true;
    }
    let placed = || before.iter().zip(&places.of_old);
    placed().enumerate().all(|(at, (route, place))| {
        let later = placed().skip(at + 1);
        let mut overtaking = later.filter(|(_, other)| *other < place);
        overtaking.all(|(other, _)| are_disjoint(&route.matcher, &other.matcher))
    })
}

/// Whether no request matches both. False if unsure.
pub(super) fn are_disjoint(a: &RouteMatch, b: &RouteMatch) -> bool {
    let sensitive = a.case_sensitive && b.case_sensitive;
    let paths = sensitive && paths_are_disjoint(&a.path, &b.path);
    let headers = a.headers.iter().any(|one| {
        b.headers.iter().any(|other| {
            let exact = |of: &HeaderMatcher| match of {
                HeaderMatcher::Text(text) if !text.ignore_case => match &text.text {
                    TextMatch::Exact(text) => Some(text.clone()),
                    _ => None,
                },
                _ => None,
            };
            let plain = !one.invert && !other.invert;
            // A repeated header can have both values; a pseudo-header has one.
            let single = one.name == other.name && one.name.starts_with(':');
            let texts = exact(&one.matcher).zip(exact(&other.matcher));
            plain && single && texts.is_some_and(|(a, b)| a != b)
        })
    });
    paths || headers
}

fn paths_are_disjoint(a: &PathMatch, b: &PathMatch) -> bool {
    match (a, b) {
        (PathMatch::Exact(a), PathMatch::Exact(b)) => a != b,
        (PathMatch::Exact(path), PathMatch::Prefix(prefix))
        | (PathMatch::Prefix(prefix), PathMatch::Exact(path)) => !path.starts_with(prefix.as_str()),
        (PathMatch::Prefix(a), PathMatch::Prefix(b)) => {
            !a.starts_with(b.as_str()) && !b.starts_with(a.as_str())
        }
        (PathMatch::Exact(path), PathMatch::PathSeparatedPrefix(prefix))
        | (PathMatch::PathSeparatedPrefix(prefix), PathMatch::Exact(path)) => {
            !is_below(path, prefix)
        }
        (PathMatch::PathSeparatedPrefix(a), PathMatch::PathSeparatedPrefix(b)) => {
            !is_below(a, b) && !is_below(b, a)
        }
        (PathMatch::Prefix(prefix), PathMatch::PathSeparatedPrefix(separated))
        | (PathMatch::PathSeparatedPrefix(separated), PathMatch::Prefix(prefix)) => {
            !separated.starts_with(prefix.as_str()) && !prefix.starts_with(separated.as_str())
        }
        _ => false,
    }
}

fn is_below(path: &str, prefix: &str) -> bool {
    let rest = path.strip_prefix(prefix);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
