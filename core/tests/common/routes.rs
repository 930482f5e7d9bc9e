//! Small route tables.

use spillgate_core::{
    model::Metadata,
    route::{
        ClusterName, Forward, HeaderMutations, PathMatch, RequestRewrite, RetryPolicy, Route,
        RouteAction, RouteMatch, RouteMetadata, RouteTable, RouteTarget, SplitBy, VirtualHost,
        WeightedCluster, WeightedClusters,
    },
};

/// Clusters with weights, of which `by` selects one.
pub fn split(clusters: &[(&str, u32)], by: SplitBy) -> RouteTarget {
    let cluster = |&(name, weight): &(&str, u32)| WeightedCluster {
        cluster: ClusterName::Name(name.into()),
        weight,
        criteria: Metadata::EMPTY,
        filters: None,
        headers: HeaderMutations::default(),
        host_rewrite: None,
    };
    let clusters = clusters.iter().map(cluster).collect();
    RouteTarget::Weighted(WeightedClusters::new(clusters, by).unwrap())
}

/// One cluster.
pub fn one(name: &str) -> RouteTarget {
    RouteTarget::One(ClusterName::Name(name.into()))
}

/// A route of all requests to this target.
pub fn route(target: RouteTarget) -> Route {
    Route {
        id: 0,
        name: "all".into(),
        matcher: RouteMatch::path(PathMatch::Prefix("/".into())),
        action: RouteAction::Forward(Forward {
            target,
            criteria: Metadata::EMPTY,
            hash_policies: Vec::new(),
            rewrite: RequestRewrite::default(),
            retry: RetryPolicy::NONE,
            cluster_not_found: 503,
        }),
        filters: None,
        headers: HeaderMutations::default(),
        metadata: RouteMetadata::default(),
    }
}

/// A table with these routes for every domain.
pub fn table(routes: Vec<Route>) -> RouteTable {
    RouteTable {
        virtual_hosts: vec![VirtualHost {
            name: "any".into(),
            domains: vec!["*".into()],
            routes,
            headers: HeaderMutations::default(),
        }],
        ..RouteTable::default()
    }
}
