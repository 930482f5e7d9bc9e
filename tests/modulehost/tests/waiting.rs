//! Attempts that the filter has not decided, while the main thread publishes hosts.

#![allow(clippy::disallowed_methods, reason = "the test measures time")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

use spillgate_modulehost::{ClusterHosts, FakeEnvoy, LoadBalancedHost, LoadedFilter};
use spillgate_testkit::figure;

const HOSTS: usize = 10_000;
/// Each of them builds its tables under the same publication.
const FILTERS: usize = 4;
const REBUILDS: usize = 10;

const CONFIGURATION: &str = r#"{"clusters": [{"name": "shop", "lb_policy": "MAGLEV"}], "target": "shop",
    "criteria": [{"key": "tenant", "header": "x-tenant"}], "subset_chain": [{"keys": ["tenant"]}]}"#;

fn hosts(publication: usize) -> ClusterHosts {
    let host = |number: usize| {
        let (high, low) = (number / 250, number % 250);
        LoadBalancedHost::at(&format!("10.{publication}.{high}.{low}:80")).with("tenant", "a")
    };
    ClusterHosts::in_priorities(vec![(0..HOSTS).map(host).collect()])
}

#[test]
fn refused_attempts_do_not_wait_for_a_rebuild() {
    let mut envoy = FakeEnvoy::start(1);
    let filters: Vec<_> = (0..FILTERS)
        .map(|_| LoadedFilter::read(CONFIGURATION.as_bytes()).expect("valid"))
        .collect();
    let shop = envoy.add_cluster("shop", b"{}", &hosts(0));
    envoy.settle();
    let ended = Arc::new(AtomicBool::new(false));
    let longest = Arc::new(AtomicU64::new(0));
    if let Some(worker) = envoy.workers().first() {
        let (ended, longest) = (ended.clone(), longest.clone());
        worker.post(move |state| {
            let balancer = state.balancers.get(&shop).expect("added");
            while !ended.load(Ordering::Relaxed) {
                let start = Instant::now();
                assert_eq!(balancer.choose(None), None);
                let nanoseconds = start.elapsed().as_nanos() as u64;
                longest.fetch_max(nanoseconds, Ordering::Relaxed);
            }
        });
    }
    // Another program can stop one of the threads, so the median counts.
    let mut waits = Vec::new();
    for publication in 1..=REBUILDS {
        let new = hosts(publication);
        longest.store(0, Ordering::Relaxed);
        let start = Instant::now();
        envoy.update_main_thread(shop, &new);
        let rebuild = start.elapsed().as_nanos() as u64;
        waits.push((longest.load(Ordering::Relaxed), rebuild));
    }
    ended.store(true, Ordering::Relaxed);
    envoy.settle();
    drop(filters);
    envoy.finish();
    figure(format!("longest waits and rebuilds in ns: {waits:?}"));
    let mut shares: Vec<u64> = waits
        .iter()
        .map(|(wait, rebuild)| 100 * wait / rebuild)
        .collect();
    shares.sort_unstable();
    assert!(shares[REBUILDS / 2] < 25, "{waits:?}");
}
