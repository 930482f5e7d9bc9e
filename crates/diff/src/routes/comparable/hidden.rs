//! Routes that no request can notice.

use spillgate_core::route::{PathMatch, PathRewrite, Route, RouteAction, RouteMatch, RouteTarget};

use super::super::disjoint::are_disjoint;

/// Removes routes that an earlier one hides, and routes whose requests the next ones treat in the same way.
pub(super) fn remove(routes: &mut Vec<Route>) {
    let mut reached: Vec<Route> = Vec::with_capacity(routes.len());
    for route in routes.drain(..) {
        let hides = |earlier: &Route| {
            is_certain(&earlier.matcher) && covers(&earlier.matcher, &route.matcher)
        };
        if !reached.iter().any(hides) {
            reached.push(route);
        }
    }
    // From the end: what comes after a route is as short as it gets.
    let mut kept: Vec<Route> = Vec::with_capacity(reached.len());
    for route in reached.into_iter().rev() {
        if !is_repeated(&route, kept.iter().rev()) {
            kept.push(route);
        }
    }
    kept.reverse();
    *routes = kept;
}

/// Whether the first of these routes that each of its requests reaches does the same.
fn is_repeated<'r>(route: &Route, later: impl Iterator<Item = &'r Route>) -> bool {
    // All of its requests, or those of a fraction, which the next route can then be of, too.
    if !is_certain(&route.matcher) {
        return false;
    }
    for next in later {
        if are_disjoint(&route.matcher, &next.matcher) {
            continue;
        }
        if !is_certain(&next.matcher) || !does_the_same(route, next) {
            return false;
        }
        if covers(&next.matcher, &route.matcher) {
            return true;
        }
    }
    false
}

/// Whether every request that meets the conditions gets the route.
const fn is_certain(matcher: &RouteMatch) -> bool {
    matcher.fraction.is_none() && matcher.unmodeled.is_none()
}

/// Whether two routes treat a request that matches both in the same way.
fn does_the_same(a: &Route, b: &Route) -> bool {
    let RouteAction::Forward(forward) = &a.action else {
        return false;
    };
    let rewrites_match = matches!(forward.rewrite.path, Some(PathRewrite::Prefix(_)));
    // A dynamic module can read the route.
    let is_chosen = matches!(forward.target, RouteTarget::Chosen(_));
    !rewrites_match
        && !is_chosen
        && a.name == b.name
        && a.action == b.action
        && a.filters == b.filters
        && a.headers == b.headers
        && a.metadata == b.metadata
}

/// Whether every request that meets the conditions of the narrow one meets those of the wide one. False if unsure.
fn covers(wide: &RouteMatch, narrow: &RouteMatch) -> bool {
    fn all<T: PartialEq>(wide: &[T], narrow: &[T]) -> bool {
        wide.iter().all(|one| narrow.contains(one))
    }
    let same_case = wide.case_sensitive == narrow.case_sensitive;
    let paths = path_covers(
        &wide.path,
        &narrow.path,
        wide.case_sensitive && narrow.case_sensitive,
    );
    (paths || same_case && wide.path == narrow.path)
        && (!wide.grpc || narrow.grpc)
        && all(&wide.headers, &narrow.headers)
        && all(&wide.query_parameters, &narrow.query_parameters)
        && all(&wide.cookies, &narrow.cookies)
}

fn path_covers(wide: &PathMatch, narrow: &PathMatch, sensitive: bool) -> bool {
    let start = match narrow {
        PathMatch::Exact(path) => path,
        PathMatch::Prefix(prefix) | PathMatch::PathSeparatedPrefix(prefix) => prefix,
        PathMatch::Regex(_) | PathMatch::Unmodeled => {
            return matches!(wide, PathMatch::Prefix(prefix) if prefix.is_empty());
        }
    };
    match wide {
        PathMatch::Prefix(prefix) if prefix.is_empty() => true,
        PathMatch::Prefix(prefix) => sensitive && start.starts_with(prefix.as_str()),
        PathMatch::PathSeparatedPrefix(prefix) => {
            let rest = start.strip_prefix(prefix.as_str()).filter(|_| sensitive);
            rest.is_some_and(|rest| {
                rest.starts_with('/') || rest.is_empty() && !matches!(narrow, PathMatch::Prefix(_))
            })
        }
        _ => false,
    }
}
