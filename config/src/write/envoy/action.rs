//! What a route does.

use spillgate_core::{
    model::Metadata,
    route::{
        ClusterName, Forward, RouteAction, SplitBy, Target, WeightedCluster, WeightedClusters,
    },
};

use super::{
    super::{
        names::name_of,
        tree::{Fields, within},
    },
    hash_policy::hash_policies,
    metadata::envoy_lb,
    retry::retry_policy,
    route_match::forgotten,
};
use crate::{envoy::CLUSTER_NOT_FOUND, proto::Report};

/// The field of a route that says what it does.
pub(super) fn action(action: &RouteAction, report: &mut Report) -> Fields {
    match action {
        RouteAction::Forward(forward) => within("route", self::forward(forward)),
        // A redirect is written as an answer of its status: where it leads to is not modelled.
        RouteAction::Respond { status } => within("direct_response", within("status", *status)),
        RouteAction::Unmodelled(field) => {
            forgotten(field, report);
            Fields::new()
        }
        _ => {
            forgotten("the action", report);
            Fields::new()
        }
    }
}

fn forward(of: &Forward) -> Fields {
    let target = match &of.target {
        Target::One(ClusterName::Name(name)) => within("cluster", name.as_str()),
        Target::One(ClusterName::Header(header)) => within("cluster_header", header.as_str()),
        Target::Weighted(clusters) => within("weighted_clusters", weighted(clusters, &of.criteria)),
    };
    target
        .with_filled("metadata_match", envoy_lb(&of.criteria))
        .with_list("hash_policy", hash_policies(&of.hash_policies))
        .with_filled("retry_policy", retry_policy(&of.retry))
        .with_unless(
            "cluster_not_found_response_code",
            name_of(&CLUSTER_NOT_FOUND, &of.cluster_not_found),
            name_of(&CLUSTER_NOT_FOUND, &503),
        )
}

fn weighted(of: &WeightedClusters, criteria: &Metadata) -> Fields {
    let entry = |one: &WeightedCluster| {
        let name = match &one.cluster {
            ClusterName::Name(name) => within("name", name.as_str()),
            ClusterName::Header(header) => within("cluster_header", header.as_str()),
        };
        // Those of the route count for every cluster that does not override them.
        let own = (one.criteria != *criteria).then(|| envoy_lb(&one.criteria));
        name.with("weight", one.weight)
            .with_filled("metadata_match", own.unwrap_or_default())
    };
    let clusters = Fields::new().with_list("clusters", of.clusters().iter().map(entry));
    match of.by() {
        SplitBy::Random => clusters,
        SplitBy::Header(name) => clusters.with("header_name", name.as_str()),
        SplitBy::HashPolicy => clusters.with("use_hash_policy", true),
    }
}
