//! Where a route sends its requests (`RouteAction`).

use alloc::{string::String, vec::Vec};
use core::fmt;

use super::{HashPolicy, Headers, RequestFilter, RetryPolicy};
use crate::model::Metadata;

/// A route's way to a cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct Forward {
    /// Which cluster.
    pub target: RouteTarget,
    /// The criteria for subsets (`metadata_match`); entries of a weighted target have theirs.
    pub criteria: Metadata,
    /// How the request hash is made.
    pub hash_policies: Vec<HashPolicy>,
    /// What retries do to the choice of a host.
    pub retry: RetryPolicy,
    /// The status of the answer when the cluster does not exist
    /// (`cluster_not_found_response_code`).
    pub cluster_not_found: u16,
}

/// One cluster, or several that share the requests.
#[derive(Debug, Clone, PartialEq)]
pub enum RouteTarget {
    /// One.
    One(ClusterName),
    /// Several (`weighted_clusters`).
    Weighted(WeightedClusters),
}

/// How a cluster is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClusterName {
    /// By the configuration.
    Name(String),
    /// By the first value of this request header (`cluster_header`), lower case.
    Header(String),
}

/// Clusters that share the requests of a route.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedClusters {
    clusters: Vec<WeightedCluster>,
    total: u32,
    by: SplitBy,
}

/// One of them.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedCluster {
    /// Which cluster.
    pub cluster: ClusterName,
    /// Its share of the total weight.
    pub weight: u32,
    /// Its criteria for subsets: the route's, overridden by its own.
    pub criteria: Metadata,
    /// The filters of its requests, where they differ from those of the route
    /// (`typed_per_filter_config`).
    pub filters: Option<Vec<RequestFilter>>,
}

/// What decides between weighted clusters. Without what it needs, a random number does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SplitBy {
    /// A random number.
    Random,
    /// The whole number in the one value of this request header (`header_name`), lower case.
    Header(String),
    /// The request hash, for which no cookie is made up (`use_hash_policy`).
    HashPolicy,
}

/// Why weights are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeightError {
    /// They sum up to nothing.
    NoWeight,
    /// They sum up to more than 4,294,967,295.
    TooMuch,
}

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoWeight => "the weights sum up to 0",
            Self::TooMuch => "the weights sum up to more than 4294967295",
        })
    }
}

impl core::error::Error for WeightError {}

impl WeightedClusters {
    /// Checks the weights.
    ///
    /// # Errors
    /// When their sum is 0 or does not fit 32 bits.
    pub fn new(clusters: Vec<WeightedCluster>, by: SplitBy) -> Result<Self, WeightError> {
        let total: u64 = clusters.iter().map(|one| u64::from(one.weight)).sum();
        match u32::try_from(total) {
            Ok(0) => Err(WeightError::NoWeight),
            Err(_) => Err(WeightError::TooMuch),
            Ok(total) => Ok(Self {
                clusters,
                total,
                by,
            }),
        }
    }

    /// The clusters, in configuration order.
    #[must_use]
    pub fn clusters(&self) -> &[WeightedCluster] {
        &self.clusters
    }

    /// The sum of their weights, at least 1.
    #[must_use]
    pub const fn total(&self) -> u32 {
        self.total
    }

    /// What decides between them.
    #[must_use]
    pub const fn by(&self) -> &SplitBy {
        &self.by
    }

    /// The cluster that a number falls on: its place is the number modulo the total.
    #[must_use]
    pub fn at(&self, number: u64) -> Option<&WeightedCluster> {
        let mut rest = number.checked_rem(self.total.into())?;
        self.clusters.iter().find(|one| {
            let weight = u64::from(one.weight);
            let here = rest < weight;
            rest = rest.saturating_sub(weight);
            here
        })
    }
}

impl ClusterName {
    /// The name; `None` where the header is missing or is not text.
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
        });
        WeightedClusters::new(clusters.collect(), SplitBy::Random)
    }

    #[test]
    fn numbers_fall_modulo_the_total() {
        let clusters = weighted(&[1, 0, 2]).unwrap();
        let at = |number| clusters.at(number).unwrap().weight;
        assert_eq!([0, 1, 2, 3, 5].map(at), [1, 2, 2, 1, 2]);
        assert_eq!(at(u64::MAX), 1);
    }

    #[test]
    fn sums_are_checked() {
        assert_eq!(weighted(&[0, 0]), Err(WeightError::NoWeight));
        assert_eq!(weighted(&[]), Err(WeightError::NoWeight));
        assert_eq!(weighted(&[u32::MAX, 1]), Err(WeightError::TooMuch));
        assert_eq!(weighted(&[u32::MAX]).unwrap().total(), u32::MAX);
    }
}
