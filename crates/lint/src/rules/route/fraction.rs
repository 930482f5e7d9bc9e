//! Routes, weighted clusters and targets of the Spillgate filter that no request reaches, because earlier ones
//! take their requests, or earlier fractions their random numbers.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::{FieldPlace, FilterKind, RouteFacts, SteeredTarget};
use spillgate_core::route::{
    PathMatch, RandomNumbers, Route, RouteAction, RouteMatch, RouteTarget, SplitBy,
};

use super::earlier::EarlierRoutes;
use crate::{context::Context, finding::Severity, rule::Rule, sink::Sink};

/// A route or a weighted cluster cannot be reached, because a route before it takes its requests, or routes
/// with fractions before it take its random numbers. The same holds for a rule of `targets` of the Spillgate filter.
///
/// Envoy compares one random number per request with all fractions and weights.
pub(crate) static UNREACHABLE: Rule = Rule {
    id: "route-unreachable",
    severity: Severity::Warning,
    summary: "route, weighted cluster or target of the Spillgate filter whose requests or random \
              numbers earlier ones take",
    check: unreachable,
};

/// Finds them in all virtual hosts and filters.
fn unreachable(context: &Context<'_>, sink: &mut Sink) {
    for listener in &context.config.listeners {
        let Some(facts) = &listener.facts else {
            continue;
        };
        for filter in &facts.filters {
            if let FilterKind::Spillgate(ours) = &filter.kind {
                check_targets(&ours.steering.targets, &filter.place, sink);
            }
        }
        for host in &listener.routes.virtual_hosts {
            let mut earlier = EarlierRoutes::default();
            for route in &host.routes {
                if let Some(facts) = facts.routes.get(route.id) {
                    check(&earlier, route, facts, sink);
                }
                earlier.push(&route.matcher);
            }
        }
    }
}

/// Checks the rules of `targets` of a filter.
fn check_targets(targets: &[SteeredTarget], filter: &FieldPlace, sink: &mut Sink) {
    for (at, target) in targets.iter().enumerate() {
        let target = match target {
            SteeredTarget::Matches(target) => target,
            SteeredTarget::Never => {
                let cause =
                    format!("targets[{at}] of the Spillgate filter has a runtime_fraction of 0");
                let effect = "no request gets its cluster: the filter leaves it out";
                sink.add(filter, cause, effect, "remove it, or its runtime_fraction");
                continue;
            }
            SteeredTarget::Invalid => continue,
        };
        let takes = |earlier: &SteeredTarget| match earlier {
            SteeredTarget::Matches(earlier) => covers(earlier, target),
            SteeredTarget::Never | SteeredTarget::Invalid => false,
        };
        let Some(earlier) = targets.iter().take(at).position(takes) else {
            continue;
        };
        let cause = format!(
            "targets[{earlier}] of the Spillgate filter matches every request of targets[{at}]"
        );
        let effect = "no request gets its cluster: the first target that matches applies";
        let fix = "move it before the other target, or remove it";
        sink.add(filter, cause, effect, fix);
    }
}

/// Checks a route after those before it.
fn check<'r>(earlier: &EarlierRoutes<'r>, route: &'r Route, facts: &RouteFacts, sink: &mut Sink) {
    let name = || match facts.name.as_str() {
        "" => String::from("this route"),
        name => format!("route {}", quoted(name)),
    };
    let mut rest = RandomNumbers::all();
    let takers = earlier.candidates(&route.matcher);
    for earlier in takers.filter(|earlier| covers(earlier, &route.matcher)) {
        // A route without a fraction takes all requests, whatever their numbers.
        let Some(fraction) = earlier.fraction else {
            let cause = format!("an earlier route matches every request of {}", name());
            let effect = "no request reaches it: the first route that matches applies";
            let fix = "move it before the other route, or remove it";
            sink.add(&facts.place, cause, effect, fix);
            return;
        };
        rest = rest.split(fraction).1;
    }
    if let Some(fraction) = route.matcher.fraction {
        rest = rest.split(fraction).0;
    }
    let name = name();
    if rest.is_empty() {
        let cause =
            format!("earlier routes with runtime_fraction take all random numbers of {name}");
        let effect =
            "no request reaches it: Envoy compares all fractions with one number per request";
        let fix =
            "raise the fraction above those before it, which it includes, or change the order";
        let place = match route.matcher.fraction {
            Some(_) => facts.place.field("match").field("runtime_fraction"),
            None => facts.place.clone(),
        };
        sink.add(&place, cause, effect, fix);
        return;
    }
    if rest.is_all() {
        return;
    }
    let RouteAction::Forward(forward) = &route.action else {
        return;
    };
    let RouteTarget::Weighted(clusters) = &forward.target else {
        return;
    };
    if *clusters.by() != SplitBy::Random {
        return;
    }
    let total = u64::from(clusters.total());
    let mut start = 0;
    for (at, one) in clusters.clusters().iter().enumerate() {
        let range = start..start + u64::from(one.weight);
        start = range.end;
        if range.is_empty() || rest.share_of(range, total) > 0.0 {
            continue;
        }
        let cause = format!(
            "fractions take all random numbers of weighted cluster {} of {name}",
            at + 1
        );
        let effect = "no request reaches it: the weights are compared with the number that has \
                      chosen the route";
        let fix = "use weights whose ranges are outside the fractions, or one weighted cluster for \
                   the shares of all routes";
        let place = match facts.weighted.get(at) {
            Some(weighted) => weighted.place.clone(),
            None => facts.action.clone(),
        };
        sink.add(&place, cause, effect, fix);
    }
}

/// Whether every request that fulfills the conditions of `later`, whatever its number, also fulfills those
/// of `earlier`.
pub(super) fn covers(earlier: &RouteMatch, later: &RouteMatch) -> bool {
    let paths = match (&earlier.path, &later.path) {
        (PathMatch::Unmodeled, _) | (_, PathMatch::Unmodeled) => false,
        (PathMatch::Prefix(prefix), _) if prefix.is_empty() => true,
        (PathMatch::Prefix(prefix), PathMatch::Regex(_)) if prefix == "/" => true,
        // Not the path `*` of OPTIONS.
        (
            PathMatch::Prefix(prefix),
            PathMatch::Prefix(path) | PathMatch::Exact(path) | PathMatch::PathSeparatedPrefix(path),
        ) if prefix == "/" => path.starts_with('/'),
        (
            PathMatch::Prefix(prefix),
            PathMatch::Prefix(path) | PathMatch::Exact(path) | PathMatch::PathSeparatedPrefix(path),
        ) => earlier.case_sensitive == later.case_sensitive && path.starts_with(prefix.as_str()),
        (earlier_path, path) => {
            earlier.case_sensitive == later.case_sensitive && earlier_path == path
        }
    };
    let all_of = |ours: &RouteMatch, theirs: &RouteMatch| {
        ours.headers.iter().all(|one| theirs.headers.contains(one))
            && ours
                .query_parameters
                .iter()
                .all(|one| theirs.query_parameters.contains(one))
            && ours.cookies.iter().all(|one| theirs.cookies.contains(one))
    };
    paths && earlier.unmodeled.is_none() && (!earlier.grpc || later.grpc) && all_of(earlier, later)
}
