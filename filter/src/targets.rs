//! Which cluster a request is balanced over.

use spillgate_config::filter::Target;
use spillgate_core::load::{hash_roll, weighted_choice};
use spillgate_core::route::{ClusterName, Headers, RouteMatch};
use spillgate_core::snapshot::{ClusterId, Snapshot};

/// The targets of a configuration, by the numbers of their clusters.
pub(crate) enum Targets {
    /// The first that matches.
    FirstMatch(Vec<CompiledTarget>),
    /// One of these, by weight.
    Weighted(Split),
}

/// Clusters and their weights.
pub(crate) struct Split {
    clusters: Vec<ClusterId>,
    weights: Vec<u32>,
}

/// A cluster, and the requests that are balanced over it.
pub(crate) struct CompiledTarget {
    cluster: ClusterId,
    /// Any of these must match; every request does where there is no list.
    matches: Option<Vec<RouteMatch>>,
}

impl Targets {
    /// Names become numbers. A name that no cluster has was refused before.
    pub(crate) fn new(target: Target, snapshot: &Snapshot) -> Self {
        let compiled = |name: &str, matches| {
            let cluster = snapshot.cluster_id(name)?;
            Some(CompiledTarget { cluster, matches })
        };
        match target {
            Target::Always(name) => Self::FirstMatch(compiled(&name, None).into_iter().collect()),
            Target::FirstMatch(rules) => {
                let rules = rules.into_iter();
                let rules = rules.filter_map(|rule| compiled(&rule.cluster, Some(rule.matches)));
                Self::FirstMatch(rules.collect())
            }
            Target::Weighted(weighted) => {
                let entries = weighted.clusters().iter();
                let entries = entries.filter_map(|one| {
                    let (ClusterName::Name(name) | ClusterName::Header(name)) = &one.cluster;
                    Some((snapshot.cluster_id(name)?, one.weight))
                });
                let (clusters, weights) = entries.unzip();
                Self::Weighted(Split { clusters, weights })
            }
        }
    }

    /// Whether the request's headers say which one it is.
    pub(crate) fn read_headers(&self) -> bool {
        match self {
            Self::FirstMatch(targets) => targets.iter().any(|target| target.matches.is_some()),
            Self::Weighted(_) => false,
        }
    }

    /// The clusters that any request may go to, where a weight decides: a session may stay in each.
    pub(crate) fn split(&self) -> &[ClusterId] {
        match self {
            Self::FirstMatch(_) => &[],
            Self::Weighted(split) => &split.clusters,
        }
    }

    /// The cluster that a request is balanced over, if it is balanced here at all. `hash` settles
    /// a choice by weight where it shall; else `draw` does.
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
