//! Many independent cases on all processors.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

/// The cases of one turn of a thread.
const BATCH: u64 = 256;

/// Runs `work` on ranges that together are the numbers below `count`, on `threads` threads:
/// the sum of its results.
///
/// # Panics
/// If `work` panics, after the other threads have finished.
pub fn in_parallel(threads: usize, count: u64, work: impl Fn(Range<u64>) -> u64 + Sync) -> u64 {
    let (next, sum) = (AtomicU64::new(0), AtomicU64::new(0));
    let turns = || {
        loop {
            let from = next.fetch_add(BATCH, Ordering::Relaxed);
            if from >= count {
                return;
            }
            let result = work(from..count.min(from + BATCH));
            sum.fetch_add(result, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(turns);
        }
    });
    sum.into_inner()
}

/// Runs `work` for every number below `count`, on all processors: the sum of its results.
///
/// # Panics
/// As [`in_parallel`].
pub fn every_case(count: u64, work: impl Fn(u64) -> u64 + Sync) -> u64 {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    in_parallel(threads, count, |range| range.map(&work).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        for count in [0, 1, BATCH, 3 * BATCH + 7] {
            assert_eq!(
                every_case(count, |number| number),
                count * count.saturating_sub(1) / 2
            );
        }
    }
}
