//! From a model to a snapshot.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::{
    AggregateSnapshot, ClusterId, ClusterSnapshot, HashTable, Kind, LevelSnapshot, PlainSnapshot,
    Snapshot,
};
use crate::{
    load::{HostClass, LevelHealth, linearise, priority_load},
    model::{AggregateCluster, ClusterKind, Coarse, Level, Model, PlainCluster, Policy},
    pick::{MaglevTable, NormalizedWeights, Ring},
};

impl Snapshot {
    /// Compiles every cluster of a model.
    #[must_use]
    pub fn build(model: &Model) -> Self {
        let mut names: BTreeMap<String, ClusterId> = BTreeMap::new();
        for (index, cluster) in model.clusters().iter().enumerate() {
            names.insert(cluster.name.clone(), ClusterId::new(index));
        }
        // Aggregates rest on the health of their members, wherever these stand.
        let health: Vec<Vec<LevelHealth>> = model
            .clusters()
            .iter()
            .map(|cluster| match &cluster.kind {
                ClusterKind::Plain(plain) => level_health(plain),
                ClusterKind::Aggregate(_) | ClusterKind::OriginalDst(_) => Vec::new(),
            })
            .collect();
        let clusters = model
            .clusters()
            .iter()
            .zip(&health)
            .map(|(cluster, own)| ClusterSnapshot {
                name: cluster.name.clone(),
                kind: match &cluster.kind {
                    ClusterKind::Plain(plain) => Kind::Plain(plain_snapshot(plain, own)),
                    ClusterKind::OriginalDst(_) => {
                        Kind::Plain(plain_snapshot(&PlainCluster::default(), own))
                    }
                    ClusterKind::Aggregate(aggregate) => {
                        Kind::Aggregate(aggregate_snapshot(aggregate, &health, &names))
                    }
                },
            })
            .collect();
        Self { clusters, names }
    }
}

fn level_health(cluster: &PlainCluster) -> Vec<LevelHealth> {
    cluster
        .levels
        .iter()
        .map(|level| {
            LevelHealth::count(
                level.endpoints.iter().map(|e| (e.health, e.weight)),
                cluster.weighted_priority_health,
                cluster.overprovisioning_factor,
            )
        })
        .collect()
}

fn plain_snapshot(cluster: &PlainCluster, health: &[LevelHealth]) -> PlainSnapshot {
    let load = priority_load(health, cluster.panic_threshold);
    let mut levels: Vec<LevelSnapshot> = cluster
        .levels
        .iter()
        .zip(health)
        .map(|(level, &health)| level_snapshot(level, health))
        .collect();
    for (priority, level) in levels.iter_mut().enumerate() {
        level.table = table(level, cluster, load.panics(priority));
    }
    PlainSnapshot {
        policy: cluster.policy,
        panic_threshold: cluster.panic_threshold,
        overprovisioning_factor: cluster.overprovisioning_factor,
        levels,
        load,
    }
}

fn level_snapshot(level: &Level, health: LevelHealth) -> LevelSnapshot {
    let of_class = |class: Coarse| -> Vec<u32> {
        (0..)
            .zip(&level.endpoints)
            .filter(|(_, endpoint)| endpoint.health.coarse() == class)
            .map(|(host, _)| host)
            .collect()
    };
    LevelSnapshot {
        health,
        healthy: of_class(Coarse::Healthy),
        degraded: of_class(Coarse::Degraded),
        table: None,
        level: level.clone(),
    }
}

/// Hash tables hold the healthy hosts of a level, or all of them in panic; never degraded ones.
fn table(level: &LevelSnapshot, cluster: &PlainCluster, panic: bool) -> Option<HashTable> {
    let key = |host: usize| match level.level.endpoints.get(host) {
        Some(endpoint) => endpoint.hash_key(),
        None => "",
    };
    match &cluster.policy {
        Policy::RingHash(config) => Some(HashTable::Ring(Ring::build(
            config,
            &weights(level, cluster.locality_lb.is_weighted(), panic),
            key,
        ))),
        Policy::Maglev(config) => Some(HashTable::Maglev(MaglevTable::build(
            *config,
            &weights(level, cluster.locality_lb.is_weighted(), panic),
            key,
        ))),
        _ => None,
    }
}

fn weights(level: &LevelSnapshot, locality_weighted: bool, panic: bool) -> NormalizedWeights {
    let endpoints = &level.level.endpoints;
    let hosts = level.hosts(HostClass::Healthy, panic);
    let weighted = |host: usize| Some((host, endpoints.get(host)?.weight.get()));
    let localities = &level.level.localities;
    if !locality_weighted || localities.is_empty() {
        return NormalizedWeights::flat(hosts.iter().filter_map(weighted));
    }
    let in_locality = |locality: usize| {
        hosts
            .iter()
            .filter(move |&host| endpoints.get(host).is_some_and(|e| e.locality == locality))
            .filter_map(weighted)
    };
    // Envoy sorts the localities of a level by name.
    let name = |at: usize| localities.get(at).map(|l| &l.locality);
    let mut order: Vec<usize> = Vec::with_capacity(localities.len());
    for at in 0..localities.len() {
        let place = order.partition_point(|&before| name(before) <= name(at));
        order.insert(place, at);
    }
    NormalizedWeights::by_locality(order.iter().map(|&at| {
        let weight = localities.get(at).and_then(|l| l.weight).unwrap_or(0);
        (weight, in_locality(at))
    }))
}

fn aggregate_snapshot(
    aggregate: &AggregateCluster,
    health: &[Vec<LevelHealth>],
    names: &BTreeMap<String, ClusterId>,
) -> AggregateSnapshot {
    let (mut members, mut missing) = (Vec::new(), Vec::new());
    for name in &aggregate.members {
        match names.get(name) {
            Some(&id) => members.push(id),
            None => missing.push(name.clone()),
        }
    }
    let line = linearise(
        members
            .iter()
            .filter_map(|&id| Some((id, health.get(id.index())?.as_slice()))),
        aggregate.panic_threshold,
    );
    AggregateSnapshot {
        panic_threshold: aggregate.panic_threshold,
        members,
        missing,
        line,
    }
}
