//! One decision, by policy and number of hosts, beside the peer's bare look-up.

use divan::{Bencher, black_box};
use pingora_ketama::{Bucket, Continuum};
use spillgate_bench::{address, by_key, model};
use spillgate_core::{
    decide::{Request, State, decide},
    draw::SplitMix64,
    model::{MaglevConfig, Policy, RingHashConfig},
    route::HeaderList,
    snapshot::Snapshot,
    trace::NoTrace,
};

const HOSTS: [usize; 3] = [10, 1_000, 10_000];

fn main() {
    divan::main();
}

fn whole_decision(bencher: Bencher<'_, '_>, policy: Policy, hosts: usize) {
    let snapshot = Snapshot::build(&model(policy, hosts));
    let cluster = snapshot.cluster_id("c").expect("the cluster is there");
    let mut draw = SplitMix64::new(1);
    let mut state = State::new(&snapshot, &mut draw);
    let policies = [by_key()];
    let mut key = 0_u64;
    bencher.bench_local(move || {
        key += 1;
        let headers = [("x-key", key.to_le_bytes())];
        let request = Request {
    hash_policies: &policies,
    ..Request::new(cluster, &HeaderList(&headers))
};
        decide(
            &snapshot,
            &mut state,
            black_box(&request),
            &mut draw,
            &mut NoTrace,
        )
    });
}

#[divan::bench(args = HOSTS)]
fn decide_round_robin(bencher: Bencher<'_, '_>, hosts: usize) {
    whole_decision(bencher, Policy::RoundRobin, hosts);
}

#[divan::bench(args = HOSTS)]
fn decide_random(bencher: Bencher<'_, '_>, hosts: usize) {
    whole_decision(bencher, Policy::Random, hosts);
}

#[divan::bench(args = HOSTS)]
fn decide_maglev(bencher: Bencher<'_, '_>, hosts: usize) {
    whole_decision(bencher, Policy::Maglev(MaglevConfig::default()), hosts);
}

#[divan::bench(args = HOSTS)]
fn decide_ring_hash(bencher: Bencher<'_, '_>, hosts: usize) {
    whole_decision(bencher, Policy::RingHash(RingHashConfig::default()), hosts);
}

#[divan::bench(args = HOSTS)]
fn peer_pingora_ketama_lookup(bencher: Bencher<'_, '_>, hosts: usize) {
    let ring = continuum(hosts);
    let mut key = 0_u64;
    bencher.bench_local(move || {
        key += 1;
        ring.node(black_box(&key.to_le_bytes()))
    });
}

fn continuum(hosts: usize) -> Continuum {
    let buckets: Vec<Bucket> = (0..hosts)
        .map(|host| Bucket::new(address(host).parse().expect("an address"), 1))
        .collect();
    Continuum::new(&buckets)
}
