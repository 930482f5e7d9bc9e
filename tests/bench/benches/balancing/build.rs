//! Building snapshots and tables, compared with the tables of the peers.

use divan::Bencher;
use spillgate_bench::{Shape, model, peers, within};
use spillgate_core::{
    model::{MaglevConfig, Policy, RingHashConfig},
    snapshot::Snapshot,
};

const HOSTS: [usize; 3] = [10, 1_000, 100_000];
const TABLES: [usize; 2] = [10, 1_000];

fn snapshot(bencher: Bencher<'_, '_>, shape: &Shape) {
    let model = model(vec![shape.cluster("c")]);
    bencher.bench_local(|| Snapshot::build(&model));
}

#[divan::bench(args = HOSTS, max_time = 2)]
fn round_robin(bencher: Bencher<'_, '_>, hosts: usize) {
    snapshot(bencher, &Shape::new(Policy::RoundRobin, hosts));
}

#[divan::bench(args = HOSTS, max_time = 2)]
fn maglev(bencher: Bencher<'_, '_>, hosts: usize) {
    let policy = Policy::Maglev(MaglevConfig::default());
    snapshot(bencher, &Shape::new(policy, hosts));
}

#[divan::bench(args = HOSTS, max_time = 2)]
fn ring_hash(bencher: Bencher<'_, '_>, hosts: usize) {
    let policy = Policy::RingHash(RingHashConfig::default());
    snapshot(bencher, &Shape::new(policy, hosts));
}

#[divan::bench(args = [10_000, 100_000], max_time = 5)]
fn eight_priorities_and_1000_subsets(bencher: Bencher<'_, '_>, hosts: usize) {
    snapshot(bencher, &Shape::large(hosts));
}

#[divan::bench(args = TABLES, max_time = 2)]
fn ring(bencher: Bencher<'_, '_>, hosts: usize) {
    bencher.bench_local(within::ring(hosts));
}

#[divan::bench(args = TABLES, max_time = 2)]
fn maglev_table(bencher: Bencher<'_, '_>, hosts: usize) {
    bencher.bench_local(within::maglev(hosts));
}

#[divan::bench(args = TABLES, max_time = 2)]
fn peer_pingora_ketama(bencher: Bencher<'_, '_>, hosts: usize) {
    bencher.bench_local(peers::pingora_ketama_build(hosts));
}

#[divan::bench(args = TABLES, max_time = 2)]
fn peer_maglev_hash(bencher: Bencher<'_, '_>, hosts: usize) {
    bencher.bench_local(peers::maglev_hash_build(hosts));
}

/// It keeps 512 kB for each host while it builds.
#[divan::bench(args = [10, 100], max_time = 2)]
fn peer_maglev(bencher: Bencher<'_, '_>, hosts: usize) {
    bencher.bench_local(peers::maglev_build(hosts));
}
