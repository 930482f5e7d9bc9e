//! Routes that forward requests to clusters (`envoy.config.route.v3.RouteAction`).

use alloc::{string::String, vec::Vec};
use core::{fmt, ops::Range};

use super::{
    ClusterMatcher, HashPolicy, HeaderMutations, Headers, RequestFilter, RequestRewrite,
    RetryPolicy,
};
use crate::model::Metadata;

/// The forwarding action of a route.
#[derive(Debug, Clone, PartialEq)]
pub struct Forward {
    /// The target cluster or clusters.
    pub target: RouteTarget,
    /// The subset criteria of the route (`metadata_match`, namespace `envoy.lb`). Weighted clusters
    /// have their own.
    pub criteria: Metadata,
    /// The hash policies (`hash_policy`), in order.
    pub hash_policies: Vec<HashPolicy>,
    /// The rewrites of path and host.
    pub rewrite: RequestRewrite,
    /// The retry policy, as far as it affects the choice of a host (`retry_policy`).
    pub retry: RetryPolicy,
    /// The status of the local reply if the cluster does not exist
    /// (`cluster_not_found_response_code`), 503 or 404 in Envoy.
    pub cluster_not_found: u16,
}

/// The target of a route: one cluster or weighted clusters.
#[derive(Debug, Clone, PartialEq)]
pub enum RouteTarget {
    /// One cluster (`cluster`, `cluster_header`).
    One(ClusterName),
    /// Weighted clusters (`weighted_clusters`).
    Weighted(WeightedClusters),
    /// The cluster that the dynamic module's filter chose ([`CHOSEN_CLUSTER`](super::CHOSEN_CLUSTER)), or
    /// this one if it has not decided (`inline_cluster_specifier_plugin` with
    /// `DynamicModuleClusterSpecifier`).
    Chosen(String),
    /// The cluster of the first matching branch (`inline_cluster_specifier_plugin` with
    /// `MatcherClusterSpecifier`).
    Matched(ClusterMatcher),
}

impl Forward {
    /// The subset criteria of its requests to a cluster, without those that filters add; those of a weighted cluster
    /// include the route's.
    #[must_use]
    pub fn criteria_to(&self, cluster: &str) -> &Metadata {
        let RouteTarget::Weighted(weighted) = &self.target else {
            return &self.criteria;
        };
        let mut clusters = weighted.of_all_attempts();
        let named = |one: &&WeightedCluster| matches!(&one.cluster, ClusterName::Name(name) if name == cluster);
        clusters
            .find(named)
            .map_or(&self.criteria, |one| &one.criteria)
    }
}

/// How a route names a cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClusterName {
    /// A fixed name (`cluster`, `name`).
    Name(String),
    /// The first value of the request header with this lower-case name (`cluster_header`).
    Header(String),
}

/// Clusters that share the requests of a route by weight (`envoy.config.route.v3.WeightedCluster`).
///
/// # Examples
/// ```
/// use spillgate_core::model::Metadata;
/// use spillgate_core::route::*;
///
/// let cluster = |name: &str, weight| WeightedCluster {
///     cluster: ClusterName::Name(name.into()),
///     weight,
///     criteria: Metadata::EMPTY,
///     filters: None,
///     headers: HeaderMutations::default(),
///     host_rewrite: None,
/// };
/// let clusters = vec![cluster("stable", 90), cluster("canary", 10)];
/// let split = WeightedClusters::new(clusters, SplitBy::Random).unwrap();
/// assert_eq!(split.total(), 100);
/// assert_eq!(split.at(190).unwrap().cluster, ClusterName::Name("canary".into()));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedClusters {
    clusters: Vec<WeightedCluster>,
    total: u32,
    by: SplitBy,
    /// Those of later attempts.
    later: Vec<Self>,
}

/// One weighted cluster (`WeightedCluster.ClusterWeight`).
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedCluster {
    /// The cluster.
    pub cluster: ClusterName,
    /// The weight, 0 to 2^32-1, relative to the total weight.
    pub weight: u32,
    /// The subset criteria: those of the route, overridden by `metadata_match` of the weighted
    /// cluster.
    pub criteria: Metadata,
    /// The HTTP filters of the requests, if they differ from those of the route
    /// (`typed_per_filter_config`).
    pub filters: Option<Vec<RequestFilter>>,
    /// The headers that requests gain and lose before those of the route
    /// (`request_headers_to_add`, `request_headers_to_remove`).
    pub headers: HeaderMutations,
    /// The host of the requests, unless the route rewrites it (`host_rewrite_literal`).
    pub host_rewrite: Option<String>,
}

/// What selects a weighted cluster. If the required value is missing, a random number selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SplitBy {
    /// A random number.
    Random,
    /// The integer in the only value of the request header with this lower-case name
    /// (`header_name`).
    Header(String),
    /// The request hash, without generated cookies (`use_hash_policy`).
    HashPolicy,
}

/// Why weights are invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeightError {
    /// The weights sum to 0.
    NoWeight,
    /// The weights sum to more than 4,294,967,295.
    TooMuch,
}

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoWeight => "the weights sum to 0",
            Self::TooMuch => "the weights sum to more than 4294967295",
        })
    }
}

impl core::error::Error for WeightError {}

impl WeightedClusters {
    /// Checks the weights.
    ///
    /// # Errors
    /// An error if the sum of the weights is 0 or does not fit 32 bits.
    pub fn new(clusters: Vec<WeightedCluster>, by: SplitBy) -> Result<Self, WeightError> {
        let total: u64 = clusters.iter().map(|one| u64::from(one.weight)).sum();
        match u32::try_from(total) {
            Ok(0) => Err(WeightError::NoWeight),
            Err(_) => Err(WeightError::TooMuch),
            Ok(total) => Ok(Self {
                clusters,
                total,
                by,
                later: Vec::new(),
            }),
        }
    }

    /// With the clusters of retries that choose again (`refresh_cluster_on_retry`): those of the second
    /// attempt first. Attempts after the last of them use the last
    /// (`PriorityGroupClusterSpecifier.priority_groups`).
    #[must_use]
    pub fn with_later(self, later: Vec<Self>) -> Self {
        Self { later, ..self }
    }

    /// The clusters of the attempt with this number, from 0, if retries choose again.
    pub(super) fn of_attempt(&self, attempt: u32) -> &Self {
        let at = (attempt as usize).min(self.later.len());
        let later = at.checked_sub(1).and_then(|at| self.later.get(at));
        later.unwrap_or(self)
    }

    /// Whether retries have clusters of their own.
    #[must_use]
    pub const fn has_later(&self) -> bool {
        !self.later.is_empty()
    }

    /// The clusters of the first attempt, then those of later ones.
    pub fn by_attempt(&self) -> impl Iterator<Item = &[WeightedCluster]> {
        let later = self.later.iter().map(|group| &*group.clusters);
        core::iter::once(&*self.clusters).chain(later)
    }

    /// The clusters of all attempts.
    pub fn of_all_attempts(&self) -> impl Iterator<Item = &WeightedCluster> {
        self.by_attempt().flatten()
    }

    pub(super) fn rename(&mut self, change: &mut impl FnMut(&mut String)) {
        for one in &mut self.clusters {
            if let ClusterName::Name(name) = &mut one.cluster {
                change(name);
            }
        }
        for later in &mut self.later {
            later.rename(change);
        }
    }

    /// The clusters in configuration order.
    #[must_use]
    pub fn clusters(&self) -> &[WeightedCluster] {
        &self.clusters
    }

    /// The sum of the weights, 1 to 2^32-1.
    #[must_use]
    pub const fn total(&self) -> u32 {
        self.total
    }

    /// What selects a cluster.
    #[must_use]
    pub const fn by(&self) -> &SplitBy {
        &self.by
    }

    /// The clusters with a weight, each with its range of numbers modulo the total weight.
    pub fn ranges(&self) -> impl Iterator<Item = (Range<u64>, &WeightedCluster)> {
        let mut start = 0;
        let ranges = self.clusters.iter().map(move |one| {
            let from = start;
            start += u64::from(one.weight);
            (from..start, one)
        });
        ranges.filter(|(range, _)| !range.is_empty())
    }

    /// The cluster for a number, with its range.
    pub(super) fn range_at(&self, number: u64) -> Option<(Range<u64>, &WeightedCluster)> {
        let rest = number.checked_rem(self.total.into())?;
        self.ranges().find(|(range, _)| range.contains(&rest))
    }

    /// The cluster for a number: the number modulo the total weight selects one of the cumulative
    /// weights.
    #[must_use]
    pub fn at(&self, number: u64) -> Option<&WeightedCluster> {
        self.range_at(number).map(|(_, one)| one)
    }
}

impl ClusterName {
    /// The cluster name; `None` if the header is missing or not UTF-8.
    #[must_use]
    pub fn resolve<'a, H: Headers>(&'a self, headers: &'a H) -> Option<&'a str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Header(header) => core::str::from_utf8(headers.first(header)?).ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighted(weights: &[u32]) -> Result<WeightedClusters, WeightError> {
        let clusters = weights.iter().map(|&weight| WeightedCluster {
            cluster: ClusterName::Name(alloc::format!("c{weight}")),
            weight,
            criteria: Metadata::default(),
            filters: None,
            headers: HeaderMutations::default(),
            host_rewrite: None,
        });
        WeightedClusters::new(clusters.collect(), SplitBy::Random)
    }

    #[test]
    fn a_number_selects_modulo_the_total_weight() {
        let clusters = weighted(&[1, 0, 2]).unwrap();
        let at = |number| clusters.at(number).unwrap().weight;
        assert_eq!([0, 1, 2, 3, 5].map(at), [1, 2, 2, 1, 2]);
        assert_eq!(at(u64::MAX), 1);
    }

    #[test]
    fn weight_sums_are_checked() {
        assert_eq!(weighted(&[0, 0]), Err(WeightError::NoWeight));
        assert_eq!(weighted(&[]), Err(WeightError::NoWeight));
        assert_eq!(weighted(&[u32::MAX, 1]), Err(WeightError::TooMuch));
        assert_eq!(weighted(&[u32::MAX]).unwrap().total(), u32::MAX);
    }
}
