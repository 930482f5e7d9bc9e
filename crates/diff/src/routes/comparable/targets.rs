//! One spelling of actions that do the same.

use spillgate_core::route::{Forward, RouteTarget, SplitBy, WeightedCluster, WeightedClusters};

/// The random number of a request also decides about the fractions of routes: after one, the total weight decides which
/// numbers a cluster gets.
pub(super) fn normalize(forward: &mut Forward, has_fractions: bool) {
    if let RouteTarget::Weighted(weighted) = &forward.target
        && !has_fractions
        && let Some(smaller) = reduced(weighted)
    {
        forward.target = RouteTarget::Weighted(smaller);
    }
    if let RouteTarget::Weighted(weighted) = &forward.target
        && let Some(only) = only(weighted)
    {
        forward.criteria = only.criteria.clone();
        forward.target = RouteTarget::One(only.cluster.clone());
    }
    let retry = &mut forward.retry;
    let mut conditions: Vec<&str> = retry.retry_on.split(',').map(str::trim).collect();
    conditions.sort_unstable();
    conditions.dedup();
    retry.retry_on = conditions.join(",");
    retry.status_codes.sort_unstable();
    retry.status_codes.dedup();
}

/// The clusters by name, without those that get no request, with the smallest weights of the same ratios; `None` if a
/// number of the request, modulo the total weight, selects the cluster.
fn reduced(weighted: &WeightedClusters) -> Option<WeightedClusters> {
    if weighted.has_later() || *weighted.by() != SplitBy::Random {
        return None;
    }
    let weights = weighted.clusters().iter().map(|one| one.weight);
    let divisor = weights.fold(0, greatest_common_divisor);
    let mut clusters = weighted.clusters().to_vec();
    clusters.retain(|one| one.weight > 0);
    for one in &mut clusters {
        one.weight = one.weight.checked_div(divisor)?;
    }
    clusters.sort_by(|a, b| (&a.cluster, a.weight).cmp(&(&b.cluster, b.weight)));
    WeightedClusters::new(clusters, SplitBy::Random).ok()
}

const fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The only cluster of a split, if it adds nothing to the route.
fn only(weighted: &WeightedClusters) -> Option<&WeightedCluster> {
    let [only] = weighted.clusters() else {
        return None;
    };
    let adds_nothing =
        only.filters.is_none() && only.headers.is_empty() && only.host_rewrite.is_none();
    (adds_nothing && !weighted.has_later() && *weighted.by() == SplitBy::Random).then_some(only)
}
