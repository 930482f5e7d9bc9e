//! The model of a whole configuration: unique cluster names, acyclic aggregates, existing
//! localities.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::fmt;

use super::{Cluster, FallbackChain, LocalInfo, Locality, PlainCluster, Priority};
use crate::names::Names;

/// All clusters of a configuration, together with the proxy's own locality and the subset fallback
/// chain. A `Model` is always valid: the constructors check it, and later changes are checked as
/// well.
///
/// Clusters are shared: a copy of a model copies no hosts, and a change copies only its cluster.
/// There is no `Default`, because an error must not look like an empty model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    pub(super) clusters: Vec<Arc<Cluster>>,
    pub(super) local: LocalInfo,
    pub(super) chain: FallbackChain,
}

/// Why a list of clusters is not a valid model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// More than one cluster has this name.
    DuplicateCluster {
        /// The name.
        name: String,
    },
    /// An aggregate or composite cluster reaches itself through its members.
    AggregateCycle {
        /// The cluster names along the cycle; the first name is repeated at the end.
        path: Vec<String>,
    },
    /// The locality index of an endpoint is out of range for its priority.
    UnknownLocality {
        /// The cluster name.
        cluster: String,
        /// The priority, from 0.
        priority: usize,
        /// The address of the endpoint.
        address: String,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateCluster { name } => write!(f, "duplicate cluster name \"{name}\""),
            Self::AggregateCycle { path } => {
                write!(f, "clusters form a cycle: {}", path.join(" -> "))
            }
            Self::UnknownLocality {
                cluster,
                priority,
                address,
            } => write!(
                f,
                "endpoint {address} of cluster \"{cluster}\" has an unknown locality in priority {priority}"
            ),
        }
    }
}

impl core::error::Error for ModelError {}

impl Model {
    /// Checks the rules across clusters: names, aggregate members, and the localities of endpoints.
    ///
    /// # Errors
    /// All duplicate names, all cycles (each once) and all endpoints with an unknown locality, not
    /// only the first problem.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::model::{Cluster, Endpoint, Model, ModelError, PlainCluster, Priority};
    ///
    /// let cluster = |endpoint| {
    ///     Cluster::plain(
    ///         "shop",
    ///         PlainCluster {
    ///             priorities: vec![Priority::single_locality(vec![endpoint])],
    ///             ..PlainCluster::default()
    ///         },
    ///     )
    /// };
    /// let model = Model::new(vec![cluster(Endpoint::new("10.0.0.1:80"))]);
    /// assert_eq!(model.unwrap().clusters().len(), 1);
    ///
    /// // The priority has no locality 1.
    /// let endpoint = Endpoint {
    ///     locality: 1,
    ///     ..Endpoint::new("10.0.0.1:80")
    /// };
    /// let errors = Model::new(vec![cluster(endpoint)]).unwrap_err();
    /// assert!(matches!(errors[0], ModelError::UnknownLocality { priority: 0, .. }));
    /// ```
    pub fn new(clusters: Vec<Cluster>) -> Result<Self, Vec<ModelError>> {
        Self::shared(clusters.into_iter().map(Arc::new).collect())
    }

    /// As [`Model::new`], of clusters that other models may have, too.
    ///
    /// # Errors
    /// Those of [`Model::new`].
    pub fn shared(clusters: Vec<Arc<Cluster>>) -> Result<Self, Vec<ModelError>> {
        let model = Self::unchecked(clusters);
        let mut errors = model.duplicates();
        errors.extend(model.cycles());
        for cluster in &model.clusters {
            errors.extend(unknown_localities(&cluster.name, cluster.priorities()));
        }
        if errors.is_empty() {
            Ok(model)
        } else {
            Err(errors)
        }
    }

    /// A model without clusters.
    #[must_use]
    pub fn empty() -> Self {
        Self::unchecked(Vec::new())
    }

    /// A model of one cluster with hosts. A host with an unknown locality gets one without a name.
    #[must_use]
    pub fn single(name: &str, mut plain: PlainCluster) -> Self {
        for priority in &mut plain.priorities {
            for at in 0..priority.endpoints.len() {
                let known = priority.localities.len();
                let is_unknown = |of: &super::Endpoint| of.locality >= known;
                if priority.endpoints.get(at).is_some_and(is_unknown) {
                    let unnamed = priority.locality_index(Locality::default());
                    if let Some(endpoint) = priority.endpoints.get_mut(at) {
                        endpoint.locality = unnamed;
                    }
                }
            }
        }
        Self::unchecked(Vec::from([Arc::new(Cluster::plain(name, plain))]))
    }

    fn unchecked(clusters: Vec<Arc<Cluster>>) -> Self {
        Self {
            clusters,
            local: LocalInfo::default(),
            chain: FallbackChain::default(),
        }
    }

    /// Sets the locality and the cluster of the proxy itself.
    #[must_use]
    pub fn with_local(self, local: LocalInfo) -> Self {
        Self { local, ..self }
    }

    /// Sets the subset fallback chain, which applies to every plain and aggregate cluster.
    #[must_use]
    pub fn with_chain(self, chain: FallbackChain) -> Self {
        Self { chain, ..self }
    }

    /// The subset fallback chain; empty if Envoy's own subset rules apply.
    #[must_use]
    pub const fn chain(&self) -> &FallbackChain {
        &self.chain
    }

    /// The locality and the cluster of the proxy itself.
    #[must_use]
    pub const fn local(&self) -> &LocalInfo {
        &self.local
    }

    /// The clusters in configuration order.
    #[must_use]
    pub fn clusters(&self) -> &[Arc<Cluster>] {
        &self.clusters
    }

    /// The cluster with this name.
    #[must_use]
    pub fn cluster(&self, name: &str) -> Option<&Cluster> {
        let mut clusters = self.clusters.iter().map(|cluster| &**cluster);
        clusters.find(|cluster| cluster.name == name)
    }

    /// The clusters, copied where another model has them, too.
    #[must_use]
    pub fn into_clusters(self) -> Vec<Cluster> {
        let clusters = self.clusters.into_iter();
        clusters.map(Arc::unwrap_or_clone).collect()
    }

    fn duplicates(&self) -> Vec<ModelError> {
        let (mut seen, mut repeated) = (Names::default(), Names::default());
        for cluster in &self.clusters {
            if !seen.add(&cluster.name) {
                repeated.add(&cluster.name);
            }
        }
        repeated
            .iter()
            .map(|name| ModelError::DuplicateCluster { name: name.into() })
            .collect()
    }

    /// Depth-first search with an explicit stack: a long member chain cannot exhaust the call
    /// stack.
    fn cycles(&self) -> Vec<ModelError> {
        let mut errors = Vec::new();
        let mut finished = Names::default();
        let mut by_name = Names::default();
        for (at, cluster) in self.clusters.iter().enumerate() {
            by_name.insert(&cluster.name, at);
        }
        for cluster in &self.clusters {
            let mut path: Vec<(&str, core::slice::Iter<'_, String>)> = Vec::new();
            if !finished.contains(&cluster.name) {
                path.push((&cluster.name, cluster.members().iter()));
            }
            while let Some((name, rest)) = path.last_mut() {
                let Some(member) = rest.next() else {
                    finished.add(name);
                    path.pop();
                    continue;
                };
                if let Some(start) = path.iter().position(|(name, _)| name == member) {
                    let mut names: Vec<String> = path
                        .iter()
                        .skip(start)
                        .map(|(name, _)| (*name).into())
                        .collect();
                    names.push(member.clone());
                    errors.push(ModelError::AggregateCycle { path: names });
                } else if !finished.contains(member)
                    && let Some(next) = by_name.get(member).and_then(|at| self.clusters.get(at))
                {
                    path.push((&next.name, next.members().iter()));
                }
            }
        }
        errors
    }
}

/// An error for each endpoint with an unknown locality.
pub(super) fn unknown_localities(
    cluster: &str,
    priorities: &[Priority],
) -> impl Iterator<Item = ModelError> {
    let priorities = priorities.iter().enumerate();
    priorities.flat_map(move |(number, priority)| {
        let known = priority.localities.len();
        let endpoints = priority.endpoints.iter();
        let unknown = endpoints.filter(move |endpoint| endpoint.locality >= known);
        unknown.map(move |endpoint| ModelError::UnknownLocality {
            cluster: cluster.into(),
            priority: number,
            address: endpoint.address.clone(),
        })
    })
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString, vec};

    use super::super::{AggregateCluster, ClusterKind, Endpoint, PanicThreshold};
    use super::*;

    fn aggregate(name: &str, members: &[&str]) -> Cluster {
        Cluster {
            name: name.into(),
            kind: ClusterKind::Aggregate(AggregateCluster {
                members: members.iter().map(|m| m.to_string()).collect(),
                panic_threshold: PanicThreshold::DEFAULT,
                flatten: false,
            }),
        }
    }

    #[test]
    fn a_cycle_is_reported_once_with_its_path() {
        let errors = Model::new(vec![
            aggregate("a", &["b", "gone"]),
            aggregate("b", &["c"]),
            aggregate("c", &["a"]),
        ])
        .unwrap_err();
        assert_eq!(errors.len(), 1);
        assert_eq!(
            errors[0].to_string(),
            "clusters form a cycle: a -> b -> c -> a"
        );
    }

    #[test]
    fn every_fault_is_reported() {
        let errors = Model::new(vec![
            aggregate("a", &["a"]),
            aggregate("b", &[]),
            aggregate("b", &[]),
            aggregate("b", &[]),
        ])
        .unwrap_err();
        assert_eq!(errors.len(), 2, "{errors:?}");
    }

    #[test]
    fn a_host_without_a_known_locality_gets_one_without_a_name() {
        let endpoint = Endpoint {
            locality: 3,
            ..Endpoint::new("10.0.0.1:80")
        };
        let priority = Priority {
            endpoints: vec![endpoint],
            ..Priority::default()
        };
        let plain = PlainCluster {
            priorities: vec![priority],
            ..PlainCluster::default()
        };
        let model = Model::single("a", plain);
        assert_eq!(Model::new(model.clone().into_clusters()), Ok(model));
    }

    #[test]
    fn a_member_reached_twice_is_not_a_cycle() {
        let model = Model::new(vec![
            aggregate("top", &["left", "right"]),
            aggregate("left", &["base"]),
            aggregate("right", &["base"]),
            aggregate("base", &[]),
        ]);
        assert!(model.is_ok());
    }
}
