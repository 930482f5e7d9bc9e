//! The flows between owners explain the shares of both sides, and move no more than they must.

use std::collections::BTreeMap;

use spillgate_core::{model::Metadata, snapshot::Snapshot};
use spillgate_diff::{
    ClusterVerdict, DiffSide, OwnerShare, TrafficOwner, diff_clusters, traffic_change,
};
use spillgate_testkit::{
    figure,
    models::{Dice, Extent, model},
};

use crate::change::{CHANGES, changed};

const SEED: u64 = 39;
const PAIRS: u64 = 300;

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn flows_explain_both_sides() {
    let unknown = BTreeMap::new();
    let mut moving = 0;
    for number in 0..PAIRS {
        let mut dice = Dice::of(SEED, number);
        let old = model(&mut dice, Extent::few(6));
        let Some(new) = changed(&old, dice.one(&CHANGES), &mut dice) else {
            continue;
        };
        let side = |model| DiffSide {
            model,
            listeners: &[],
            unknown: &unknown,
            resolved: None,
        };
        let report = diff_clusters(&side(&old), &side(&new));
        let (before, after) = (Snapshot::build(&old), Snapshot::build(&new));
        let clusters = report.clusters.iter();
        let known = clusters.filter(|cluster| cluster.status != ClusterVerdict::Unknown);
        for cluster in known {
            let ids = (
                before.cluster_id(&cluster.name),
                after.cluster_id(&cluster.name),
            );
            let (Some(was), Some(is)) = ids else { continue };
            for owner in [TrafficOwner::Priority, TrafficOwner::Locality] {
                let found =
                    traffic_change((&before, was), (&after, is), &Metadata::EMPTY, owner).unwrap();
                let case = format!("pair {number}, cluster {}: {found:?}", cluster.name);
                let sums = |owners: &[OwnerShare], of: &dyn Fn(usize) -> f64| {
                    for (place, owner) in owners.iter().enumerate() {
                        assert!(near(of(place), owner.share), "{place} of {case}");
                    }
                };
                let flow = |of: &dyn Fn(&spillgate_diff::TrafficFlow) -> bool| {
                    let flows = found.flows.iter().filter(|flow| of(flow));
                    flows.map(|flow| flow.stays + flow.moves).sum::<f64>()
                };
                sums(&found.before, &|place| flow(&|flow| flow.from == place));
                sums(&found.after, &|place| flow(&|flow| flow.to == place));
                let moved = cluster.requests.first().map_or(0.0, |kind| kind.moved);
                assert!(near(found.moved(), moved), "{moved} of {case}");
                moving += usize::from(moved > 0.0);
            }
        }
    }
    assert!(moving > 100, "{moving}");
    figure(format!(
        "{moving} changes: flows have the sums of both sides"
    ));
}
