//! Building a snapshot, by policy and number of hosts, beside the peer's ring.

use divan::Bencher;
use pingora_ketama::{Bucket, Continuum};
use spillgate_bench::{address, model};
use spillgate_core::{
    model::{MaglevConfig, Policy, RingHashConfig},
    snapshot::Snapshot,
};

const HOSTS: [usize; 3] = [10, 1_000, 10_000];

fn main() {
    divan::main();
}

fn snapshot(bencher: Bencher<'_, '_>, policy: Policy, hosts: usize) {
    let model = model(policy, hosts);
    bencher.bench_local(|| Snapshot::build(&model));
}

#[divan::bench(args = HOSTS)]
fn build_round_robin(bencher: Bencher<'_, '_>, hosts: usize) {
    snapshot(bencher, Policy::RoundRobin, hosts);
}

#[divan::bench(args = HOSTS)]
fn build_maglev(bencher: Bencher<'_, '_>, hosts: usize) {
    snapshot(bencher, Policy::Maglev(MaglevConfig::default()), hosts);
}

#[divan::bench(args = HOSTS)]
fn build_ring_hash(bencher: Bencher<'_, '_>, hosts: usize) {
    snapshot(bencher, Policy::RingHash(RingHashConfig::default()), hosts);
}

#[divan::bench(args = HOSTS)]
fn peer_pingora_ketama_build(bencher: Bencher<'_, '_>, hosts: usize) {
    let buckets: Vec<Bucket> = (0..hosts)
        .map(|host| Bucket::new(address(host).parse().expect("an address"), 1))
        .collect();
    bencher.bench_local(|| Continuum::new(&buckets));
}
