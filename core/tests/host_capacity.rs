//! How much of the load one host gets: slow start under `LEAST_REQUEST`, bounded load, and excluded hosts.
#![allow(clippy::unwrap_used)]

mod common;

use std::time::Duration;

use common::{endpoint, model, priority_of};
use spillgate_core::{
    model::{
        Cluster, ClusterKind, HashBalanceFactor, Health, HealthFlags, HealthStatus, HealthyFor,
        LeastRequestConfig, Metadata, PlainCluster, Policy, SlowStart, Weight,
    },
    pick::slots,
    snapshot::Snapshot,
};

#[test]
fn weights_are_multiplied_by_the_slow_start_factor() {
    let host = |address, weight| {
        let mut host = endpoint(address, HealthStatus::Healthy, Metadata::EMPTY);
        host.weight = Weight::new(weight).unwrap();
        host
    };
    // Half of the window: the second host counts half of its weight.
    let window = Duration::from_secs(60);
    let shares = |policy| {
        let snapshot = Snapshot::build(&model(vec![Cluster {
            name: "shop".into(),
            kind: ClusterKind::Plain(PlainCluster {
                policy,
                slow_start: SlowStart::new(window, 1.0, 10.0),
                healthy_for: vec![HealthyFor {
                    priority: 0,
                    host: 1,
                    time: window / 2,
                }],
                priorities: vec![priority_of(vec![host("a:1", 2), host("b:1", 1)])],
                ..PlainCluster::default()
            }),
        }]));
        let shop = snapshot.cluster_id("shop").unwrap();
        let shares = snapshot.distribution(shop, None).shares;
        let percent = shares.iter().map(|share| share.share.round());
        percent.collect::<Vec<f64>>()
    };
    let least = Policy::LeastRequest(LeastRequestConfig::default());
    assert_eq!(shares(least), [80.0, 20.0]);
    assert_eq!(shares(Policy::RoundRobin), [80.0, 20.0]);
}

#[test]
fn bounded_load_gives_each_host_its_share_of_the_active_requests() {
    let factor = HashBalanceFactor::new(150).unwrap();
    // 150 % of 10 requests are 15; a quarter of them is rounded up.
    assert_eq!(slots(9, factor, 0.25), 4);
    assert_eq!(slots(9, factor, 1.0), 15);
    assert_eq!(slots(0, factor, 0.001), 1, "at least one");
}

#[test]
fn draining_hosts_and_each_flag_alone_exclude_a_host() {
    let pending = HealthFlags {
        pending_active_hc: true,
        ..HealthFlags::default()
    };
    let failed = HealthFlags {
        excluded_via_immediate_hc_fail: true,
        ..HealthFlags::default()
    };
    let excluded = |status, flags| Health { status, flags }.excluded();
    assert!(excluded(HealthStatus::Healthy, pending));
    assert!(excluded(HealthStatus::Healthy, failed));
    assert!(excluded(HealthStatus::Draining, HealthFlags::default()));
    assert!(!excluded(HealthStatus::Unhealthy, HealthFlags::default()));
}
