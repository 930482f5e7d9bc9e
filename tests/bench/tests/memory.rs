//! What hosts and subsets cost in memory: a snapshot and the turns of one worker.

use allocation_counter::measure;
use spillgate_bench::{Shape, model};
use spillgate_core::{
    decide::BalancerState,
    draw::SplitMix64,
    model::{LocalityLb, MaglevConfig, Policy, RingHashConfig},
    snapshot::Snapshot,
};

/// Bytes that stay in use after building, and the most that were in use meanwhile.
fn bytes(shape: &Shape) -> (u64, u64) {
    let model = model(vec![shape.cluster("c")]);
    let mut built = None;
    let info = measure(|| {
        let snapshot = Snapshot::build(&model);
        let state = BalancerState::new(&snapshot, &mut SplitMix64::new(1));
        built = Some((snapshot, state));
    });
    drop(built);
    (u64::try_from(info.bytes_current).unwrap(), info.bytes_max)
}

fn shape(policy: Policy, hosts: usize, subsets: usize) -> Shape {
    Shape {
        priorities: 1,
        subsets,
        ..Shape::new(policy, hosts)
    }
}

/// The bytes of one more host, or of one more subset.
fn step(more: u64, less: u64, count: u64) -> u64 {
    (more - less) / count
}

#[test]
fn a_host_costs_a_few_hundred_bytes() {
    let of = |hosts| bytes(&shape(Policy::RoundRobin, hosts, 0)).0;
    let host = step(of(10_000), of(5_000), 5_000);
    println!("a host costs {host} bytes");
    assert!((32..=256).contains(&host), "{host}");
}

#[test]
fn a_weighted_host_costs_its_place_in_the_queues_too() {
    let of = |hosts, weighted| {
        let mut shape = shape(Policy::RoundRobin, hosts, 0);
        shape.weighted = weighted;
        bytes(&shape).0
    };
    let queued = step(of(10_000, true), of(10_000, false), 10_000);
    println!("the queues of a weighted host cost {queued} bytes");
    assert!((24..=96).contains(&queued), "{queued}");
}

#[test]
fn a_subset_costs_less_than_two_kilobytes() {
    let of = |subsets| bytes(&shape(Policy::RoundRobin, 10_000, subsets)).0;
    let subset = step(of(2_000), of(1_000), 1_000);
    println!("a subset costs {subset} bytes");
    assert!((64..=2_048).contains(&subset), "{subset}");
}

#[test]
fn ten_thousand_hosts_in_a_thousand_subsets_fit_into_16_megabytes() {
    const LIMIT: u64 = 16 * 1024 * 1024;
    for priorities in [1, 8] {
        let mut shape = shape(Policy::RoundRobin, 10_000 / priorities, 1_000);
        shape.priorities = priorities;
        let (kept, most) = bytes(&shape);
        println!("{priorities} priorities: {kept} bytes kept, {most} at most");
        assert!(
            kept <= LIMIT && most <= LIMIT,
            "{priorities} priorities: {kept}, {most}"
        );
    }
}

#[test]
fn localities_do_not_multiply_what_hosts_cost() {
    let of = |localities| {
        let mut shape = shape(Policy::RoundRobin, 10_000, 0);
        (shape.localities, shape.locality_lb) = (localities, LocalityLb::Weighted);
        bytes(&shape).0
    };
    let (few, many) = (of(2), of(20));
    println!("2 localities: {few} bytes, 20: {many}");
    assert!(many < few + few / 4, "{few} {many}");
}

#[test]
fn tables_cost_what_their_sizes_say() {
    let plain = bytes(&shape(Policy::RoundRobin, 1_000, 0)).0;
    let maglev = Policy::Maglev(MaglevConfig::default());
    let maglev = bytes(&shape(maglev, 1_000, 0)).0 - plain;
    println!("a maglev table of 65,537 slots: {maglev} bytes");
    assert!((4 * 65_537..5 * 65_537).contains(&maglev), "{maglev}");
    let ring = Policy::RingHash(RingHashConfig::default());
    let ring = bytes(&shape(ring, 1_000, 0)).0 - plain;
    // Two points a host, and an index of half as many stretches.
    println!("a ring of 2,000 points: {ring} bytes");
    assert!((16 * 2_000..24 * 2_000).contains(&ring), "{ring}");
}
