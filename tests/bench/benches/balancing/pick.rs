//! One whole decision, without a trace, by what it chooses by and the number of hosts.

use divan::{Bencher, black_box};
use spillgate_bench::{Worker, WorkerCase};

const HOSTS: [usize; 3] = [10, 1_000, 100_000];

#[divan::bench(args = WorkerCase::ALL, consts = HOSTS, max_time = 1)]
fn decide<const HOSTS: usize>(bencher: Bencher<'_, '_>, case: &WorkerCase) {
    let mut worker = Worker::new(*case, HOSTS);
    bencher.bench_local(|| black_box(worker.pick()));
}
