//! From a model to its split.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_config::Diagnostic;
use spillgate_core::{
    inspect,
    load::{LevelHealth, PriorityLoad},
    model::{ClusterKind, Metadata, Model, Value},
    shares::Distribution,
    snapshot::{
        AggregateSnapshot, ClusterId, ClusterSnapshot, Kind, LevelHosts, PlainSnapshot, Snapshot,
    },
    subset::{Choice, ChosenSubset, SubsetTarget},
};

use crate::names::unknown_cluster;

use super::{
    ClusterSplit, EndpointShare, LocalityShare, MemberShare, PrioritySplit, Split, SubsetChoice,
};

/// Splits every cluster, or those named, for requests with these subset criteria.
///
/// # Errors
/// Every name that no cluster has, with the one that was probably meant.
pub fn split(
    model: &Model,
    names: &[String],
    criteria: &Metadata,
) -> Result<Split, Vec<Diagnostic>> {
    let faults: Vec<Diagnostic> = names
        .iter()
        .filter(|name| model.cluster(name).is_none())
        .map(|name| unknown_cluster("split/unknown-cluster", name, model))
        .collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(split_of(model, &Snapshot::build(model), names, criteria))
}

/// The same for a snapshot of the model in which hosts may have changed their health. Names that
/// no cluster has are passed over.
#[must_use]
pub fn split_of(
    model: &Model,
    snapshot: &Snapshot,
    names: &[String],
    criteria: &Metadata,
) -> Split {
    let clusters = snapshot
        .clusters()
        .filter(|(_, cluster)| names.is_empty() || names.contains(&cluster.name))
        .map(|(id, cluster)| Splitter::new(model, snapshot, id, criteria).cluster(cluster))
        .collect();
    Split { clusters }
}

struct Splitter<'a> {
    model: &'a Model,
    snapshot: &'a Snapshot,
    criteria: &'a Metadata,
    distribution: Distribution,
    /// By owner, level and index: what each host gets.
    shares: BTreeMap<(ClusterId, usize, usize), f64>,
}

impl<'a> Splitter<'a> {
    fn new(
        model: &'a Model,
        snapshot: &'a Snapshot,
        cluster: ClusterId,
        criteria: &'a Metadata,
    ) -> Self {
        let distribution = snapshot.distribution_for(cluster, criteria, None);
        let mut shares = BTreeMap::new();
        for share in &distribution.shares {
            *shares
                .entry((share.owner, share.priority, share.host))
                .or_insert(0.0) += share.share;
        }
        Self {
            model,
            snapshot,
            criteria,
            distribution,
            shares,
        }
    }

    fn cluster(&self, cluster: &ClusterSnapshot) -> ClusterSplit {
        match &cluster.kind {
            Kind::Plain(plain) => self.plain(cluster, plain),
            Kind::Aggregate(aggregate) => self.aggregate(cluster, aggregate),
            Kind::OriginalDst(_) => original_dst(cluster),
        }
    }

    fn plain(&self, cluster: &ClusterSnapshot, plain: &PlainSnapshot) -> ClusterSplit {
        let mut priorities = Vec::new();
        let mut endpoints = Vec::new();
        let levels = inspect::levels(plain, self.criteria);
        if let Some(id) = self.snapshot.cluster_id(&cluster.name) {
            let both = plain.levels.iter().zip(&levels.health);
            for (priority, (level, health)) in both.enumerate() {
                priorities.push(PrioritySplit {
                    localities: self.localities(id, priority, level),
                    ..figures(priority, health, &levels.load)
                });
                endpoints.extend(self.endpoints(id, &cluster.name, priority, level));
            }
        }
        ClusterSplit {
            name: cluster.name.clone(),
            kind: "plain",
            policy: plain.settings.policy.name(),
            no_host: self.distribution.no_host,
            subset: Some(subset(plain, levels.subset)),
            members: None,
            priorities,
            endpoints,
        }
    }

    fn aggregate(&self, cluster: &ClusterSnapshot, aggregate: &AggregateSnapshot) -> ClusterSplit {
        let line = &aggregate.line;
        let mut priorities = Vec::new();
        let mut endpoints = Vec::new();
        // A member that is listed twice stands in the line twice; its hosts are the same ones.
        let mut seen = BTreeSet::new();
        for (place, (own, health)) in line.levels.iter().zip(&line.health).enumerate() {
            let owner = self.snapshot.cluster(own.cluster);
            let name = owner.map(|owner| owner.name.clone()).unwrap_or_default();
            let level = self.snapshot.plain(own.cluster);
            let Some(level) = level.and_then(|plain| plain.levels.get(own.priority)) else {
                continue;
            };
            let mut localities = Vec::new();
            if seen.insert((own.cluster, own.priority)) {
                endpoints.extend(self.endpoints(own.cluster, &name, own.priority, level));
                localities = self.localities(own.cluster, own.priority, level);
            }
            priorities.push(PrioritySplit {
                cluster: Some(name),
                cluster_priority: Some(own.priority),
                localities,
                ..figures(place, health, &line.load)
            });
        }
        ClusterSplit {
            name: cluster.name.clone(),
            kind: "aggregate",
            policy: "CLUSTER_PROVIDED",
            no_host: self.distribution.no_host,
            subset: None,
            members: Some(self.members(&cluster.name, aggregate)),
            priorities,
            endpoints,
        }
    }

    /// The members as configured, each once. One that no cluster has, or that has no host, gets
    /// nothing.
    fn members(&self, name: &str, aggregate: &AggregateSnapshot) -> Vec<MemberShare> {
        let line = &aggregate.line;
        let share = |member: &str| -> f64 {
            let id = self.snapshot.cluster_id(member);
            line.levels
                .iter()
                .enumerate()
                .filter(|(_, level)| Some(level.cluster) == id)
                .map(|(place, _)| f64::from(line.load.of_level(place)))
                // The sum of nothing is -0.0.
                .fold(0.0, |sum, load| sum + load)
        };
        let names: &[String] = match self.model.cluster(name).map(|cluster| &cluster.kind) {
            Some(ClusterKind::Aggregate(configured)) => &configured.members,
            _ => &[],
        };
        let mut seen = BTreeSet::new();
        names
            .iter()
            .filter(|member| seen.insert(*member))
            .map(|member| MemberShare {
                cluster: member.clone(),
                share: share(member),
            })
            .collect()
    }

    fn localities(
        &self,
        owner: ClusterId,
        priority: usize,
        level: &LevelHosts,
    ) -> Vec<LocalityShare> {
        let level = &level.level;
        let share = |at: usize| -> f64 {
            level
                .endpoints
                .iter()
                .enumerate()
                .filter(|(_, endpoint)| endpoint.locality == at)
                .map(|(host, _)| self.share(owner, priority, host))
                .fold(0.0, |sum, share| sum + share)
        };
        level
            .localities
            .iter()
            .enumerate()
            .map(|(at, locality)| LocalityShare {
                region: locality.locality.region.clone(),
                zone: locality.locality.zone.clone(),
                sub_zone: locality.locality.sub_zone.clone(),
                weight: locality.weight,
                share: share(at),
            })
            .collect()
    }

    fn endpoints(
        &self,
        owner: ClusterId,
        name: &str,
        priority: usize,
        level: &LevelHosts,
    ) -> Vec<EndpointShare> {
        level
            .level
            .endpoints
            .iter()
            .enumerate()
            .map(|(host, endpoint)| EndpointShare {
                address: endpoint.address.clone(),
                cluster: name.into(),
                priority,
                share: self.share(owner, priority, host),
            })
            .collect()
    }

    fn share(&self, owner: ClusterId, priority: usize, host: usize) -> f64 {
        let share = self.shares.get(&(owner, priority, host));
        share.copied().unwrap_or(0.0)
    }
}

/// What the criteria led to; `None` in a cluster without subsets.
fn subset(plain: &PlainSnapshot, chosen: Option<ChosenSubset>) -> Option<SubsetChoice> {
    let index = &plain.subsets.as_ref()?.index;
    let target = match chosen.map(|subset| subset.choice) {
        Some(Choice::Set(number)) => Some(SubsetTarget::Set(number)),
        Some(Choice::Host { priority, host }) => Some(SubsetTarget::Host { priority, host }),
        Some(Choice::Whole | Choice::Step { .. }) | None => None,
    };
    let mut entries = index.entries().iter();
    let entry = entries.find(|entry| Some(entry.target) == target);
    let default = target.is_some().then(|| &index.config().default_subset);
    let criteria = entry.map(|entry| &entry.criteria).or(default);
    Some(SubsetChoice {
        reason: chosen.map_or("none", |subset| subset.reason.name()),
        criteria: criteria.map(to_json),
    })
}

fn to_json(metadata: &Metadata) -> serde_json::Map<String, serde_json::Value> {
    let value = |value: &Value| match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(value) => (*value).into(),
        other => other.to_string().into(),
    };
    let fields = metadata.fields().iter();
    fields
        .map(|field| ((*field.key).into(), value(&field.value)))
        .collect()
}

/// Nobody knows the hosts before a request names one.
fn original_dst(cluster: &ClusterSnapshot) -> ClusterSplit {
    ClusterSplit {
        name: cluster.name.clone(),
        kind: "original_dst",
        policy: "CLUSTER_PROVIDED",
        no_host: 0.0,
        subset: None,
        members: None,
        priorities: Vec::new(),
        endpoints: Vec::new(),
    }
}

/// The figures of a level that do not depend on who owns it.
fn figures(place: usize, health: &LevelHealth, load: &PriorityLoad) -> PrioritySplit {
    let of = |loads: &[u32]| loads.get(place).copied().unwrap_or(0);
    let availability = load.availability.get(place).copied().unwrap_or_default();
    PrioritySplit {
        priority: place,
        cluster: None,
        cluster_priority: None,
        hosts: health.hosts,
        healthy: health.healthy,
        degraded: health.degraded,
        excluded: health.excluded,
        availability: availability.healthy,
        degraded_availability: availability.degraded,
        healthy_load: of(&load.healthy),
        degraded_load: of(&load.degraded),
        panic: load.panics(place),
        localities: Vec::new(),
    }
}
