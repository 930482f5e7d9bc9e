//! The target cluster of a request.

use alloc::vec::Vec;

use spillgate_config::filter::TargetConfig;
use spillgate_core::{
    load::{hash_roll, weighted_choice},
    route::{ClusterName, Headers, RouteMatch},
    snapshot::{ClusterId, Snapshot},
};

/// The compiled targets of a configuration.
pub(crate) enum Targets {
    /// The first target that matches.
    FirstMatch(Vec<CompiledTarget>),
    /// A weighted split.
    Weighted(Split),
}

/// The clusters of a weighted split, and their weights.
pub(crate) struct Split {
    clusters: Vec<ClusterId>,
    weights: Vec<u32>,
}

/// A target cluster, and the requests that it applies to.
pub(crate) struct CompiledTarget {
    cluster: ClusterId,
    /// Any of these must match; without a list, every request matches.
    matches: Option<Vec<RouteMatch>>,
}

impl Targets {
    /// Resolves names to ids. Names are known: a valid configuration defines its targets.
    pub(crate) fn new(target: TargetConfig, snapshot: &Snapshot) -> Self {
        let compiled = |name: &str, matches| {
            let cluster = snapshot.cluster_id(name)?;
            Some(CompiledTarget { cluster, matches })
        };
        match target {
            TargetConfig::Always(name) => {
                Self::FirstMatch(compiled(&name, None).into_iter().collect())
            }
            TargetConfig::FirstMatch(rules) => {
                let rules = rules
                    .into_iter()
                    .filter_map(|rule| compiled(&rule.cluster, Some(rule.matches)));
                Self::FirstMatch(rules.collect())
            }
            TargetConfig::Weighted(weighted) => {
                let entries = weighted.clusters().iter().filter_map(|one| {
                    let (ClusterName::Name(name) | ClusterName::Header(name)) = &one.cluster;
                    Some((snapshot.cluster_id(name)?, one.weight))
                });
                let (clusters, weights) = entries.unzip();
                Self::Weighted(Split { clusters, weights })
            }
        }
    }

    /// Whether the target depends on request headers.
    pub(crate) fn read_headers(&self) -> bool {
        match self {
            Self::FirstMatch(targets) => targets.iter().any(|target| target.matches.is_some()),
            Self::Weighted(_) => false,
        }
    }

    /// The clusters of a weighted split: a session may stay in any of them. Otherwise empty.
    pub(crate) fn split(&self) -> &[ClusterId] {
        match self {
            Self::FirstMatch(_) => &[],
            Self::Weighted(split) => &split.clusters,
        }
    }

    /// The clusters of a weighted split that requests can draw.
    pub(crate) fn drawn(&self) -> impl Iterator<Item = ClusterId> {
        let weights: &[u32] = match self {
            Self::FirstMatch(_) => &[],
            Self::Weighted(split) => &split.weights,
        };
        let pairs = self.split().iter().zip(weights);
        pairs
            .filter(|(_, weight)| **weight > 0)
            .map(|(cluster, _)| *cluster)
    }

    /// The target cluster of a request; `None` if the request passes through. A choice by weight
    /// uses the hash, or the random number of `draw` if there is no hash.
    pub(crate) fn of<H: Headers>(
        &self,
        headers: &H,
        hash: impl FnOnce() -> Option<u64>,
        draw: impl FnOnce() -> u64,
    ) -> Option<ClusterId> {
        match self {
            Self::FirstMatch(targets) => targets
                .iter()
                .find(|target| match &target.matches {
                    Some(matches) => matches.iter().any(|m| m.matches(headers)),
                    None => true,
                })
                .map(|target| target.cluster),
            Self::Weighted(split) => {
                let roll = hash().map_or_else(draw, hash_roll);
                let at = weighted_choice(roll, split.weights.iter().copied())?;
                split.clusters.get(at).copied()
            }
        }
    }
}
