//! The action of a route.

use spillgate_core::{
    model::Metadata,
    route::{
        ClusterName, Forward, RequestFilter, Route, RouteAction, RouteTarget, SplitBy,
        WeightedCluster, WeightedClusters,
    },
};

use super::{
    super::{
        names::name_of,
        tree::{Fields, within},
    },
    filters::FilterLists,
    hash_policy::hash_policies,
    headers::{header_mutations, rewrites},
    metadata::envoy_lb,
    retry::retry_policy,
    route_match::forgotten,
};
use crate::{envoy::CLUSTER_NOT_FOUND, proto::Report};

/// The field with the action of a route.
pub(super) fn action(route: &Route, lists: &FilterLists<'_>, report: &mut Report) -> Fields {
    match &route.action {
        RouteAction::Forward(forward) => {
            let filters = (lists, route.filters.as_deref());
            within("route", self::forward(forward, filters))
        }
        // A redirect becomes a direct response with its status: its target is not modeled.
        RouteAction::Respond { status } => within("direct_response", within("status", *status)),
        RouteAction::Unmodeled(field) => {
            forgotten(field, report);
            Fields::new()
        }
        _ => {
            forgotten("the action", report);
            Fields::new()
        }
    }
}

/// All filter lists, and the route's own list.
type Filters<'f> = (&'f FilterLists<'f>, Option<&'f [RequestFilter]>);

fn forward(of: &Forward, filters: Filters<'_>) -> Fields {
    let target = match &of.target {
        RouteTarget::One(ClusterName::Name(name)) => within("cluster", name.as_str()),
        RouteTarget::One(ClusterName::Header(header)) => within("cluster_header", header.as_str()),
        // Spillgate filters are not written, so no filter decides.
        RouteTarget::Chosen(otherwise) => within("cluster", otherwise.as_str()),
        RouteTarget::Weighted(clusters) => {
            let weighted = weighted(clusters, &of.criteria, filters);
            within("weighted_clusters", weighted)
        }
    };
    target
        .with_filled("metadata_match", envoy_lb(&of.criteria))
        .with_list("hash_policy", hash_policies(&of.hash_policies))
        .and(rewrites(&of.rewrite))
        .with_filled("retry_policy", retry_policy(&of.retry))
        .with_unless(
            "cluster_not_found_response_code",
            name_of(&CLUSTER_NOT_FOUND, &of.cluster_not_found),
            name_of(&CLUSTER_NOT_FOUND, &503),
        )
}

fn weighted(of: &WeightedClusters, criteria: &Metadata, (lists, of_route): Filters<'_>) -> Fields {
    let entry = |one: &WeightedCluster| {
        let name = match &one.cluster {
            ClusterName::Name(name) => within("name", name.as_str()),
            ClusterName::Header(header) => within("cluster_header", header.as_str()),
        };
        // The route's filters apply to every cluster that does not override them.
        let own = (one.criteria != *criteria).then(|| envoy_lb(&one.criteria));
        name.with("weight", one.weight)
            .with_filled("metadata_match", own.unwrap_or_default())
            .with_filled("typed_per_filter_config", lists.of_weighted(one, of_route))
            .and(header_mutations(&one.headers))
            .with_text(
                "host_rewrite_literal",
                one.host_rewrite.as_deref().unwrap_or_default(),
            )
    };
    let clusters = Fields::new().with_list("clusters", of.clusters().iter().map(entry));
    match of.by() {
        SplitBy::Random => clusters,
        SplitBy::Header(name) => clusters.with("header_name", name.as_str()),
        SplitBy::HashPolicy => clusters.with("use_hash_policy", true),
    }
}
