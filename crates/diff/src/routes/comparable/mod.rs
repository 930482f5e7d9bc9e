//! A route table in which routes with the same effect have the same text.

mod conditions;
mod hidden;
mod targets;

use std::collections::{BTreeMap, BTreeSet};

use spillgate_core::route::{
    FractionDenominator, FractionalPercent, HeaderFormat, HeaderMutations, HostRewrite,
    PathRewrite, Route, RouteAction, RouteTable, RouteTarget, SplitBy, VirtualHost,
    WeightedCluster,
};

/// The tables of both sides without what no request can tell apart: the numbers and names of routes, the case of domains,
/// routes that no request reaches, and the spelling of conditions and weights.
pub(super) fn comparable(old: &RouteTable, new: &RouteTable) -> (RouteTable, RouteTable) {
    let (mut old, mut new) = (normalized(old), normalized(new));
    // A proof for equal virtual hosts takes no more.
    let equal = equal_hosts(&old, &new);
    for table in [&mut old, &mut new] {
        for host in &mut table.virtual_hosts {
            if !equal.contains(&host.name) {
                hidden::remove(&mut host.routes);
            }
        }
    }
    (old, new)
}

fn normalized(table: &RouteTable) -> RouteTable {
    let mut table = table.clone();
    let names_are_read = reads_route_name(&table.headers);
    for host in &mut table.virtual_hosts {
        for domain in &mut host.domains {
            domain.make_ascii_lowercase();
        }
        let names_are_read = names_are_read || reads_route_name(&host.headers);
        for route in &mut host.routes {
            route.id = 0;
            if !names_are_read && !route_reads_its_name(route) {
                route.name = String::new();
            }
            conditions::normalize(&mut route.matcher);
        }
        normalize_fractions(host);
        let has_fractions = host.routes.iter().any(|of| of.matcher.fraction.is_some());
        for route in &mut host.routes {
            if let RouteAction::Forward(forward) = &mut route.action {
                targets::normalize(forward, has_fractions);
            }
        }
    }
    table
}

/// The names of virtual hosts that are equal on both sides.
fn equal_hosts(old: &RouteTable, new: &RouteTable) -> BTreeSet<String> {
    let hosts = old.virtual_hosts.iter();
    let by_name: BTreeMap<&str, &VirtualHost> = hosts.map(|of| (of.name.as_str(), of)).collect();
    let equal = new
        .virtual_hosts
        .iter()
        .filter(|of| by_name.get(of.name.as_str()) == Some(of));
    equal.map(|of| of.name.clone()).collect()
}

/// Whether a value has `%ROUTE_NAME%`.
fn reads_route_name(headers: &HeaderMutations) -> bool {
    headers
        .added
        .iter()
        .any(|added| added.value.reads_route_name())
}

fn route_reads_its_name(route: &Route) -> bool {
    let RouteAction::Forward(forward) = &route.action else {
        return reads_route_name(&route.headers);
    };
    let rewrite = &forward.rewrite;
    let formats: [Option<&HeaderFormat>; 2] = [
        match &rewrite.path {
            Some(PathRewrite::Format(format)) => Some(format),
            _ => None,
        },
        match &rewrite.host {
            Some(HostRewrite::Format(format)) => Some(format),
            _ => None,
        },
    ];
    let weighted = match &forward.target {
        RouteTarget::Weighted(weighted) => weighted.of_all_attempts().collect(),
        _ => Vec::new(),
    };
    let mut weighted = weighted
        .into_iter()
        .map(|one: &WeightedCluster| &one.headers);
    reads_route_name(&route.headers)
        || formats.into_iter().flatten().any(HeaderFormat::reads_route_name)
        || weighted.any(reads_route_name)
        // A dynamic module can read it.
        || matches!(forward.target, RouteTarget::Chosen(_))
}

/// A fraction that all requests meet is dropped, and one that no request meets removes its route. Others of the same
/// unit have the same one in both tables, unless the random number that they read also selects a cluster.
fn normalize_fractions(host: &mut VirtualHost) {
    host.routes
        .retain(|of| !of.matcher.fraction.is_some_and(|of| of.is_never()));
    for route in &mut host.routes {
        if route.matcher.fraction.is_some_and(|of| of.is_always()) {
            route.matcher.fraction = None;
        }
    }
    let draws = |route: &Route| match &route.action {
        RouteAction::Forward(forward) => match &forward.target {
            RouteTarget::Weighted(weighted) => *weighted.by() == SplitBy::Random,
            _ => false,
        },
        _ => false,
    };
    let mut units = host.routes.iter();
    let mut units = units.by_ref().filter_map(|of| of.matcher.fraction);
    let Some(unit) = units.next().map(|of| of.denominator) else {
        return;
    };
    if units.any(|of| of.denominator != unit) || host.routes.iter().any(draws) {
        return;
    }
    for fraction in host
        .routes
        .iter_mut()
        .filter_map(|of| of.matcher.fraction.as_mut())
    {
        let most = FractionDenominator::Million;
        // Below the unit, because it is not met always.
        let numerator = fraction.numerator * (most.number() / unit.number());
        *fraction = FractionalPercent::new(numerator, most);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use spillgate_core::{
        model::Metadata,
        route::{
            ClusterName, Connection, Forward, FractionDenominator, FractionalPercent, HeaderList,
            HeaderMatch, HeaderMatcher, HeaderMutations, PathMatch, RequestRewrite, RetryPolicy,
            Route, RouteAction, RouteMatch, RouteMetadata, RouteOutcome, RouteTable, RouteTarget,
            SplitBy, StringMatch, TextMatch, VirtualHost, WeightedCluster, WeightedClusters,
        },
    };

    use super::{hidden, normalized};

    fn path() -> impl Strategy<Value = PathMatch> {
        let text = prop::sample::select(vec!["/", "/a", "/a/", "/ab", "/a/b"]);
        (text, 0..3_u8).prop_map(|(text, kind)| match kind {
            0 => PathMatch::Prefix(text.into()),
            1 => PathMatch::Exact(text.into()),
            _ => PathMatch::PathSeparatedPrefix(text.trim_end_matches('/').into()),
        })
    }

    fn header() -> impl Strategy<Value = HeaderMatch> {
        let name = prop::sample::select(vec!["x", "y", ":method"]);
        (
            name,
            prop::bool::ANY,
            prop::option::of(prop::sample::select(vec!["GET", "1"])),
        )
            .prop_map(|(name, invert, text)| HeaderMatch {
                name: name.into(),
                matcher: match text {
                    Some(text) => HeaderMatcher::Text(StringMatch {
                        text: TextMatch::Exact(text.into()),
                        ignore_case: false,
                    }),
                    None => HeaderMatcher::Present(true),
                },
                invert,
                missing_as_empty: false,
            })
    }

    fn fraction() -> impl Strategy<Value = FractionalPercent> {
        let unit = prop::sample::select(vec![
            FractionDenominator::Hundred,
            FractionDenominator::TenThousand,
        ]);
        (0..5_u32, unit)
            .prop_map(|(quarters, unit)| FractionalPercent::new(quarters * unit.number() / 4, unit))
    }

    fn target() -> impl Strategy<Value = RouteTarget> {
        let name = prop::sample::select(vec!["a", "b", "c"]);
        let one = name
            .clone()
            .prop_map(|name| RouteTarget::One(ClusterName::Name(name.into())));
        let weighted = prop::collection::vec((name, 0..4_u32), 1..4).prop_filter_map(
            "no weight",
            |clusters| {
                let clusters = clusters.into_iter().map(|(name, weight)| WeightedCluster {
                    cluster: ClusterName::Name(name.into()),
                    weight,
                    criteria: Metadata::default(),
                    filters: None,
                    headers: HeaderMutations::default(),
                    host_rewrite: None,
                });
                let weighted = WeightedClusters::new(clusters.collect(), SplitBy::Random);
                weighted.ok().map(RouteTarget::Weighted)
            },
        );
        prop_oneof![4 => one, 1 => weighted]
    }

    fn route() -> impl Strategy<Value = Route> {
        let headers = prop::collection::vec(header(), 0..3);
        let fraction = prop::option::weighted(0.2, fraction());
        (
            path(),
            prop::bool::weighted(0.8),
            headers,
            fraction,
            target(),
        )
            .prop_map(|(path, case_sensitive, headers, fraction, target)| Route {
                id: 0,
                name: String::new(),
                matcher: RouteMatch {
                    case_sensitive,
                    headers,
                    fraction,
                    ..RouteMatch::path(path)
                },
                action: RouteAction::Forward(Forward {
                    target,
                    criteria: Metadata::default(),
                    hash_policies: Vec::new(),
                    rewrite: RequestRewrite::default(),
                    retry: RetryPolicy::NONE,
                    cluster_not_found: 503,
                }),
                filters: None,
                headers: HeaderMutations::default(),
                metadata: RouteMetadata::default(),
            })
    }

    /// The share of a request's destinations, in billionths.
    fn shares(table: &RouteTable, headers: &[(&str, &str)]) -> BTreeMap<String, i64> {
        let list = HeaderList(headers);
        let received = table.receive(&list, Connection::default());
        let mut found: BTreeMap<String, f64> = BTreeMap::new();
        for alternative in table.alternatives(&received) {
            let part = alternative.numbers.share();
            match &alternative.outcome {
                RouteOutcome::Forward(routed) => {
                    for destination in routed.destinations() {
                        let cluster = destination.cluster.expect("all are named").to_owned();
                        *found.entry(cluster).or_default() += part * destination.share;
                    }
                }
                _ => *found.entry(String::new()).or_default() += part,
            }
        }
        let rounded = found
            .into_iter()
            .map(|(name, share)| (name, (share * 1e9).round() as i64));
        rounded.filter(|(_, share)| *share != 0).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn no_request_is_answered_otherwise_by_the_other_spelling(
            routes in prop::collection::vec(route(), 1..7),
        ) {
            let table = RouteTable {
                virtual_hosts: vec![VirtualHost {
                    name: "all".into(),
                    domains: vec!["*".into()],
                    routes,
                    headers: HeaderMutations::default(),
                }],
                ..RouteTable::default()
            };
            let mut other = normalized(&table);
            hidden::remove(&mut other.virtual_hosts[0].routes);
            for path in ["/", "/a", "/A", "/a/", "/ab", "/a/b", "/a/c", "/b"] {
                for method in ["GET", "1"] {
                    for own in [&[][..], &[("x", "1")], &[("y", "1")], &[("x", "GET"), ("y", "1")]] {
                        let pseudo = [(":method", method), (":authority", "h"), (":path", path)];
                        let headers = [&pseudo, own].concat();
                        prop_assert_eq!(shares(&table, &headers), shares(&other, &headers), "{:?}", headers);
                    }
                }
            }
        }
    }
}
