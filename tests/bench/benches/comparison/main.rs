//! The comparison of two built configurations (`spillgate-diff`) of 10,000 clusters, of which 1 % change.
//!
//! `cargo bench -p spillgate-bench --bench comparison --features comparison` prints the times.

use std::collections::BTreeMap;

use divan::Bencher;
use spillgate_bench::Shape;
use spillgate_core::model::{Cluster, ClusterKind, Health, HealthStatus, Model, Policy};
use spillgate_diff::{DiffSide, diff};

fn main() {
    divan::main();
}

/// The policies of the clusters, in turn.
const POLICIES: [&str; 2] = ["ROUND_ROBIN", "MAGLEV"];

#[divan::bench(args = POLICIES, sample_count = 5, sample_size = 1)]
fn one_percent_of_10000_clusters_of_100_hosts(bencher: Bencher<'_, '_>, policy: &str) {
    let policy = match policy {
        "MAGLEV" => Policy::Maglev(Default::default()),
        _ => Policy::RoundRobin,
    };
    let (old, new) = (model(policy, false), model(policy, true));
    let unknown = BTreeMap::new();
    let [old, new] = [&old, &new].map(|model| DiffSide {
        model,
        listeners: &[],
        unknown: &unknown,
        resolved: None,
    });
    bencher.bench_local(|| {
        let report = diff(&old, &new);
        assert_eq!(report.clusters.len(), 100);
        report
    });
}

fn model(policy: Policy, is_changed: bool) -> Model {
    let mut shape = Shape::new(policy, 100);
    shape.priorities = 1;
    let clusters = (0..10_000).map(|number| {
        let mut cluster = shape.cluster(&format!("c{number}"));
        if is_changed && number % 100 == 3 {
            fail_first_host(&mut cluster);
        }
        cluster
    });
    Model::new(clusters.collect()).expect("the names differ")
}

fn fail_first_host(cluster: &mut Cluster) {
    let ClusterKind::Plain(plain) = &mut cluster.kind else {
        return;
    };
    let hosts = plain.priorities.iter_mut().flat_map(|of| &mut of.endpoints);
    if let Some(host) = hosts.into_iter().next() {
        host.health = Health::from_status(HealthStatus::Unhealthy);
    }
}
