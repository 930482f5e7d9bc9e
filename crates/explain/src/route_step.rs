//! The steps from a request to a cluster.

use alloc::{borrow::ToOwned as _, string::String, vec::Vec};

use spillgate_core::{
    route::{ClusterName, Route, RouteAction, RouteMatch, RouteTable, RouteTarget},
    trace::{DrawnFraction, RetriedCluster, StepData, WeightedChoice},
};

/// The step of a request for a host name that no route matches.
#[must_use]
pub fn no_route(routes: &RouteTable, domain: &str) -> StepData {
    let found = routes.virtual_host(domain.as_bytes());
    StepData::NoRoute {
        domain: domain.to_owned(),
        virtual_host: found.map(|host| host.name.clone()),
    }
}

/// The step of the route that matches a request. `number` is the random number of the request, if a route
/// has a fraction.
#[must_use]
pub fn matched_route(routes: &RouteTable, route: &Route, number: Option<u64>) -> StepData {
    let mut hosts = routes.virtual_hosts.iter();
    let host = hosts.find(|host| host.routes.iter().any(|have| have.id == route.id));
    let RouteMatch {
        path,
        headers,
        query_parameters,
        cookies,
        fraction,
        ..
    } = &route.matcher;
    StepData::RouteMatched {
        virtual_host: host.map(|host| host.name.clone()).unwrap_or_default(),
        route: route.name.clone(),
        path: path.clone(),
        conditions: headers.len() + query_parameters.len() + cookies.len(),
        fraction: fraction.zip(number).and_then(|(share, number)| {
            Some(DrawnFraction {
                share,
                number: number.checked_rem(u64::from(share.denominator.number()))?,
            })
        }),
    }
}

/// The step of the cluster that a route chooses, by the number `drawn` if at random; `None` for a route
/// that names its cluster. `is_retry` if earlier attempts decide.
#[must_use]
pub fn chosen_cluster(
    route: &Route,
    cluster: &str,
    drawn: Option<u64>,
    is_retry: bool,
) -> Option<StepData> {
    let RouteAction::Forward(forward) = &route.action else {
        return None;
    };
    let cluster = cluster.to_owned();
    Some(match &forward.target {
        RouteTarget::One(ClusterName::Name(_)) => return None,
        RouteTarget::One(ClusterName::Header(header)) => StepData::HeaderCluster {
            cluster,
            header: header.clone(),
        },
        RouteTarget::Chosen(_) => StepData::SpecifiedCluster { cluster },
        RouteTarget::Matched(matcher) => {
            let mut headers: Vec<String> = Vec::new();
            for name in matcher.headers() {
                if !headers.iter().any(|have| have == name) {
                    headers.push(name.to_owned());
                }
            }
            StepData::MatchedCluster { cluster, headers }
        }
        RouteTarget::Weighted(clusters) => StepData::WeightedCluster(WeightedChoice {
            cluster,
            by: clusters.by().clone(),
            roll: drawn.and_then(|number| number.checked_rem(clusters.total().into())),
            retry: is_retry.then_some(if forward.retry.refreshes_cluster {
                RetriedCluster::Refreshed
            } else {
                RetriedCluster::Kept
            }),
            weights: clusters.clusters().iter().map(|one| one.weight).collect(),
            total: clusters.total(),
        }),
    })
}
