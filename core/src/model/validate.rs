//! The whole model: clusters whose names are unique and whose aggregates do not bite their tails.

use alloc::{string::String, vec::Vec};
use core::fmt;

use super::{Cluster, ClusterKind, FallbackChain, LocalInfo, Priority};
use crate::names::Names;

/// All clusters of one configuration. A model that exists is legal.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Model {
    clusters: Vec<Cluster>,
    local: LocalInfo,
    chain: FallbackChain,
}

/// Why a set of clusters is no model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// Two clusters share a name.
    DuplicateCluster {
        /// The name.
        name: String,
    },
    /// An aggregate reaches itself through its members.
    AggregateCycle {
        /// The names along the cycle; the first stands again at the end.
        path: Vec<String>,
    },
    /// An endpoint refers to a locality that its priority does not have.
    UnknownLocality {
        /// The name of the cluster.
        cluster: String,
        /// The priority, 0 first.
        priority: usize,
        /// The address of the endpoint.
        address: String,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateCluster { name } => write!(f, "two clusters are named \"{name}\""),
            Self::AggregateCycle { path } => {
                write!(f, "aggregate clusters form a cycle: {}", path.join(" -> "))
            }
            Self::UnknownLocality {
                cluster,
                priority,
                address,
            } => write!(
                f,
                "endpoint {address} of cluster \"{cluster}\" is in no locality of priority {priority}"
            ),
        }
    }
}

impl core::error::Error for ModelError {}

impl Model {
    /// Checks what its clusters cannot check themselves: names, members, and which localities
    /// endpoints are in.
    ///
    /// # Errors
    /// Every duplicate name, every cycle (once each) and every endpoint in a locality that does not
    /// exist, not only the first.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::model::{
    ///     Cluster, ClusterKind, Endpoint, Priority, PriorityLocality, Model, PlainCluster,
    /// };
    ///
    /// let endpoint = |address: &str, locality| Endpoint {
    ///     address: address.into(),
    ///     locality,
    ///     ..Endpoint::default()
    /// };
    /// let cluster = |endpoints| Cluster {
    ///     name: "shop".into(),
    ///     kind: ClusterKind::Plain(PlainCluster {
    ///         priorities: vec![Priority {
    ///             localities: vec![PriorityLocality::default()],
    ///             endpoints,
    ///         }],
    ///         ..PlainCluster::default()
    ///     }),
    /// };
    /// let model = Model::new(vec![cluster(vec![endpoint("10.0.0.1:80", 0)])]);
    /// assert_eq!(model.unwrap().clusters().len(), 1);
    ///
    /// // Locality 1 does not exist.
    /// assert!(Model::new(vec![cluster(vec![endpoint("10.0.0.1:80", 1)])]).is_err());
    /// ```
    pub fn new(clusters: Vec<Cluster>) -> Result<Self, Vec<ModelError>> {
        let model = Self {
            clusters,
            local: LocalInfo::default(),
            chain: FallbackChain::default(),
        };
        let mut errors = model.duplicates();
        errors.extend(model.cycles());
        errors.extend(model.unknown_localities());
        if errors.is_empty() {
            Ok(model)
        } else {
            Err(errors)
        }
    }

    /// Says where the proxy stands.
    #[must_use]
    pub fn with_local(self, local: LocalInfo) -> Self {
        Self { local, ..self }
    }

    /// Sets the subset fallback chain, which holds for every plain and aggregate cluster.
    #[must_use]
    pub fn with_chain(self, chain: FallbackChain) -> Self {
        Self { chain, ..self }
    }

    /// The subset fallback chain.
    #[must_use]
    pub const fn chain(&self) -> &FallbackChain {
        &self.chain
    }

    /// Where the proxy stands.
    #[must_use]
    pub const fn local(&self) -> &LocalInfo {
        &self.local
    }

    /// The clusters, in configuration order.
    #[must_use]
    pub fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// The cluster of that name.
    #[must_use]
    pub fn cluster(&self, name: &str) -> Option<&Cluster> {
        self.clusters.iter().find(|cluster| cluster.name == name)
    }

    /// The priorities of the plain cluster at this place, to replace its hosts; `None` if there is no
    /// such cluster. Nothing that is checked across clusters depends on them.
    #[must_use]
    pub fn priorities_mut(&mut self, at: usize) -> Option<&mut Vec<Priority>> {
        match &mut self.clusters.get_mut(at)?.kind {
            ClusterKind::Plain(plain) => Some(&mut plain.priorities),
            ClusterKind::Aggregate(_) | ClusterKind::OriginalDst(_) => None,
        }
    }

    /// The clusters, to change them and build a new model.
    #[must_use]
    pub fn into_clusters(self) -> Vec<Cluster> {
        self.clusters
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

    fn unknown_localities(&self) -> impl Iterator<Item = ModelError> {
        self.clusters.iter().flat_map(|cluster| {
            let priorities = cluster.priorities().iter().enumerate();
            priorities.flat_map(move |(number, priority)| {
                let known = priority.localities.len();
                let unknown = priority
                    .endpoints
                    .iter()
                    .filter(move |e| e.locality >= known);
                unknown.map(move |endpoint| ModelError::UnknownLocality {
                    cluster: cluster.name.clone(),
                    priority: number,
                    address: endpoint.address.clone(),
                })
            })
        })
    }

    /// Depth-first search with an explicit stack, so that a long chain cannot exhaust the
    /// program's own.
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
                path.push((&cluster.name, members(cluster)));
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
                    path.push((&next.name, members(next)));
                }
            }
        }
        errors
    }
}

fn members(cluster: &Cluster) -> core::slice::Iter<'_, String> {
    match &cluster.kind {
        ClusterKind::Aggregate(aggregate) => aggregate.members.iter(),
        ClusterKind::Plain(_) | ClusterKind::OriginalDst(_) => [].iter(),
    }
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString, vec};

    use super::super::{AggregateCluster, PanicThreshold};
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
    fn a_cycle_is_named_once_with_its_path() {
        let errors = Model::new(vec![
            aggregate("a", &["b", "gone"]),
            aggregate("b", &["c"]),
            aggregate("c", &["a"]),
        ])
        .unwrap_err();
        assert_eq!(errors.len(), 1);
        assert_eq!(
            errors[0].to_string(),
            "aggregate clusters form a cycle: a -> b -> c -> a"
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
    fn a_member_reached_twice_is_no_cycle() {
        let model = Model::new(vec![
            aggregate("top", &["left", "right"]),
            aggregate("left", &["base"]),
            aggregate("right", &["base"]),
            aggregate("base", &[]),
        ]);
        assert!(model.is_ok());
    }
}
