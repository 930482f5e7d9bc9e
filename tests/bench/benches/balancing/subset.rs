//! Finding a subset by the criteria of a request, by the number of subsets.

use divan::{Bencher, black_box};
use spillgate_bench::{Shape, Worker, model};
use spillgate_core::{model::Policy, snapshot::Snapshot, subset::Criteria};

const SUBSETS: [usize; 3] = [1, 10, 1_000];

fn shape(subsets: usize) -> Shape {
    let mut shape = Shape::new(Policy::RoundRobin, 1_000);
    shape.subsets = subsets;
    shape
}

#[divan::bench(args = SUBSETS)]
fn look_up(bencher: Bencher<'_, '_>, subsets: usize) {
    let shape = shape(subsets);
    let snapshot = Snapshot::build(&model(vec![shape.cluster("c")]));
    let cluster = snapshot.cluster_id("c").expect("the cluster is there");
    let plain = snapshot.plain(cluster).expect("it has hosts");
    let index = &plain.subsets.as_ref().expect("it has subsets").index;
    let criteria: Vec<_> = (0..subsets).map(|subset| shape.criteria(subset)).collect();
    let mut turn = 0;
    bencher.bench_local(|| {
        turn = if turn + 1 < subsets { turn + 1 } else { 0 };
        black_box(index.find(Criteria::new(&criteria[turn])))
    });
}

#[divan::bench(args = SUBSETS)]
fn decide(bencher: Bencher<'_, '_>, subsets: usize) {
    let mut worker = Worker::of(&shape(subsets));
    bencher.bench_local(|| black_box(worker.pick()));
}
