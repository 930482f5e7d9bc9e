//! The attempts of a request for which a Spillgate filter has hosts (`output.attempts_per_cluster`).

use alloc::{format, string::String};

use spillgate_config::{envoy::facts::SpillgateFacts, filter::FilterForm};
use spillgate_core::{
    model::CompositeCluster,
    route::{ClusterName, RouteTarget},
};

use crate::{context::Context, ways::Way};

/// The most pairs that are checked: a filter with more clusters has the same fault for the first ones.
const MOST_PAIRS: usize = 1_000;

/// The ordered pairs of clusters that can follow each other.
pub(crate) fn pairs(ours: &SpillgateFacts) -> impl Iterator<Item = (&String, &String)> {
    let groups = ours.steering.followers.iter();
    let pairs = groups.flat_map(|group| {
        let next = move |first| group.iter().map(move |next| (first, next));
        group.iter().flat_map(next)
    });
    pairs.filter(|(first, next)| first != next).take(MOST_PAIRS)
}

/// The composite cluster of a pair, if the configuration has it.
pub(crate) fn composite<'c>(
    context: &Context<'c>,
    (first, next): (&String, &String),
) -> Option<(String, &'c CompositeCluster)> {
    let name = format!("{first},{next}");
    let cluster = context.composite(&name)?;
    Some((name, cluster))
}

/// The most attempts of a request for which the filter has hosts, with lists of at most so many hosts.
pub(crate) fn most_attempts(
    context: &Context<'_>,
    way: &Way<'_>,
    ours: &SpillgateFacts,
    hosts: u64,
) -> u64 {
    let Some(attempts) = ours.steering.output.attempts_per_cluster else {
        return hosts;
    };
    let leaves = match ours.form {
        FilterForm::DynamicModule => is_asked_again(way),
        FilterForm::Wasm => takes_header(way),
    };
    if !leaves || pairs(ours).next().is_none() {
        return hosts;
    }
    let both = hosts.saturating_add(attempts as u64);
    if ours.form == FilterForm::DynamicModule {
        return both;
    }
    let composites = pairs(ours).filter_map(|pair| composite(context, pair));
    let entries = composites.map(|(_, cluster)| cluster.members.len() as u64);
    entries.fold(both, u64::min)
}

/// Whether the router asks the specifier of the module for the cluster of each attempt.
pub(crate) fn is_asked_again(way: &Way<'_>) -> bool {
    matches!(way.forward.target, RouteTarget::Chosen(_)) && way.forward.retry.refreshes_cluster
}

/// Whether a header names the cluster of the route.
pub(crate) const fn takes_header(way: &Way<'_>) -> bool {
    matches!(
        &way.forward.target,
        RouteTarget::One(ClusterName::Header(_))
    )
}
