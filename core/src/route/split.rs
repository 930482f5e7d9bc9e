//! The choice of a route's cluster, as far as the request determines it.

use super::{
    CHOSEN_CLUSTER, Connection, Forward, Headers, RouteTarget, SplitBy, WeightedCluster,
    WeightedClusters, combined,
};

/// The clusters that remain possible.
#[derive(Debug, Clone, Copy)]
pub(super) enum Split<'r> {
    /// The cluster of the route. `None` if the route reads its name from a header that the request
    /// lacks, or if no branch of its matcher has one.
    One(Option<&'r str>),
    /// A weighted cluster that the request selects.
    Weighted(&'r WeightedCluster),
    /// Weighted clusters; a random number selects one.
    Draw(&'r WeightedClusters),
}

/// The clusters that remain possible for a request.
pub(super) fn split<'r, H: Headers>(
    forward: &'r Forward,
    headers: &'r H,
    connection: &Connection<'_>,
) -> Split<'r> {
    let clusters = match &forward.target {
        RouteTarget::One(cluster) => return Split::One(cluster.resolve(headers)),
        RouteTarget::Chosen(otherwise) => {
            let chosen = headers.first(CHOSEN_CLUSTER);
            let chosen = chosen.and_then(|chosen| core::str::from_utf8(chosen).ok());
            return Split::One(Some(chosen.unwrap_or(otherwise)));
        }
        RouteTarget::Matched(matcher) => return Split::One(matcher.cluster(headers)),
        RouteTarget::Weighted(clusters) => clusters,
    };
    match number(clusters, forward, headers, connection).and_then(|number| clusters.at(number)) {
        Some(one) => Split::Weighted(one),
        None => Split::Draw(clusters),
    }
}

/// The number that a header or the request hash gives for the choice of a weighted cluster; `None` for a
/// random number.
pub(super) fn number<H: Headers>(
    clusters: &WeightedClusters,
    forward: &Forward,
    headers: &H,
    connection: &Connection<'_>,
) -> Option<u64> {
    match clusters.by() {
        SplitBy::Random => None,
        SplitBy::Header(name) => only_number(headers, name),
        SplitBy::HashPolicy => combined(&forward.hash_policies, headers, connection, |_| false),
    }
}

/// The integer in a header that occurs once.
fn only_number<H: Headers>(headers: &H, name: &str) -> Option<u64> {
    let mut values = headers.values(name);
    let value = values.next().filter(|_| values.next().is_none())?;
    core::str::from_utf8(value.trim_ascii()).ok()?.parse().ok()
}
