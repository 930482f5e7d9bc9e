//! Builds a snapshot from a model.

use alloc::{sync::Arc, vec::Vec};

use super::{
    AggregateSnapshot, AggregateStep, ClusterId, ClusterSnapshot, ClusterSnapshotKind,
    CompositeSnapshot, PlainSnapshot, PlainStep, PriorityHosts, PrioritySet, Settings, Snapshot,
    Subsets, host_set::LocalityWeights, set::SetContext, zones::LocalZones,
};
use crate::{
    load::{PriorityHealth, linearized},
    model::{
        AggregateCluster, ClusterKind, CompositeCluster, Locality, Model, PlainCluster, Priority,
    },
    names::Names,
    subset::{MembersByPriority, StepIndex, SubsetIndex},
};

impl Snapshot {
    /// Compiles every cluster of a model: subsets, loads, hash tables.
    ///
    /// Time and memory are proportional to the number of hosts, subsets and table slots. For
    /// changed host health, [`Snapshot::with_health`] is cheaper.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::{model::*, snapshot::Snapshot};
    ///
    /// let shop = PlainCluster {
    ///     priorities: vec![Priority::single_locality(vec![Endpoint::new("10.0.0.1:80")])],
    ///     ..PlainCluster::default()
    /// };
    /// let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
    /// let shop = snapshot.cluster_id("shop").unwrap();
    /// let plain = snapshot.plain(shop).unwrap();
    /// assert_eq!(plain.priorities.len(), 1);
    /// assert_eq!(plain.whole.load.healthy, [100]);
    /// ```
    #[must_use]
    pub fn build(model: &Model) -> Self {
        let mut names = Names::default();
        for (index, cluster) in model.clusters().iter().enumerate() {
            names.insert(&cluster.name, index);
        }
        let info = model.local();
        let own = info.locality.as_ref();
        let local = info.cluster.as_ref().and_then(|name| names.get(name));
        let zones = info
            .cluster
            .as_ref()
            .and_then(|name| match &model.cluster(name)?.kind {
                ClusterKind::Plain(plain) => {
                    let (settings, priorities) = Settings::split(plain);
                    let hosts = PriorityHosts::new(&settings, priorities.into_iter().next()?, own);
                    Some(LocalZones::of(&hosts, &settings))
                }
                _ => None,
            });
        let priorities: Vec<&Priority> = model
            .clusters()
            .iter()
            .flat_map(|cluster| cluster.priorities())
            .collect();
        let chain = model.chain().iter();
        let mut steps: Vec<(StepIndex, Vec<MembersByPriority>)> = chain
            .map(|step| StepIndex::build(step, &priorities))
            .collect();
        let mut start = 0;
        let mut snapshot = Self {
            local: local.map(ClusterId::new),
            clusters: Vec::with_capacity(model.clusters().len()),
            names: Arc::default(),
            chain: steps.iter().map(|(step, _)| step.step.clone()).collect(),
        };
        for cluster in model.clusters() {
            snapshot.clusters.push(Arc::new(ClusterSnapshot {
                name: cluster.name.clone(),
                kind: match &cluster.kind {
                    ClusterKind::Plain(plain) => {
                        let steps = steps.as_mut_slice();
                        // Envoy creates the balancer of the local cluster before it knows the local hosts.
                        let is_local = info.cluster.as_ref() == Some(&cluster.name);
                        let zones = zones.as_ref().filter(|_| !is_local);
                        let built = PlainSnapshot::build(plain, own, zones, steps, start);
                        start += plain.priorities.len();
                        ClusterSnapshotKind::Plain(built)
                    }
                    ClusterKind::Aggregate(aggregate) => {
                        let mut aggregate = AggregateSnapshot::unlinked(aggregate, &names, model);
                        let steps = steps.iter().map(|(step, _)| AggregateStep::unlinked(step));
                        aggregate.chain = steps.collect();
                        ClusterSnapshotKind::Aggregate(aggregate)
                    }
                    ClusterKind::Composite(composite) => {
                        let composite = CompositeSnapshot::build(composite, &names, model);
                        ClusterSnapshotKind::Composite(composite)
                    }
                    ClusterKind::OriginalDst(original) => {
                        ClusterSnapshotKind::OriginalDst(original.clone())
                    }
                },
            }));
        }
        snapshot.names = Arc::new(names);
        // Last, because an aggregate can precede its members.
        snapshot.link_aggregates(|_| true, None);
        snapshot
    }

    /// Linearizes the priorities of the members of each aggregate with a touched member. `before`
    /// is the snapshot that this one was changed from; `None` links all aggregates.
    pub(super) fn link_aggregates(
        &mut self,
        touched: impl Fn(ClusterId) -> bool,
        before: Option<&Self>,
    ) {
        for at in 0..self.clusters.len() {
            let Some(cluster) = self.clusters.get(at) else {
                continue;
            };
            let ClusterSnapshotKind::Aggregate(aggregate) = &cluster.kind else {
                continue;
            };
            let first = before.is_none();
            if !first && !aggregate.members.iter().any(|&member| touched(member)) {
                continue;
            }
            let members = aggregate.members.iter();
            let health: Vec<(ClusterId, Vec<PriorityHealth>)> = members
                .filter_map(|&id| Some((id, self.plain(id)?.whole.health())))
                .collect();
            let mut linked = aggregate.clone();
            linked.linearized = linearized(&health, aggregate.panic_threshold);
            for (index, step) in linked.chain.iter_mut().enumerate() {
                step.link(index, &aggregate.members, self, before);
            }
            let linked = ClusterSnapshot {
                name: cluster.name.clone(),
                kind: ClusterSnapshotKind::Aggregate(linked),
            };
            if let Some(cluster) = self.clusters.get_mut(at) {
                *cluster = Arc::new(linked);
            }
        }
    }
}

impl PlainSnapshot {
    /// `steps` has the members of each set for the priorities of several clusters; those of this one
    /// begin at `start`.
    pub(super) fn build(
        cluster: &PlainCluster,
        own: Option<&Locality>,
        zones: Option<&LocalZones>,
        steps: &mut [(StepIndex, Vec<MembersByPriority>)],
        start: usize,
    ) -> Self {
        let (settings, priorities) = Settings::split(cluster);
        let priorities = priorities.into_iter();
        let mut snapshot = Self {
            priorities: priorities
                .map(|priority| PriorityHosts::new(&settings, priority, own))
                .collect(),
            settings: Arc::new(settings),
            whole: Arc::default(),
            subsets: None,
            chain: Vec::new(),
        };
        if let Some(config) = &cluster.subsets {
            let (index, members) =
                SubsetIndex::build(config, &cluster.priorities.iter().collect::<Vec<_>>());
            // The context reads from the index how locality weights apply.
            snapshot.subsets = Some(Subsets {
                index: Arc::new(index),
                sets: Vec::new(),
            });
            let context = snapshot.context(zones);
            let sets = members
                .into_iter()
                .map(|members| Arc::new(PrioritySet::listed(&context, members)))
                .collect();
            if let Some(subsets) = &mut snapshot.subsets {
                subsets.sets = sets;
            }
        }
        let context = snapshot.context(zones);
        let whole = PrioritySet::whole(&context);
        let steps = steps.iter_mut();
        let chain = steps.map(|(step, members)| PlainStep::build(step, members, start, &context));
        snapshot.chain = chain.collect();
        snapshot.whole = Arc::new(whole);
        snapshot
    }

    pub(super) fn context<'a>(&'a self, local: Option<&'a LocalZones>) -> SetContext<'a> {
        let weights = match self.subsets.as_ref().map(|subsets| subsets.index.config()) {
            None => LocalityWeights::Configured,
            Some(config) if !config.locality_weight_aware => LocalityWeights::Ignored,
            Some(config) if config.scale_locality_weight => LocalityWeights::Scaled,
            Some(_) => LocalityWeights::Configured,
        };
        SetContext {
            settings: &self.settings,
            hosts: &self.priorities,
            local,
            weights,
        }
    }
}

impl AggregateSnapshot {
    fn unlinked(aggregate: &AggregateCluster, names: &Names, model: &Model) -> Self {
        let (mut members, mut missing) = (Vec::new(), Vec::new());
        let mut flattened = Names::default();
        // Depth first with an explicit stack: a long chain of aggregates cannot exhaust the call
        // stack.
        let mut open = Vec::from([aggregate.members.iter()]);
        while let Some(rest) = open.last_mut() {
            let Some(name) = rest.next() else {
                open.pop();
                continue;
            };
            let Some(at) = names.get(name) else {
                missing.push(name.clone());
                continue;
            };
            if aggregate.flatten {
                // Of a member that occurs twice, the first place counts.
                if !flattened.add(name) {
                    continue;
                }
                let member = model.clusters().get(at).map(|cluster| &cluster.kind);
                if let Some(ClusterKind::Aggregate(nested)) = member {
                    open.push(nested.members.iter());
                    continue;
                }
            }
            members.push(ClusterId::new(at));
        }
        Self {
            panic_threshold: aggregate.panic_threshold,
            members,
            missing,
            linearized: linearized(&[], aggregate.panic_threshold),
            chain: Vec::new(),
        }
    }
}

impl CompositeSnapshot {
    fn build(composite: &CompositeCluster, names: &Names, model: &Model) -> Self {
        let mut owners: Vec<ClusterId> = Vec::new();
        let mut seen = Names::default();
        let mut open = Vec::from([composite.members.iter()]);
        while let Some(rest) = open.last_mut() {
            let Some(name) = rest.next() else {
                open.pop();
                continue;
            };
            let Some(at) = names.get(name).filter(|_| seen.add(name)) else {
                continue;
            };
            match model.clusters().get(at).map(|cluster| cluster.members()) {
                None | Some([]) => owners.push(ClusterId::new(at)),
                Some(nested) => open.push(nested.iter()),
            }
        }
        let members = composite.members.iter();
        Self {
            members: members
                .map(|name| names.get(name).map(ClusterId::new))
                .collect(),
            skips: composite.skips,
            owners,
        }
    }
}
