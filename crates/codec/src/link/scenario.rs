//! The content of a link: clusters, and the one that is shown.

use alloc::{
    format,
    string::{String, ToString},
    sync::Arc,
    vec,
    vec::Vec,
};
use core::borrow::Borrow;

use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, Model, PlainCluster, Priority,
};

use super::{limits::fits, scenario_error::ScenarioError};

/// A set of clusters and the one whose traffic is shown.
///
/// `O` is the origin of the scenario, which its user defines.
#[derive(Debug, Clone)]
pub struct Scenario<O = ()> {
    model: Model,
    root: usize,
    /// The origin; not part of the link.
    pub origin: O,
}

/// A priority of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PriorityAt {
    /// The index of the cluster in the scenario.
    pub cluster: usize,
    /// The priority.
    pub priority: usize,
}

/// A host of a priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostAt {
    /// Its priority.
    pub priority: PriorityAt,
    /// Its index in the priority.
    pub host: usize,
}

/// Two scenarios are equal if they have the same clusters and show the same one; the origin does not
/// matter.
impl<O> PartialEq for Scenario<O> {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root && self.model == other.model
    }
}

impl<O: Default> Scenario<O> {
    /// A scenario that shows the cluster at `root`.
    ///
    /// # Errors
    /// If the engine rejects the clusters, there are too many hosts, or `root` is invalid.
    pub fn new<C: Into<Arc<Cluster>>>(
        clusters: Vec<C>,
        root: usize,
    ) -> Result<Self, ScenarioError> {
        Self::shared(clusters.into_iter().map(Into::into).collect(), root)
    }

    fn shared(clusters: Vec<Arc<Cluster>>, root: usize) -> Result<Self, ScenarioError> {
        if clusters.is_empty() {
            return Err(ScenarioError::Empty);
        }
        if root >= clusters.len() {
            return Err(ScenarioError::NoSuchCluster);
        }
        if matches!(
            clusters.get(root).map(|cluster| &cluster.kind),
            Some(ClusterKind::OriginalDst(_))
        ) {
            return Err(ScenarioError::OriginalDst);
        }
        fits(&clusters)?;
        let model = Model::shared(clusters).map_err(|errors| {
            ScenarioError::Model(errors.iter().map(ToString::to_string).collect())
        })?;
        Ok(Self {
            model,
            root,
            origin: O::default(),
        })
    }

    /// A scenario without clusters, as a fallback.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            model: Model::empty(),
            root: 0,
            origin: O::default(),
        }
    }
}

impl<O> Scenario<O> {
    /// The same scenario with an origin.
    #[must_use]
    pub fn with_origin(mut self, origin: O) -> Self {
        self.origin = origin;
        self
    }

    /// The clusters in order.
    #[must_use]
    pub fn clusters(&self) -> &[Arc<Cluster>] {
        self.model.clusters()
    }

    /// The index of the shown cluster.
    #[must_use]
    pub const fn root(&self) -> usize {
        self.root
    }

    /// The name of the cluster at an index; empty for an invalid index.
    #[must_use]
    pub fn name(&self, cluster: usize) -> &str {
        self.clusters().get(cluster).map_or("", |c| c.name.as_str())
    }

    /// The cluster at an index, if it owns hosts.
    #[must_use]
    pub fn plain(&self, cluster: usize) -> Option<&PlainCluster> {
        match &self.clusters().get(cluster)?.kind {
            ClusterKind::Plain(plain) => Some(plain),
            ClusterKind::Aggregate(_) | ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => {
                None
            }
        }
    }

    /// The cluster at an index, if it is an aggregate.
    #[must_use]
    pub fn aggregate(&self, cluster: usize) -> Option<&AggregateCluster> {
        match &self.clusters().get(cluster)?.kind {
            ClusterKind::Aggregate(aggregate) => Some(aggregate),
            ClusterKind::Plain(_) | ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => None,
        }
    }

    /// One priority.
    #[must_use]
    pub fn priority(&self, at: PriorityAt) -> Option<&Priority> {
        self.plain(at.cluster)?.priorities.get(at.priority)
    }

    /// The shown cluster, or its members in order if it is an aggregate.
    #[must_use]
    pub fn shown(&self) -> Vec<usize> {
        match self.aggregate(self.root) {
            None => vec![self.root],
            Some(aggregate) => aggregate
                .members
                .iter()
                .filter_map(|name| self.clusters().iter().position(|c| c.name == *name))
                .filter(|&at| self.plain(at).is_some())
                .collect(),
        }
    }

    /// The name of a priority in the playground: `P1`, after the name of its cluster under an aggregate.
    #[must_use]
    pub fn priority_name(&self, at: PriorityAt) -> String {
        if self.root == at.cluster {
            format!("P{}", at.priority)
        } else {
            format!("{} P{}", self.name(at.cluster), at.priority)
        }
    }

    /// The same as an identifier: `P1` or `shop-primary/P1`.
    #[must_use]
    pub fn priority_id(&self, at: PriorityAt) -> String {
        if self.root == at.cluster {
            format!("P{}", at.priority)
        } else {
            format!("{}/P{}", self.name(at.cluster), at.priority)
        }
    }

    /// The model for the engine.
    #[must_use]
    pub const fn model(&self) -> &Model {
        &self.model
    }
}

impl<O: Clone> Scenario<O> {
    /// The same scenario showing another cluster; `None` for an invalid index.
    #[must_use]
    pub fn with_root(&self, root: usize) -> Option<Self> {
        (root < self.clusters().len()).then(|| Self {
            root,
            ..self.clone()
        })
    }

    /// The same scenario with one changed cluster; the others are shared. `None` if nothing changes, or
    /// if the engine or the limits of the playground refuse the result.
    #[must_use]
    pub fn with_cluster(&self, at: usize, change: impl FnOnce(&mut ClusterKind)) -> Option<Self> {
        let mut next = self.clone();
        next.model.change(at, change).ok()??;
        let is_changed = next.clusters().get(at) != self.clusters().get(at);
        (is_changed && fits(next.clusters()).is_ok()).then_some(next)
    }
}

/// The index of the cluster to show by default: the first aggregate or composite cluster, else the one with the most
/// priorities.
#[must_use]
pub fn proposed<C: Borrow<Cluster>>(clusters: &[C]) -> usize {
    let rank = |cluster: &Cluster| match &cluster.kind {
        ClusterKind::Aggregate(_) | ClusterKind::Composite(_) => (2, 0),
        ClusterKind::Plain(plain) => (1, plain.priorities.len()),
        ClusterKind::OriginalDst(_) => (0, 0),
    };
    let mut best = 0;
    for (at, cluster) in clusters.iter().enumerate() {
        let is_better = |than: &C| rank(cluster.borrow()) > rank(than.borrow());
        if clusters.get(best).is_none_or(is_better) {
            best = at;
        }
    }
    best
}
