//! Flattens aggregate clusters: the leaves of each root, in failover order (A37, A74, A75).
//!
//! Every leaf is one child of a priority policy ([`super::priority`]) with its own load-balancing
//! policy; the policy of the aggregate is ignored. Before A75, the aggregate's policy applied. Released
//! gRPC restores that with `GRPC_XDS_AGGREGATE_CLUSTER_BACKWARD_COMPAT=true`, which is not supported
//! here.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

/// The resource of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resource {
    /// A leaf with endpoints from EDS.
    Eds,
    /// A leaf with endpoints from DNS.
    LogicalDns,
    /// An aggregate of these clusters, the preferred one first.
    Aggregate(Vec<String>),
    /// The control plane has no such cluster.
    Missing,
    /// The control plane sent an invalid resource.
    Error,
    /// Not received yet.
    Pending,
}

/// A leaf cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Its name.
    pub cluster: String,
    /// Whether the priority policy ignores re-resolution requests (`ignore_reresolution_requests`):
    /// true for EDS, false for DNS.
    pub ignores_reresolution: bool,
}

/// Why a root is unusable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AggregateError {
    /// A branch exceeds the maximum depth, which makes the whole root unusable.
    MaxDepth,
    /// The root itself does not exist.
    Missing,
    /// The root has no leaf.
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

/// The result of one root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Root {
    /// Its leaves, the preferred one first; at least one.
    Leaves(Vec<Leaf>),
    /// A cluster below it is still [`Resource::Pending`].
    Pending,
    /// The root is unusable.
    Failed(AggregateError),
}

/// The result of a set of roots.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resolution {
    /// Every root by its name.
    pub roots: BTreeMap<String, Root>,
    /// The clusters to subscribe to.
    pub watch: BTreeSet<String>,
}

impl Resolution {
    /// Whether gRPC reports any root: one pending cluster delays all roots until its resource is
    /// received or known to be missing.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.roots.values().any(|root| *root == Root::Pending)
    }
}

/// The depth that is not allowed any more; a root has depth 0.
pub const MAX_DEPTH: usize = 16;

/// Follows every root down to its leaves. A cluster that `clusters` does not name is pending.
///
/// Each root has its own set of visited clusters. In gRPC 1.85 all roots share one set, so an
/// aggregate loses the leaves of earlier roots. The set of watched clusters is shared here too.
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
    /// `max_depth` bounds the recursion.
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
        ]
        .map(|(name, resource)| (name.to_string(), resource));
        let found = resolve(&clusters.into(), ["a", "ab", "ac", "again"], MAX_DEPTH);
        assert_eq!(leaves(&found, "a"), ["a"]);
        assert_eq!(leaves(&found, "ab"), ["a", "b"]);
        assert_eq!(leaves(&found, "ac"), ["a", "c"]);
        assert_eq!(leaves(&found, "again"), ["a", "b"]);
        assert!(found.is_complete());
    }

    #[test]
    fn a_missing_root_differs_from_a_root_without_leaves() {
        let clusters = [
            ("gone", Resource::Missing),
            ("broken", Resource::Error),
            ("a", aggregate(&["gone", "broken"])),
        ]
        .map(|(name, resource)| (name.to_string(), resource));
        let found = resolve(&clusters.into(), ["gone", "broken", "a"], MAX_DEPTH);
        assert_eq!(found.roots["gone"], Root::Failed(AggregateError::Missing));
        assert_eq!(
            found.roots["broken"],
            Root::Failed(AggregateError::NoLeaves)
        );
        assert_eq!(found.roots["a"], Root::Failed(AggregateError::NoLeaves));
    }

    #[test]
    fn only_dns_leaves_re_resolve() {
        let clusters = [
            ("t", aggregate(&["e", "d", "gone", "broken"])),
            ("e", Resource::Eds),
            ("d", Resource::LogicalDns),
            ("gone", Resource::Missing),
            ("broken", Resource::Error),
        ]
        .map(|(name, resource)| (name.to_string(), resource));
        let found = resolve(&clusters.into(), ["t"], MAX_DEPTH);
        let leaf = |cluster: &str, ignores_reresolution| Leaf {
            cluster: cluster.into(),
            ignores_reresolution,
        };
        let expected = vec![leaf("e", true), leaf("d", false)];
        assert_eq!(found.roots["t"], Root::Leaves(expected));
    }

    #[test]
    fn one_branch_that_is_too_deep_makes_the_root_unusable() {
        let clusters = [
            ("t", aggregate(&["good", "g"])),
            ("good", Resource::Eds),
            ("g", aggregate(&["deep"])),
            ("deep", Resource::Eds),
        ]
        .map(|(name, resource)| (name.to_string(), resource))
        .into();
        let shallow = resolve(&clusters, ["t"], 2);
        assert_eq!(shallow.roots["t"], Root::Failed(AggregateError::MaxDepth));
        assert_eq!(leaves(&resolve(&clusters, ["t"], 3), "t"), ["good", "deep"]);
    }

    #[test]
    fn pending_clusters_delay_the_result() {
        let clusters = [("t", aggregate(&["a", "later"])), ("a", Resource::Eds)]
            .map(|(name, resource)| (name.to_string(), resource));
        let found = resolve(&clusters.into(), ["t", "a"], MAX_DEPTH);
        assert_eq!(found.roots["t"], Root::Pending);
        assert_eq!(leaves(&found, "a"), ["a"]);
        assert!(!found.is_complete());
        assert!(found.watch.contains("later"));
    }
}
