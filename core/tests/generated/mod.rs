//! Random models: plain clusters of every kind, an aggregate of them, and chains.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use proptest::prelude::*;
use spillgate_core::{
    model::{
        AggregateCluster, Cluster, ClusterKind, FallbackChain, LocalInfo, Locality, Metadata, Model,
    },
    snapshot::{HostRef, Snapshot},
};
use spillgate_testkit::models::{Dice, Extent, plain};

/// Up to ten hosts in each of up to two priorities.
const EXTENT: Extent = Extent::few(5);
const PRIORITIES: usize = 2;

/// Two clusters, an aggregate of both, perhaps a local cluster, and perhaps a chain.
pub(crate) fn clusters() -> impl Strategy<Value = Model> {
    drawn(|dice| match dice.chance(50) {
        true => model(dice, 1),
        false => model(dice, 0),
    })
}

/// The same, always with a chain.
pub(crate) fn chained_clusters() -> impl Strategy<Value = Model> {
    drawn(|dice| model(dice, 1))
}

/// Values for a few keys that hosts and selectors use too.
pub(crate) fn metadata() -> impl Strategy<Value = Metadata> {
    drawn(|dice| dice.metadata(EXTENT))
}

/// A random value from a seed, which says nothing about smaller values.
fn drawn<T: std::fmt::Debug>(draw: impl Fn(&mut Dice) -> T) -> impl Strategy<Value = T> {
    any::<u64>()
        .no_shrink()
        .prop_map(move |seed| draw(&mut Dice::new(seed)))
}

fn model(dice: &mut Dice, least_steps: usize) -> Model {
    let clusters = ["a", "b"].into_iter().enumerate().map(|(number, name)| {
        let mut plain = plain(dice, PRIORITIES, EXTENT);
        // A generated cookie would give all requests one hash.
        plain.hash_policies.clear();
        for (index, priority) in plain.priorities.iter_mut().enumerate() {
            for (host, endpoint) in priority.endpoints.iter_mut().enumerate() {
                endpoint.address = format!("10.{number}.{index}.{host}:80");
            }
        }
        cluster(name, ClusterKind::Plain(plain))
    });
    let mut clusters: Vec<Cluster> = clusters.collect();
    let aggregate = AggregateCluster {
        members: ["a", "gone", "b"].map(String::from).into(),
        panic_threshold: dice.panic_threshold(),
        flatten: false,
    };
    clusters.push(cluster("both", ClusterKind::Aggregate(aggregate)));
    let local = LocalInfo {
        locality: Some(Locality {
            zone: "b".into(),
            ..Locality::default()
        }),
        cluster: dice.chance(50).then(|| "b".into()),
    };
    let chain = dice.chain(least_steps, 3 * least_steps, EXTENT);
    Model::new(clusters)
        .unwrap()
        .with_local(local)
        .with_chain(FallbackChain::new(chain).unwrap())
}

fn cluster(name: &str, kind: ClusterKind) -> Cluster {
    Cluster {
        name: name.into(),
        kind,
    }
}

pub(crate) fn hosts_of(snapshot: &Snapshot) -> Vec<HostRef> {
    let mut hosts = Vec::new();
    for (cluster, _) in snapshot.clusters() {
        if let Some(plain) = snapshot.plain(cluster) {
            for (number, priority) in plain.priorities.iter().enumerate() {
                hosts.extend((0..priority.len()).map(|host| HostRef {
                    cluster,
                    priority: number,
                    host,
                }));
            }
        }
    }
    hosts
}
