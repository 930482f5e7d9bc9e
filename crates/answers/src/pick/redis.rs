//! The clusters of a Redis proxy as routes of their own.

use spillgate_core::{
    model::Metadata,
    route::{
        ClusterName, Forward, HashPolicy, HashSource, ProxyFilter, RedisRoute, RedisRoutes,
        RequestRewrite, RetryPolicy, RouteTable, RouteTarget,
    },
};

use crate::status::CLOSED;

/// The filter state with the hash of a key.
pub const REDIS_KEY: &str = "redis key";

/// A table for each cluster that a key can reach, by name. The hash of the key comes with the request.
pub fn redis_tables(routes: &RedisRoutes) -> Vec<(&str, RouteTable)> {
    let mut tables: Vec<(&str, RouteTable)> = Vec::new();
    for RedisRoute { cluster, .. } in routes.prefixes.iter().chain(&routes.catch_all) {
        if tables.iter().all(|(name, _)| name != cluster) {
            tables.push((cluster, redis_table(cluster)));
        }
    }
    tables
}

/// Sends every key to one cluster.
pub fn redis_table(cluster: &str) -> RouteTable {
    let table = RouteTable::of_connections(Forward {
        target: RouteTarget::One(ClusterName::Name(cluster.to_owned())),
        criteria: Metadata::default(),
        hash_policies: vec![HashPolicy {
            source: HashSource::FilterState {
                key: REDIS_KEY.to_owned(),
            },
            terminal: false,
        }],
        rewrite: RequestRewrite::default(),
        retry: RetryPolicy::NONE,
        cluster_not_found: CLOSED,
    });
    RouteTable {
        proxy: ProxyFilter::Redis,
        ..table
    }
}
