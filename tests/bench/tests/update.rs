//! A snapshot that follows changes of health is the one that a full build makes.

use spillgate_bench::{WorkerCase, model};
use spillgate_core::{
    draw::{Draw as _, SplitMix64},
    model::{ClusterKind, Health, HealthStatus},
    snapshot::{HostRef, Snapshot},
};

const HOSTS: usize = 40;
const STATES: [HealthStatus; 4] = [
    HealthStatus::Healthy,
    HealthStatus::Degraded,
    HealthStatus::Unhealthy,
    HealthStatus::Draining,
];

/// All sets of the cluster, in full.
fn shown(snapshot: &Snapshot) -> String {
    let plain = snapshot.plain(snapshot.cluster_id("c").unwrap()).unwrap();
    let subsets = plain.subsets.as_ref().map(|subsets| &subsets.sets);
    format!("{:?} {subsets:?}", plain.whole)
}

#[test]
fn changes_lead_to_the_same_sets_as_a_full_build() {
    let mut draw = SplitMix64::new(7);
    for case in WorkerCase::ALL {
        let mut shape = case.shape(HOSTS);
        for weighted_health in [false, true] {
            shape.weighted = weighted_health;
            let mut cluster = shape.cluster("c");
            let weigh = |kind: &mut ClusterKind| match kind {
                ClusterKind::Plain(plain) => plain.weighted_priority_health = weighted_health,
                _ => panic!("it has hosts of its own"),
            };
            weigh(&mut cluster.kind);
            let mut followed = Snapshot::build(&model(vec![cluster.clone()]));
            // Few changes are made one by one, many at once; some are made twice.
            for count in [1, 1, 2, 5, 17, 60, 1, 3] {
                let id = followed.cluster_id("c").unwrap();
                let mut changes = Vec::new();
                for _ in 0..count {
                    let (priority, host) = (draw.draw() as usize % 2, draw.draw() as usize % HOSTS);
                    let health = Health::from_status(STATES[draw.draw() as usize % STATES.len()]);
                    let ClusterKind::Plain(plain) = &mut cluster.kind else {
                        panic!("it has hosts of its own");
                    };
                    plain.priorities[priority].endpoints[host].health = health;
                    let cluster = id;
                    changes.push((
                        HostRef {
                            cluster,
                            priority,
                            host,
                        },
                        health,
                    ));
                }
                followed = followed.with_health(&changes);
                let built = Snapshot::build(&model(vec![cluster.clone()]));
                assert_eq!(shown(&followed), shown(&built), "{case}, {count} changes");
            }
        }
    }
}
