//! One of 10,000 hosts changes its health: an updated snapshot and state, compared with building
//! both again.

use divan::Bencher;
use spillgate_bench::{Flip, Shape};
use spillgate_core::model::Policy;

#[divan::bench(args = [0, 1_000], max_time = 2)]
fn flip_of_10000_by_subsets(bencher: Bencher<'_, '_>, subsets: usize) {
    let mut flip = Flip::new(&shape(subsets));
    bencher.bench_local(|| flip.flip());
}

#[divan::bench(args = [0, 1_000], max_time = 2)]
fn full_build_of_10000_by_subsets(bencher: Bencher<'_, '_>, subsets: usize) {
    let flip = Flip::new(&shape(subsets));
    bencher.bench_local(|| flip.full());
}

fn shape(subsets: usize) -> Shape {
    let mut shape = Shape::new(Policy::RoundRobin, 10_000);
    (shape.priorities, shape.subsets) = (1, subsets);
    shape
}
