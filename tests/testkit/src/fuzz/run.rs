//! Many inputs in a row, the same for the same seed.

use std::time::{Duration, Instant};

use super::{FuzzTarget, generated};

/// The result of a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ran {
    /// The number of inputs.
    pub inputs: u64,
    /// The time of the slowest input.
    pub longest: Duration,
    /// The number of the slowest input.
    pub slowest: u64,
    /// The time of all inputs.
    pub took: Duration,
}

/// Runs the inputs of a range of numbers. `before` sees each input before the target reads it.
///
/// # Panics
/// If the target rejects the result of an input.
pub fn run(
    target: &FuzzTarget,
    seed: u64,
    numbers: std::ops::Range<u64>,
    mut before: impl FnMut(&[u8]),
) -> Ran {
    let seeds = (target.seeds)();
    let started = Instant::now();
    let mut ran = Ran::default();
    for number in numbers {
        let input = generated(target.kind, &seeds, seed, number);
        before(&input);
        let begun = Instant::now();
        target.run(&input);
        if begun.elapsed() > ran.longest {
            (ran.longest, ran.slowest) = (begun.elapsed(), number);
        }
        ran.inputs += 1;
    }
    ran.took = started.elapsed();
    ran
}
