//! Times two pieces of work alternately, so that other load on the machine affects both equally.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Medians over all rounds.
pub(crate) struct Pair {
    /// Our time divided by the other time, round by round.
    pub(crate) ratio: f64,
    /// Our time in nanoseconds.
    pub(crate) ours: f64,
    /// The other time in nanoseconds.
    pub(crate) other: f64,
}

/// Much longer than a step of the clock and much shorter than a time slice.
const BATCH: Duration = Duration::from_micros(150);
const BUDGET: Duration = Duration::from_millis(600);
const ROUNDS: std::ops::RangeInclusive<u32> = 11..=501;

/// Times both alternately.
pub(crate) fn pair<A, B>(mut ours: impl FnMut() -> A, mut other: impl FnMut() -> B) -> Pair {
    let (batch, first) = (batch(&mut ours), batch_time(&mut ours, 1));
    let (other_batch, second) = (self::batch(&mut other), batch_time(&mut other, 1));
    let round = (first.max(1.0) * f64::from(batch)) + (second.max(1.0) * f64::from(other_batch));
    let rounds = (BUDGET.as_nanos() as f64 / round) as u32;
    let rounds = rounds.clamp(*ROUNDS.start(), *ROUNDS.end());
    let (mut ratios, mut times, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let time = batch_time(&mut ours, batch);
        let other_time = batch_time(&mut other, other_batch);
        ratios.push(time / other_time);
        times.push(time);
        others.push(other_time);
    }
    Pair {
        ratio: median(ratios),
        ours: median(times),
        other: median(others),
    }
}

/// How many calls fill a batch.
fn batch<T>(work: &mut impl FnMut() -> T) -> u32 {
    let mut calls = 1;
    loop {
        let time = batch_time(work, calls) * f64::from(calls);
        if time >= BATCH.as_nanos() as f64 || calls >= 1 << 20 {
            return calls;
        }
        calls *= 2;
    }
}

/// Nanoseconds of one call, over a batch of them. What a single call returns is dropped after the
/// clock has stopped.
fn batch_time<T>(work: &mut impl FnMut() -> T, calls: u32) -> f64 {
    let start = Instant::now();
    for _ in 1..calls {
        black_box(&work());
    }
    let last = work();
    black_box(&last);
    let time = start.elapsed();
    drop(last);
    time.as_nanos() as f64 / f64::from(calls)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}
