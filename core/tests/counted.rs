//! A cluster as counts of its hosts: the same figures as a snapshot that is built with the lost hosts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod generated;

use generated::{EXTENT, hosts_of};
use spillgate_core::{
    inspect::{CountedCluster, priorities},
    model::Metadata,
    snapshot::{ClusterSnapshotKind, HostRef, Snapshot},
};
use spillgate_testkit::models::{Dice, model as any_model, pair};

/// So many random models.
const MODELS: u64 = 400;

/// Compares the figures of counts with those of a snapshot, after the loss of these hosts.
fn check(snapshot: &Snapshot, lost: &[HostRef], criteria: &Metadata, case: &str) {
    let changes = lost.iter().map(|&host| {
        let priority = &snapshot.plain(host.cluster).unwrap().priorities[host.priority];
        (host, priority.health(host.host).failed())
    });
    let after = snapshot.with_health(&changes.collect::<Vec<_>>());
    for (id, cluster) in after.clusters() {
        let Some(mut counted) = CountedCluster::of(snapshot, id, criteria) else {
            continue;
        };
        for &host in lost {
            counted.lose(host);
        }
        let name = &cluster.name;
        match &cluster.kind {
            ClusterSnapshotKind::Plain(plain) => {
                let found = counted.priorities(id).unwrap();
                let built = priorities(plain, criteria);
                assert_eq!(found.load, built.load, "{case} {name}");
            }
            ClusterSnapshotKind::Aggregate(aggregate) => {
                let found = counted.linearized(id).unwrap();
                assert_eq!(found.load, aggregate.linearized.load, "{case} {name}");
            }
            _ => {}
        }
        if counted.decides_no_host() {
            let (found, built) = (counted.no_host(id), after.no_host(id, criteria));
            assert!(
                (found - built).abs() < 1e-9,
                "{case} {name}: {found} {built}"
            );
        }
    }
}

#[test]
fn counts_give_the_figures_of_a_snapshot_with_the_losses() {
    for seed in 0..MODELS {
        let dice = &mut Dice::new(seed);
        let model = if dice.chance(50) {
            pair(dice, 0, EXTENT)
        } else {
            any_model(dice, EXTENT)
        };
        let snapshot = Snapshot::build(&model);
        let share = dice.one(&[0, 30, 70, 100]);
        let lost = dice.some(&hosts_of(&snapshot), share);
        let criteria = dice.metadata(EXTENT);
        for criteria in [&criteria, &Metadata::EMPTY] {
            check(&snapshot, &lost, criteria, &format!("seed {seed}"));
        }
    }
}
