//! `refresh_cluster_on_retry`: a retry goes to another weighted cluster, by the number of the first attempt.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use spillgate_core::{
    model::Metadata,
    route::{
        ClusterName, Connection, Forward, HeaderList, HeaderMutations, PathMatch, RequestRewrite,
        RetryPolicy, Route, RouteAction, RouteMatch, RouteMetadata, RouteOutcome, RouteTable,
        RouteTarget, SplitBy, VirtualHost, WeightedCluster, WeightedClusters,
    },
};

/// A route to a, b and c with weights 1, 2 and 5, of which a header selects one.
fn table() -> RouteTable {
    let cluster = |(name, weight): (&str, u32)| WeightedCluster {
        cluster: ClusterName::Name(name.into()),
        weight,
        criteria: Metadata::EMPTY,
        filters: None,
        headers: HeaderMutations::default(),
        host_rewrite: None,
    };
    let clusters = [("a", 1), ("b", 2), ("c", 5)].map(cluster).into();
    let split = WeightedClusters::new(clusters, SplitBy::Header("x-number".into()));
    let forward = Forward {
        target: RouteTarget::Weighted(split.unwrap()),
        criteria: Metadata::EMPTY,
        hash_policies: Vec::new(),
        rewrite: RequestRewrite::default(),
        retry: RetryPolicy {
            refreshes_cluster: true,
            ..RetryPolicy::NONE
        },
        cluster_not_found: 503,
    };
    let route = Route {
        id: 0,
        name: "all".into(),
        matcher: RouteMatch::path(PathMatch::Prefix("/".into())),
        action: RouteAction::Forward(forward),
        filters: None,
        headers: HeaderMutations::default(),
        metadata: RouteMetadata::default(),
    };
    RouteTable {
        virtual_hosts: vec![VirtualHost {
            name: "any".into(),
            domains: vec!["*".into()],
            routes: vec![route],
            headers: HeaderMutations::default(),
        }],
        ..RouteTable::default()
    }
}

#[test]
fn the_number_in_the_header_selects_the_cluster_of_each_retry() {
    let table = table();
    let headers = HeaderList(&[(":authority", "shop"), (":path", "/"), ("x-number", "13")]);
    let received = table.receive(&headers, Connection::default());
    let RouteOutcome::Forward(routed) = table.route(&received) else {
        panic!("the route forwards");
    };
    // 13 modulo 8 is in the range of c, and modulo 3 in the range of b.
    let tried = ["c", "b", "a"];
    for attempt in 0..3_u32 {
        let to = routed.destinations_at(attempt, |to, earlier| {
            f64::from(u8::from(to.cluster == Some(tried[earlier as usize])))
        });
        let to: Vec<_> = to.iter().map(|(to, part)| (to.cluster, *part)).collect();
        assert_eq!(to, [(Some(tried[attempt as usize]), 1.0)]);
    }
}
