//! The action of a route.

use alloc::format;

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
    cluster_matcher::cluster_matcher,
    filters::FilterLists,
    hash_policy::hash_policies,
    headers::{header_mutations, rewrites},
    metadata::envoy_lb,
    retry::retry_policy,
    route_match::forgotten,
};
use crate::{
    envoy::{CLUSTER_NOT_FOUND, PRIORITY_GROUP_TYPE},
    proto::Report,
};

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
        RouteTarget::Matched(matcher) => cluster_matcher(matcher),
        RouteTarget::Weighted(clusters) if clusters.has_later() => within(
            "inline_cluster_specifier_plugin",
            within("extension", priority_groups(clusters)),
        ),
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

/// The cluster specifier for retries that choose from other clusters than the first attempt.
fn priority_groups(of: &WeightedClusters) -> Fields {
    let groups = of.by_attempt().enumerate().map(|(at, clusters)| {
        let clusters = clusters.iter().filter_map(|one| match &one.cluster {
            ClusterName::Name(name) => {
                Some(within("cluster_name", name.as_str()).with("weight", one.weight))
            }
            ClusterName::Header(_) => None,
        });
        within("name", format!("attempt-{}", at.saturating_add(1))).with_list("clusters", clusters)
    });
    let config = Fields::of_type(PRIORITY_GROUP_TYPE).with_list("priority_groups", groups);
    let config = selected_by(of.by(), config);
    within(
        "name",
        "envoy.router.cluster_specifier_plugin.priority_group",
    )
    .with("typed_config", config)
}

fn selected_by(by: &SplitBy, fields: Fields) -> Fields {
    match by {
        SplitBy::Random => fields,
        SplitBy::Header(name) => fields.with("header_name", name.as_str()),
        SplitBy::HashPolicy => fields.with("use_hash_policy", true),
    }
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
    selected_by(of.by(), clusters)
}
