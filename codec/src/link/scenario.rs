//! What a link stands for: clusters, and the one that the requests are for.

use alloc::{
    format,
    rc::Rc,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::fmt;

use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, Model, PlainCluster, Policy, Priority,
};

/// The most hosts that the page takes. Far above what anybody looks at, and a bound on what a
/// hostile link can ask for.
pub const MAXIMUM_HOSTS: usize = 20_000;

/// The most ring and maglev entries that all priorities may need together; about a second of work.
pub const MAXIMUM_TABLE_ENTRIES: u64 = 16_000_000;

/// A set of clusters and the one whose traffic is shown.
///
/// `O` is whatever its user wants to know of where it came from.
#[derive(Debug, Clone)]
pub struct LinkScenario<O = ()> {
    clusters: Vec<Rc<Cluster>>,
    root: usize,
    /// Where it came from; no part of the link.
    pub origin: O,
}

/// A priority of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PriorityAt {
    /// The cluster's place in the scenario.
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

/// Why clusters are no scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScenarioError {
    /// There is no cluster.
    Empty,
    /// Names or aggregates are wrong; the engine says how.
    Model(Vec<String>),
    /// More than [`MAXIMUM_HOSTS`] hosts.
    TooManyHosts(usize),
    /// More than [`MAXIMUM_TABLE_ENTRIES`] entries.
    TablesTooLarge(u64),
    /// No cluster has the place that is to be shown.
    NoSuchCluster,
    /// The cluster that is to be shown knows its hosts only when a request names one.
    OriginalDst,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is no cluster in it"),
            Self::Model(errors) => f.write_str(&errors.join("; ")),
            Self::TooManyHosts(hosts) => write!(
                f,
                "it has {hosts} hosts, and the page takes at most {MAXIMUM_HOSTS}"
            ),
            Self::TablesTooLarge(entries) => write!(
                f,
                "its hash tables need {entries} entries, and the page builds at most \
                 {MAXIMUM_TABLE_ENTRIES}"
            ),
            Self::NoSuchCluster => f.write_str("the cluster to show is not in it"),
            Self::OriginalDst => f.write_str(
                "the cluster to show is of type ORIGINAL_DST: it has no hosts but those that \
                 requests name, so there is no split to show",
            ),
        }
    }
}

/// Two scenarios are the same when the same clusters are shown the same way, wherever they came
/// from.
impl<O> PartialEq for LinkScenario<O> {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root && self.clusters == other.clusters
    }
}

impl<O: Default> LinkScenario<O> {
    /// A scenario that shows the cluster at `root`.
    ///
    /// # Errors
    /// When the engine refuses the clusters, there are too many hosts, or `root` is none of them.
    pub fn new(clusters: Vec<Cluster>, root: usize) -> Result<Self, ScenarioError> {
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
        let model = Model::new(clusters).map_err(|errors| {
            ScenarioError::Model(errors.iter().map(ToString::to_string).collect())
        })?;
        let clusters = model.into_clusters();
        let hosts = clusters.iter().map(hosts_of).sum();
        if hosts > MAXIMUM_HOSTS {
            return Err(ScenarioError::TooManyHosts(hosts));
        }
        let entries = clusters.iter().map(table_entries).sum();
        if entries > MAXIMUM_TABLE_ENTRIES {
            return Err(ScenarioError::TablesTooLarge(entries));
        }
        Ok(Self {
            clusters: clusters.into_iter().map(Rc::new).collect(),
            root,
            origin: O::default(),
        })
    }

    /// A scenario without anything in it, for where there is no better one.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            clusters: Vec::new(),
            root: 0,
            origin: O::default(),
        }
    }
}

impl<O> LinkScenario<O> {
    /// The same, with where it came from.
    #[must_use]
    pub fn with_origin(mut self, origin: O) -> Self {
        self.origin = origin;
        self
    }

    /// The clusters in order.
    #[must_use]
    pub fn clusters(&self) -> &[Rc<Cluster>] {
        &self.clusters
    }

    /// The place of the cluster that is shown.
    #[must_use]
    pub const fn root(&self) -> usize {
        self.root
    }

    /// The name of the cluster at a place; empty where there is none.
    #[must_use]
    pub fn name(&self, cluster: usize) -> &str {
        self.clusters.get(cluster).map_or("", |c| c.name.as_str())
    }

    /// The cluster at a place, if it owns hosts.
    #[must_use]
    pub fn plain(&self, cluster: usize) -> Option<&PlainCluster> {
        match &self.clusters.get(cluster)?.kind {
            ClusterKind::Plain(plain) => Some(plain),
            ClusterKind::Aggregate(_) | ClusterKind::OriginalDst(_) => None,
        }
    }

    /// The cluster at a place, if it is made of others.
    #[must_use]
    pub fn aggregate(&self, cluster: usize) -> Option<&AggregateCluster> {
        match &self.clusters.get(cluster)?.kind {
            ClusterKind::Aggregate(aggregate) => Some(aggregate),
            ClusterKind::Plain(_) | ClusterKind::OriginalDst(_) => None,
        }
    }

    /// One priority.
    #[must_use]
    pub fn priority(&self, at: PriorityAt) -> Option<&Priority> {
        self.plain(at.cluster)?.priorities.get(at.priority)
    }

    /// The clusters with hosts behind the one that is shown: itself, or its members in order.
    #[must_use]
    pub fn shown(&self) -> Vec<usize> {
        match self.aggregate(self.root) {
            None => vec![self.root],
            Some(aggregate) => aggregate
                .members
                .iter()
                .filter_map(|name| self.clusters.iter().position(|c| c.name == *name))
                .filter(|&at| self.plain(at).is_some())
                .collect(),
        }
    }

    /// How the page names a priority: `P1`, with its cluster in front under an aggregate.
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

    /// What the engine compiles.
    #[must_use]
    pub fn model(&self) -> Model {
        let clusters = self.clusters.iter().map(|c| (**c).clone()).collect();
        // The clusters were legal when the scenario was made, and edits keep names and members.
        Model::new(clusters).unwrap_or_default()
    }
}

impl<O: Clone> LinkScenario<O> {
    /// The same with another cluster shown; `None` when there is no such cluster.
    #[must_use]
    pub fn with_root(&self, root: usize) -> Option<Self> {
        (root < self.clusters.len()).then(|| Self {
            root,
            ..self.clone()
        })
    }

    /// The same with one cluster changed; the others are shared. `None` when nothing changes or
    /// the result is more than the page takes.
    #[must_use]
    pub fn with_cluster(&self, at: usize, change: impl FnOnce(&mut ClusterKind)) -> Option<Self> {
        let before = self.clusters.get(at)?;
        let mut cluster = (**before).clone();
        change(&mut cluster.kind);
        if cluster == **before {
            return None;
        }
        let mut next = self.clone();
        *next.clusters.get_mut(at)? = Rc::new(cluster);
        let hosts: usize = next.clusters.iter().map(|c| hosts_of(c)).sum();
        let entries: u64 = next.clusters.iter().map(|c| table_entries(c)).sum();
        (hosts <= MAXIMUM_HOSTS && entries <= MAXIMUM_TABLE_ENTRIES).then_some(next)
    }
}

/// The place of the cluster that most likely is meant: an aggregate first, then the one with the
/// most priorities.
#[must_use]
pub fn proposed(clusters: &[Cluster]) -> usize {
    let rank = |cluster: &Cluster| match &cluster.kind {
        ClusterKind::Aggregate(_) => (2, 0),
        ClusterKind::Plain(plain) => (1, plain.priorities.len()),
        ClusterKind::OriginalDst(_) => (0, 0),
    };
    let mut best = 0;
    for (at, cluster) in clusters.iter().enumerate() {
        if clusters.get(best).is_none_or(|b| rank(cluster) > rank(b)) {
            best = at;
        }
    }
    best
}

fn hosts_of(cluster: &Cluster) -> usize {
    match &cluster.kind {
        ClusterKind::Plain(plain) => plain.priorities.iter().map(|l| l.endpoints.len()).sum(),
        ClusterKind::Aggregate(_) | ClusterKind::OriginalDst(_) => 0,
    }
}

fn table_entries(cluster: &Cluster) -> u64 {
    let ClusterKind::Plain(plain) = &cluster.kind else {
        return 0;
    };
    // Every subset has tables of its own, and a host is in one for each selector at most.
    let sets = plain.subsets.as_ref().map_or(0, |config| {
        hosts_of(cluster) as u64 * config.selectors.len() as u64
    });
    let each = match plain.policy {
        // A ring may grow beyond its smallest size: at most to an entry more a host.
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
