//! Whole fleets: time and memory of the loads of all hosts over all callers, and how they grow.
//!
//! `cargo bench -p spillgate-bench --bench fleet` prints the table.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use allocation_counter::measure;
use spillgate_core::model::{
    Cluster, ClusterKind, Endpoint, LocalInfo, Locality, MaglevConfig, Metadata, Model,
    PlainCluster, Policy, Priority,
};
use spillgate_sim::fleet::{
    CallerClass, CallerConfig, CallerTarget, CapacityRule, Fleet, LocalClusterHosts, LostCallers,
    TrafficPrice,
};

/// How often a time is measured; the shortest one counts.
const RUNS: usize = 3;

/// What is evaluated.
struct Shape {
    title: &'static str,
    policy: Policy,
    zones: usize,
    n_minus: u8,
}

fn main() {
    let maglev = MaglevConfig::new(65_537).map_or(Policy::RoundRobin, Policy::Maglev);
    println!(
        "{:<48} {:>8} {:>8} {:>6} {:>12} {:>11}",
        "fleet", "callers", "hosts", "cases", "time", "peak memory"
    );
    for shape in [
        Shape {
            title: "round robin, 3 zones, N-1",
            policy: Policy::RoundRobin,
            zones: 3,
            n_minus: 1,
        },
        Shape {
            title: "round robin, 3 zones, N-2",
            policy: Policy::RoundRobin,
            zones: 3,
            n_minus: 2,
        },
        Shape {
            title: "round robin, 10 zones, N-1",
            policy: Policy::RoundRobin,
            zones: 10,
            n_minus: 1,
        },
        Shape {
            title: "Maglev, 3 zones, N-1",
            policy: maglev,
            zones: 3,
            n_minus: 1,
        },
    ] {
        for size in [1_000, 10_000, 100_000] {
            row(&shape, size);
        }
    }
}

fn row(shape: &Shape, size: usize) {
    let fleet = shape.fleet(size);
    let mut cases = 0;
    let mut peak = 0;
    let mut fastest = Duration::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        let used = measure(|| {
            cases = fleet
                .report(shape.n_minus)
                .map_or(0, |report| report.cases.len());
        });
        fastest = fastest.min(start.elapsed());
        peak = used.bytes_max;
    }
    println!(
        "{:<48} {size:>8} {size:>8} {cases:>6} {:>9.1} ms {:>8.1} MB",
        shape.title,
        fastest.as_secs_f64() * 1e3,
        peak as f64 / 1e6,
    );
}

impl Shape {
    /// As many callers as hosts. The first zone has twice as many callers as the others, so that
    /// requests cross zones.
    fn fleet(&self, size: usize) -> Fleet {
        let zone = |number: usize| Locality {
            region: "eu".into(),
            zone: format!("z{number}"),
            sub_zone: String::new(),
        };
        let mut priority = Priority::default();
        for host in 0..size {
            let locality = priority.locality_index(zone(host % self.zones));
            let [_, a, b, c] = (host as u32).to_be_bytes();
            priority.endpoints.push(Endpoint {
                locality,
                ..Endpoint::new(format!("10.{a}.{b}.{c}:80"))
            });
        }
        let plain = PlainCluster {
            policy: self.policy,
            priorities: vec![priority],
            ..PlainCluster::default()
        };
        let local = Cluster {
            name: "edge".into(),
            kind: ClusterKind::Plain(PlainCluster::default()),
        };
        let model = Model::new(vec![Cluster::plain("shop", plain), local]);
        let model = model
            .unwrap_or_else(|_| Model::empty())
            .with_local(LocalInfo {
                locality: None,
                cluster: Some("edge".into()),
            });
        let part = size / (self.zones + 1);
        let classes = (0..self.zones).map(|number| CallerClass {
            config: 0,
            locality: zone(number),
            callers: if number == 0 {
                size - part * (self.zones - 1)
            } else {
                part
            } as u64,
            rps: 100.0,
            bytes: Some(2_000.0),
        });
        Fleet {
            classes: classes.collect(),
            configs: vec![CallerConfig {
                model,
                targets: vec![CallerTarget::all("shop")],
            }],
            criteria: Metadata::EMPTY,
            local: LocalClusterHosts::Callers,
            lost_callers: LostCallers::Stay,
            capacities: CapacityRule::parse("200rps").unwrap_or_default(),
            prices: TrafficPrice::parse("cross-zone=0.01", &[]).unwrap_or_default(),
            zones: BTreeMap::new(),
            relays: BTreeSet::new(),
        }
    }
}
