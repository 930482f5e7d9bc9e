//! Aggregate clusters made flat: the leaves of each root, in order of failover (A37, A74, A75).
//!
//! Every leaf is one child of a priority policy ([`super::priority`]) and keeps its own balancing;
//! what the aggregate itself says about balancing is ignored. Up to A75 it was the other way
//! round, and `GRPC_XDS_AGGREGATE_CLUSTER_BACKWARD_COMPAT=true` brings that back in released
//! gRPC; here it does not exist.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

/// What is known of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resource {
    /// A leaf whose endpoints come by EDS.
    Eds,
    /// A leaf whose endpoints a name server knows.
    LogicalDns,
    /// An aggregate of these clusters, the preferred one first.
    Aggregate(Vec<String>),
    /// The control plane has no such cluster.
    Missing,
    /// What the control plane sent is of no use.
    Error,
    /// Nothing has come yet.
    Pending,
}

/// A cluster that serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Its name.
    pub cluster: String,
    /// Whether requests to resolve anew stop at the priority policy
    /// (`ignore_reresolution_requests`): EDS needs none, a name server does.
    pub ignores_reresolution: bool,
}

/// Why a root has no leaves to offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AggregateError {
    /// Some branch is deeper than allowed, which spoils the whole root.
    MaxDepth,
    /// The root itself does not exist.
    Missing,
    /// Nothing below the root is a leaf.
    NoLeaves,
}

impl AggregateError {
    /// A stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MaxDepth => "max_depth",
            Self::Missing => "missing",
            Self::NoLeaves => "no_leaves",
        }
    }
}

/// What one root comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Root {
    /// Its leaves, the preferred one first; there is at least one.
    Leaves(Vec<Leaf>),
    /// Something below it is still [`Resource::Pending`].
    Pending,
    /// It cannot serve.
    Failed(AggregateError),
}

/// What a set of roots comes to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resolution {
    /// Every root by its name.
    pub roots: BTreeMap<String, Root>,
    /// The clusters to subscribe to.
    pub watch: BTreeSet<String>,
}

impl Resolution {
    /// Whether gRPC reports anything at all: one pending cluster holds back every root, until it
    /// has come or is known not to come.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.roots.values().any(|root| *root == Root::Pending)
    }
}

/// A node this deep is one too many; a root has depth 0.
pub const MAX_DEPTH: usize = 16;

/// Follows every root down to its leaves. A cluster that `clusters` does not name is pending.
///
/// Each root has its own memory of what it has visited. In gRPC 1.85 all roots share one, so that
/// an aggregate loses the leaves that an earlier root has; what is watched is shared here too.
#[must_use]
pub fn resolve<'a>(
    clusters: &BTreeMap<String, Resource>,
    roots: impl IntoIterator<Item = &'a str>,
    max_depth: usize,
) -> Resolution {
    let mut resolution = Resolution::default();
    for root in roots {
        let mut descent = Descent {
            clusters,
            max_depth,
            visited: BTreeSet::new(),
            leaves: Vec::new(),
            pending: false,
        };
        let outcome = match descent.enter(root, 0) {
            Err(error) => Root::Failed(error),
            Ok(()) if descent.pending => Root::Pending,
            Ok(()) if clusters.get(root) == Some(&Resource::Missing) => {
                Root::Failed(AggregateError::Missing)
            }
            Ok(()) if descent.leaves.is_empty() => Root::Failed(AggregateError::NoLeaves),
            Ok(()) => Root::Leaves(descent.leaves),
        };
        let visited = descent.visited.into_iter().map(String::from);
        resolution.watch.extend(visited);
        resolution.roots.insert(root.into(), outcome);
    }
    resolution
}

struct Descent<'a> {
    clusters: &'a BTreeMap<String, Resource>,
    max_depth: usize,
    visited: BTreeSet<&'a str>,
    leaves: Vec<Leaf>,
    pending: bool,
}

impl<'a> Descent<'a> {
    /// Depth is bounded by `max_depth`, so this recursion is.
    fn enter(&mut self, name: &'a str, depth: usize) -> Result<(), AggregateError> {
        if depth >= self.max_depth {
            return Err(AggregateError::MaxDepth);
        }
        if !self.visited.insert(name) {
            return Ok(());
        }
        let mut leaf = |ignores_reresolution| {
            self.leaves.push(Leaf {
                cluster: name.into(),
                ignores_reresolution,
            });
        };
        match self.clusters.get(name) {
            Some(Resource::Eds) => leaf(true),
            Some(Resource::LogicalDns) => leaf(false),
            Some(Resource::Aggregate(children)) => {
                for child in children {
                    self.enter(child, depth + 1)?;
                }
            }
            Some(Resource::Missing | Resource::Error) => {}
            Some(Resource::Pending) | None => self.pending = true,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString, vec};

    use super::*;

    fn aggregate(children: &[&str]) -> Resource {
        Resource::Aggregate(children.iter().map(ToString::to_string).collect())
    }

    fn leaves(resolution: &Resolution, root: &str) -> Vec<String> {
        match &resolution.roots[root] {
            Root::Leaves(leaves) => leaves.iter().map(|leaf| leaf.cluster.clone()).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn roots_share_leaves_and_nothing_else() {
        let clusters = [
            ("ab", aggregate(&["a", "b"])),
            ("ac", aggregate(&["a", "c"])),
            ("again", aggregate(&["a", "b"])),
            ("a", Resource::Eds),
            ("b", Resource::Eds),
            ("c", Resource::LogicalDns),
        ];
        let clusters = clusters.map(|(name, resource)| (name.to_string(), resource));
        let found = resolve(&clusters.into(), ["a", "ab", "ac", "again"], MAX_DEPTH);
        assert_eq!(leaves(&found, "a"), ["a"]);
        assert_eq!(leaves(&found, "ab"), ["a", "b"]);
        assert_eq!(leaves(&found, "ac"), ["a", "c"]);
        assert_eq!(leaves(&found, "again"), ["a", "b"]);
        assert!(found.is_complete());
    }

    #[test]
    fn a_root_that_does_not_exist_is_told_from_one_without_leaves() {
        let clusters = [
            ("gone", Resource::Missing),
            ("broken", Resource::Error),
            ("a", aggregate(&["gone", "broken"])),
        ];
        let clusters = clusters.map(|(name, resource)| (name.to_string(), resource));
        let found = resolve(&clusters.into(), ["gone", "broken", "a"], MAX_DEPTH);
        assert_eq!(found.roots["gone"], Root::Failed(AggregateError::Missing));
        assert_eq!(
            found.roots["broken"],
            Root::Failed(AggregateError::NoLeaves)
        );
        assert_eq!(found.roots["a"], Root::Failed(AggregateError::NoLeaves));
    }

    #[test]
    fn only_name_servers_are_asked_anew() {
        let clusters = [
            ("t", aggregate(&["e", "d", "gone", "broken"])),
            ("e", Resource::Eds),
            ("d", Resource::LogicalDns),
            ("gone", Resource::Missing),
            ("broken", Resource::Error),
        ];
        let clusters = clusters.map(|(name, resource)| (name.to_string(), resource));
        let found = resolve(&clusters.into(), ["t"], MAX_DEPTH);
        let leaf = |cluster: &str, ignores_reresolution| Leaf {
            cluster: cluster.into(),
            ignores_reresolution,
        };
        let expected = vec![leaf("e", true), leaf("d", false)];
        assert_eq!(found.roots["t"], Root::Leaves(expected));
    }

    #[test]
    fn one_branch_that_is_too_deep_spoils_the_root() {
        let clusters = [
            ("t", aggregate(&["good", "g"])),
            ("good", Resource::Eds),
            ("g", aggregate(&["deep"])),
            ("deep", Resource::Eds),
        ];
        let clusters = clusters.map(|(name, resource)| (name.to_string(), resource));
        let clusters = clusters.into();
        let shallow = resolve(&clusters, ["t"], 2);
        assert_eq!(shallow.roots["t"], Root::Failed(AggregateError::MaxDepth));
        assert_eq!(leaves(&resolve(&clusters, ["t"], 3), "t"), ["good", "deep"]);
    }

    #[test]
    fn what_is_not_known_yet_is_waited_for() {
        let clusters = [("t", aggregate(&["a", "later"])), ("a", Resource::Eds)];
        let clusters = clusters.map(|(name, resource)| (name.to_string(), resource));
        let found = resolve(&clusters.into(), ["t", "a"], MAX_DEPTH);
        assert_eq!(found.roots["t"], Root::Pending);
        assert_eq!(leaves(&found, "a"), ["a"]);
        assert!(!found.is_complete());
        assert!(found.watch.contains("later"));
    }
}
