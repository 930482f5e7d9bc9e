//! Which clusters fit together within the limits of the playground.

use alloc::{collections::BTreeSet, sync::Arc, vec, vec::Vec};
use core::borrow::Borrow;

use spillgate_core::{
    model::{Cluster, ClusterKind, Policy},
    names::Names,
};

use super::scenario_error::{MAXIMUM_HOSTS, MAXIMUM_TABLE_ENTRIES, ScenarioError};

/// Which clusters of a configuration fit into one scenario. A cluster needs those that it reaches: the members of
/// an aggregate or composite cluster.
#[derive(Debug)]
pub struct ClusterLimits<'a> {
    clusters: &'a [Arc<Cluster>],
    names: Names,
}

impl<'a> ClusterLimits<'a> {
    /// The limits for these clusters.
    #[must_use]
    pub fn new(clusters: &'a [Arc<Cluster>]) -> Self {
        let mut names = Names::default();
        for (at, cluster) in clusters.iter().enumerate() {
            names.insert(&cluster.name, at);
        }
        Self { clusters, names }
    }

    /// Whether a scenario can show the cluster with this index.
    ///
    /// # Errors
    /// [`ScenarioError::OriginalDst`], or those of [`fits`].
    pub fn check(&self, root: usize) -> Result<(), ScenarioError> {
        let kind = self.clusters.get(root).map(|cluster| &cluster.kind);
        if let Some(ClusterKind::OriginalDst(_)) = kind {
            return Err(ScenarioError::OriginalDst);
        }
        let reached: Vec<&Cluster> = self.reached(root).filter_map(|at| self.at(at)).collect();
        fits(&reached)
    }

    /// The clusters of a scenario, as indices in order: `root` with those that it reaches, then each other
    /// cluster, in order and with those that it reaches, for which there is room. All of them if they fit.
    #[must_use]
    pub fn together(&self, root: Option<usize>) -> Vec<usize> {
        let mut keeps = vec![false; self.clusters.len()];
        let mut room = Room::default();
        for start in root.into_iter().chain(0..self.clusters.len()) {
            if keeps.get(start) != Some(&false) {
                continue;
            }
            let is_new = |at: &usize| keeps.get(*at) == Some(&false);
            let new: Vec<usize> = self.reached(start).filter(is_new).collect();
            let with = room.with(new.iter().filter_map(|at| self.at(*at)));
            if with.check().is_ok() {
                room = with;
                for at in new {
                    if let Some(keeps) = keeps.get_mut(at) {
                        *keeps = true;
                    }
                }
            }
        }
        let kept = keeps.iter().enumerate().filter(|(_, keeps)| **keeps);
        kept.map(|(at, _)| at).collect()
    }

    fn at(&self, at: usize) -> Option<&'a Cluster> {
        self.clusters.get(at).map(|cluster| &**cluster)
    }

    /// A cluster and those that it reaches, each once, as indices in order.
    pub fn reached(&self, root: usize) -> impl Iterator<Item = usize> + use<> {
        let mut found = BTreeSet::from([root]);
        let mut open = vec![root];
        while let Some(at) = open.pop() {
            let members = self.at(at).map_or(&[][..], Cluster::members);
            let members = members.iter().filter_map(|name| self.names.get(name));
            open.extend(members.filter(|member| found.insert(*member)));
        }
        found.into_iter()
    }
}

/// What clusters take of the limits.
#[derive(Debug, Clone, Copy, Default)]
struct Room {
    hosts: usize,
    entries: u64,
}

impl Room {
    fn with<'c>(self, clusters: impl Iterator<Item = &'c Cluster>) -> Self {
        clusters.fold(self, |room, cluster| Self {
            hosts: room.hosts.saturating_add(hosts_of(cluster)),
            entries: room.entries.saturating_add(table_entries(cluster)),
        })
    }

    const fn check(self) -> Result<(), ScenarioError> {
        if self.hosts > MAXIMUM_HOSTS {
            Err(ScenarioError::TooManyHosts(self.hosts))
        } else if self.entries > MAXIMUM_TABLE_ENTRIES {
            Err(ScenarioError::TablesTooLarge(self.entries))
        } else {
            Ok(())
        }
    }
}

/// Whether the clusters are within the limits of the playground; builds no tables.
///
/// # Errors
/// [`ScenarioError::TooManyHosts`] or [`ScenarioError::TablesTooLarge`].
pub fn fits<C: Borrow<Cluster>>(clusters: &[C]) -> Result<(), ScenarioError> {
    Room::default()
        .with(clusters.iter().map(Borrow::borrow))
        .check()
}

pub(super) fn hosts_of(cluster: &Cluster) -> usize {
    match &cluster.kind {
        ClusterKind::Plain(plain) => plain.priorities.iter().map(|l| l.endpoints.len()).sum(),
        ClusterKind::Aggregate(_) | ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => 0,
    }
}

pub(super) fn table_entries(cluster: &Cluster) -> u64 {
    let ClusterKind::Plain(plain) = &cluster.kind else {
        return 0;
    };
    // Each subset has its own tables, and a host is in at most one subset per selector.
    let sets = plain.subsets.as_ref().map_or(0, |config| {
        hosts_of(cluster) as u64 * config.selectors.len() as u64
    });
    let each = match plain.policy {
        // A ring can exceed its minimum size by at most one entry per host.
        Policy::RingHash(config) => config.minimum_ring_size(),
        Policy::Maglev(config) => u64::from(config.table_size()),
        Policy::RoundRobin
        | Policy::LeastRequest(_)
        | Policy::ClientSideWeightedRoundRobin
        | Policy::Random
        | Policy::Rendezvous => 0,
    };
    let priorities = plain.priorities.iter().filter(|l| !l.endpoints.is_empty());
    each.saturating_mul(priorities.count() as u64)
        .saturating_mul(1 + sets)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use spillgate_core::model::{
        AggregateCluster, Endpoint, MaglevConfig, PanicThreshold, PlainCluster, Priority,
    };

    use super::*;

    /// A cluster whose table has this many entries in each of its priorities.
    fn maglev(name: &str, size: u64, priorities: usize) -> Arc<Cluster> {
        let priority =
            |at| Priority::single_locality(vec![Endpoint::new(alloc::format!("{name}{at}:1"))]);
        let plain = PlainCluster {
            policy: Policy::Maglev(MaglevConfig::new(size).unwrap()),
            priorities: (0..priorities).map(priority).collect(),
            ..PlainCluster::default()
        };
        Arc::new(Cluster::plain(name, plain))
    }

    fn aggregate(name: &str, members: &[&str]) -> Arc<Cluster> {
        Arc::new(Cluster {
            name: name.into(),
            kind: ClusterKind::Aggregate(AggregateCluster {
                members: members.iter().map(|name| (*name).into()).collect(),
                panic_threshold: PanicThreshold::from_percent(50.0),
                flatten: false,
            }),
        })
    }

    #[test]
    fn a_cluster_that_is_too_large_excludes_itself_and_those_that_reach_it() {
        let clusters = [
            maglev("small", 65_537, 1),
            maglev("large", 5_000_011, 4),
            aggregate("both", &["small", "large"]),
            aggregate("few", &["small", "missing"]),
        ];
        let limits = ClusterLimits::new(&clusters);
        let too_large = |entries| Err(ScenarioError::TablesTooLarge(entries));
        assert_eq!(limits.check(0), Ok(()));
        assert_eq!(limits.check(1), too_large(20_000_044));
        assert_eq!(limits.check(2), too_large(20_065_581));
        assert_eq!(limits.check(3), Ok(()));
        for root in [None, Some(0), Some(3)] {
            assert_eq!(limits.together(root), [0, 3], "{root:?}");
        }
    }

    #[test]
    fn the_shown_cluster_and_its_members_come_first() {
        let clusters = [
            maglev("a", 5_000_011, 1),
            maglev("b", 5_000_011, 2),
            aggregate("all", &["b"]),
            maglev("c", 5_000_011, 2),
        ];
        let limits = ClusterLimits::new(&clusters);
        for at in 0..clusters.len() {
            assert_eq!(limits.check(at), Ok(()));
        }
        assert_eq!(limits.together(None), [0, 1, 2]);
        assert_eq!(limits.together(Some(2)), [0, 1, 2]);
        assert_eq!(limits.together(Some(3)), [0, 3]);
        let few = ClusterLimits::new(&clusters[..3]);
        assert_eq!(few.together(Some(0)), [0, 1, 2]);
    }
}
