//! Many clusters with live health: a change in one of them must not cost more than in a
//! configuration with this cluster alone.

use crate::common::live::*;
use crate::common::*;
use serde_json::{Value, json};
use spillgate_testhost::CalloutReply;
use std::time::Duration;

/// The fuel and the memory of a worker.
struct WorkerCost {
    /// The first report of all hosts.
    first: u64,
    /// A tick without a change.
    idle: u64,
    /// One host of one cluster is replaced.
    change: u64,
    /// The size of its memory in bytes, at the end.
    memory: usize,
}

impl std::fmt::Display for WorkerCost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            first,
            idle,
            change,
            memory,
        } = self;
        write!(
            f,
            "fuel: first report {first}, idle tick {idle}, change {change}; memory {memory} bytes"
        )
    }
}

/// One tick of the worker.
const TICK: Duration = Duration::from_millis(100);

fn name(cluster: usize) -> String {
    format!("shop-{cluster}")
}

fn addresses(cluster: usize, hosts: std::ops::Range<usize>) -> Vec<String> {
    let address = |host| format!("10.{cluster}.{}.{}:8080", host / 250, host % 250 + 1);
    hosts.map(address).collect()
}

fn response(cluster: usize, hosts: std::ops::Range<usize>) -> String {
    let addresses = addresses(cluster, hosts);
    let hosts: Vec<ReportedHost<'_>> = addresses
        .iter()
        .map(|address| (address.as_str(), 0, "healthy"))
        .collect();
    clusters(&name(cluster), &hosts)
}

/// The cost of a worker with that many clusters of that many hosts, with sessions.
fn measured(count: usize, hosts: usize) -> WorkerCost {
    let names: Vec<String> = (0..count).map(name).collect();
    let all: Vec<Value> = names
        .iter()
        .map(|name| cluster(name, "ROUND_ROBIN", &[healthy(0, 1)]))
        .collect();
    let configuration = followed(json!({
        "clusters": all,
        "target": name(0),
        "affinity": {
            "header": {"name": "x-token"},
            "keys": [{"id": 1, "secret": "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="}],
        },
    }));
    let targets: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut envoy = Envoy::start(&targets, &configuration);
    let respond = |envoy: &mut Envoy, first: std::ops::Range<usize>| {
        envoy.advance(SECOND);
        let text = (0..count).map(|cluster| match cluster {
            0 => response(0, first.clone()),
            _ => response(cluster, 0..hosts),
        });
        let reply = CalloutReply::new(200, text.collect::<String>());
        let calls = respond_to(&mut envoy.main, "/clusters", &reply);
        assert_eq!(calls, 1, "one call for all clusters");
        envoy.worker.take_fuel();
        envoy.worker.advance(TICK).unwrap();
        envoy.worker.take_fuel()
    };
    let first = respond(&mut envoy, 0..hosts);
    let idle = respond(&mut envoy, 0..hosts);
    let rebuilds = envoy.counter("health.rebuilds");
    let change = respond(&mut envoy, 1..hosts + 1);
    assert_eq!(envoy.counter("health.rebuilds"), rebuilds + 1);
    let exchange = answered(&mut envoy.worker, user("u1"), None);
    assert!(exchange.response_headers.has("x-token"));
    WorkerCost {
        first,
        idle,
        change,
        memory: envoy.worker.memory_bytes(),
    }
}

#[test]
fn a_change_costs_the_same_among_many_clusters() {
    // The full size is that of tests/bench/measurements.md.
    let (count, hosts) = match std::env::var_os("SPILLGATE_FULL") {
        Some(_) => (50, 1_000),
        None => (10, 100),
    };
    let one = measured(1, hosts);
    let many = measured(count, hosts);
    println!("1 cluster of {hosts} hosts: {one}");
    println!("{count} clusters of {hosts} hosts: {many}");
    let (alone, among) = (one.change - one.idle, many.change - many.idle);
    assert!(
        among < alone * 3 / 2,
        "a change in one of {count} clusters takes {among} units of fuel, {alone} if it is alone"
    );
}
