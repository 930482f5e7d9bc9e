//! Extensions of Spillgate: flattened aggregates and rendezvous hashing in a cluster.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::{aggregate, model, partly, plain};
use spillgate_core::{
    inspect::keys_moved,
    model::{Cluster, ClusterKind, Metadata, Model, Policy},
    snapshot::{ClusterSnapshotKind, Snapshot},
};

fn flattened(name: &str, members: &[&str]) -> Cluster {
    let mut cluster = aggregate(name, 50.0, members);
    if let ClusterKind::Aggregate(aggregate) = &mut cluster.kind {
        aggregate.flatten = true;
    }
    cluster
}

fn leaf(name: &str, healthy: usize) -> Cluster {
    plain(name, Policy::RoundRobin, 0.0, vec![partly(1, healthy, 4)])
}

fn members(model: &Model, name: &str) -> Vec<String> {
    let snapshot = Snapshot::build(model);
    let id = snapshot.cluster_id(name).unwrap();
    let ClusterSnapshotKind::Aggregate(aggregate) = &snapshot.cluster(id).unwrap().kind else {
        panic!("{name} is not an aggregate")
    };
    let name = |id: &_| snapshot.cluster(*id).unwrap().name.clone();
    aggregate.members.iter().map(name).collect()
}

#[test]
fn flattening_is_depth_first_and_keeps_the_first_position() {
    let model = model(vec![
        flattened("top", &["left", "c", "right", "gone", "a"]),
        aggregate("left", 50.0, &["a", "b"]),
        aggregate("right", 50.0, &["b", "left", "d"]),
        leaf("a", 4),
        leaf("b", 4),
        leaf("c", 4),
        leaf("d", 4),
    ]);
    assert_eq!(members(&model, "top"), ["a", "b", "c", "d"]);
}

#[test]
fn a_nested_aggregate_serves_only_if_flattened() {
    let clusters = |top| {
        vec![
            top,
            aggregate("inner", 50.0, &["b"]),
            leaf("a", 0),
            leaf("b", 4),
        ]
    };
    for (top, lost) in [
        (aggregate("top", 0.0, &["a", "inner"]), 100.0),
        (flattened("top", &["a", "inner"]), 0.0),
    ] {
        let snapshot = Snapshot::build(&model(clusters(top)));
        let top = snapshot.cluster_id("top").unwrap();
        assert!((snapshot.distribution(top, None).no_host - lost).abs() < 1e-9);
    }
}

#[test]
fn many_paths_to_one_cluster_are_followed_once() {
    let mut clusters = vec![flattened("top", &["n0"])];
    for at in 0..5_000 {
        let next = if at == 4_999 {
            "leaf".into()
        } else {
            format!("n{}", at + 1)
        };
        clusters.push(aggregate(&format!("n{at}"), 50.0, &[&next, &next]));
    }
    clusters.push(leaf("leaf", 4));
    assert_eq!(members(&model(clusters), "top"), ["leaf"]);
}

#[test]
fn rendezvous_hashing_moves_only_the_keys_of_a_lost_host() {
    let build = |healthy| {
        let priority = partly(0, healthy, 10);
        Snapshot::build(&model(vec![plain(
            "c",
            Policy::Rendezvous,
            0.0,
            vec![priority],
        )]))
    };
    let moved = keys_moved(&build(10), &build(9), "c", &Metadata::EMPTY);
    assert_eq!((moved.keys, moved.avoidable), (65_536, 0), "{moved:?}");
    let tenth = 65_536.0 / 10.0;
    assert!((moved.moved as f64 / tenth - 1.0).abs() < 0.1, "{moved:?}");
}
