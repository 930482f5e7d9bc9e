//! Changes of a model: each copies only its cluster, and a model stays valid.

use alloc::{sync::Arc, vec::Vec};

use super::{
    Cluster, ClusterKind, Health, HealthyFor, Model, ModelError, PlainCluster, Priority,
    validate::unknown_localities,
};

impl Model {
    /// Removes the clusters that `keeps` refuses. What aggregates say about them stays: names of
    /// missing clusters are skipped.
    pub fn retain(&mut self, mut keeps: impl FnMut(&Cluster) -> bool) {
        self.clusters.retain(|cluster| keeps(cluster));
    }

    /// A model of the clusters with these indexes. What aggregates say about others stays, as with
    /// [`Model::retain`].
    #[must_use]
    pub fn part(&self, indexes: &[usize]) -> Self {
        let clusters = indexes.iter().filter_map(|index| self.clusters.get(*index));
        Self {
            clusters: clusters.cloned().collect(),
            local: self.local.clone(),
            chain: self.chain.clone(),
        }
    }

    /// Replaces the priorities of the cluster with this index. Clusters without endpoints stay
    /// unchanged.
    ///
    /// # Errors
    /// [`ModelError::UnknownLocality`] for the first endpoint with an unknown locality. The model
    /// then stays unchanged.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::model::{Cluster, Endpoint, Model, PlainCluster, Priority};
    ///
    /// let shop = Cluster::plain("shop", PlainCluster::default());
    /// let mut model = Model::new(vec![shop]).unwrap();
    /// let polled = vec![Priority::single_locality(vec![Endpoint::new("10.0.0.1:80")])];
    /// model.set_priorities(0, polled).unwrap();
    /// assert_eq!(model.clusters()[0].priorities().len(), 1);
    /// ```
    pub fn set_priorities(
        &mut self,
        index: usize,
        priorities: Vec<Priority>,
    ) -> Result<(), ModelError> {
        let name = self.clusters.get(index).map_or("", |cluster| &cluster.name);
        if let Some(error) = unknown_localities(name, &priorities).next() {
            return Err(error);
        }
        if let Some(plain) = self.plain_mut(index) {
            plain.priorities = priorities;
        }
        Ok(())
    }

    /// The cluster with this index, if it has hosts; copied if another model has it, too. One function, because
    /// the filter has little room for the code that copies.
    #[inline(never)]
    fn plain_mut(&mut self, index: usize) -> Option<&mut PlainCluster> {
        match &mut Arc::make_mut(self.clusters.get_mut(index)?).kind {
            ClusterKind::Plain(plain) => Some(plain),
            ClusterKind::Aggregate(_) | ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => {
                None
            }
        }
    }

    /// The model without hosts.
    #[must_use]
    pub fn without_hosts(&self) -> Self {
        let mut model = self.clone();
        for cluster in &mut model.clusters {
            if !cluster.priorities().is_empty()
                && let ClusterKind::Plain(plain) = &mut Arc::make_mut(cluster).kind
            {
                plain.priorities.clear();
            }
        }
        model
    }

    /// Changes a copy of the cluster with this index, and returns what `change` returns; `None` for an
    /// unknown index.
    ///
    /// # Errors
    /// Those of [`Model::new`]. The model then stays unchanged.
    pub fn change<T>(
        &mut self,
        index: usize,
        change: impl FnOnce(&mut ClusterKind) -> T,
    ) -> Result<Option<T>, Vec<ModelError>> {
        let Some(before) = self.clusters.get(index) else {
            return Ok(None);
        };
        let mut changed = Cluster::clone(before);
        let result = change(&mut changed.kind);
        if changed.members() == before.members() {
            // Names and cycles are as before, so that many changes cost no more than their clusters.
            let unknown = unknown_localities(&changed.name, changed.priorities());
            let errors: Vec<ModelError> = unknown.collect();
            if !errors.is_empty() {
                return Err(errors);
            }
            if let Some(cluster) = self.clusters.get_mut(index) {
                *cluster = Arc::new(changed);
            }
        } else {
            let mut clusters = self.clusters.clone();
            if let Some(cluster) = clusters.get_mut(index) {
                *cluster = Arc::new(changed);
            }
            self.clusters = Self::shared(clusters)?.clusters;
        }
        Ok(Some(result))
    }

    /// The health of a host: by the index of its cluster, its priority, and its index in the
    /// priority. `None` if there is no such host.
    pub fn health_mut(
        &mut self,
        index: usize,
        priority: usize,
        host: usize,
    ) -> Option<&mut Health> {
        let plain = self.plain_mut(index)?;
        let endpoints = &mut plain.priorities.get_mut(priority)?.endpoints;
        endpoints.get_mut(host).map(|endpoint| &mut endpoint.health)
    }

    /// How long hosts of the cluster with this index have been healthy. `None` for a cluster without
    /// endpoints.
    pub fn healthy_for_mut(&mut self, index: usize) -> Option<&mut Vec<HealthyFor>> {
        self.plain_mut(index).map(|plain| &mut plain.healthy_for)
    }
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString, vec};

    use super::super::{AggregateCluster, Endpoint, HealthStatus, PanicThreshold};
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

    /// Whether two models have the same cluster in memory, by index.
    fn shared(before: &Model, after: &Model) -> Vec<bool> {
        let pairs = before.clusters().iter().zip(after.clusters());
        pairs.map(|(a, b)| Arc::ptr_eq(a, b)).collect()
    }

    #[test]
    fn a_change_copies_only_its_cluster() {
        let plain = PlainCluster {
            priorities: vec![Priority::single_locality(vec![Endpoint::new(
                "10.0.0.1:80",
            )])],
            ..PlainCluster::default()
        };
        let before = Model::new(vec![
            Cluster::plain("a", plain.clone()),
            Cluster::plain("b", plain),
            aggregate("c", &["a", "b"]),
        ])
        .unwrap();
        let mut after = before.clone();
        assert_eq!(shared(&before, &after), [true, true, true]);

        after.health_mut(0, 0, 0).unwrap().status = HealthStatus::Unhealthy;
        assert_eq!(shared(&before, &after), [false, true, true]);
        let health = before.clusters()[0].priorities()[0].endpoints[0].health;
        assert_eq!(health.status, HealthStatus::Unknown);

        let mut after = before.clone();
        after.set_priorities(1, Vec::new()).unwrap();
        assert_eq!(shared(&before, &after), [true, false, true]);

        let mut after = before.clone();
        let members = |kind: &mut ClusterKind, members: &[&str]| {
            if let ClusterKind::Aggregate(of) = kind {
                of.members = members.iter().map(ToString::to_string).collect();
            }
        };
        after.change(2, |kind| members(kind, &["a"])).unwrap();
        assert_eq!(shared(&before, &after), [true, true, false]);

        // A change that is refused changes nothing.
        let mut after = before.clone();
        let cycle = after.change(2, |kind| members(kind, &["c"])).unwrap_err();
        assert!(matches!(cycle[0], ModelError::AggregateCycle { .. }));
        let unknown = |kind: &mut ClusterKind| {
            if let ClusterKind::Plain(plain) = kind {
                plain.priorities[0].endpoints[0].locality = 1;
            }
        };
        let unknown = after.change(0, unknown).unwrap_err();
        assert!(matches!(unknown[0], ModelError::UnknownLocality { .. }));
        assert_eq!(shared(&before, &after), [true, true, true]);
        assert_eq!(after.change(3, |_| ()), Ok(None));
    }
}
