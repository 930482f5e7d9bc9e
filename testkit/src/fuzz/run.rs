//! Many cases in a row, the same for the same seed.

use std::time::{Duration, Instant};

use spillgate_core::draw::{Draw as _, SplitMix64};

use super::FuzzTarget;

/// The result of a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ran {
    /// The number of cases.
    pub cases: u64,
    /// The time of the longest.
    pub longest: Duration,
    /// Its number.
    pub slowest: u64,
    /// The time of all.
    pub took: Duration,
}

/// Bytes that make a case: mostly few, so that edits stay few and texts nearly legal.
#[must_use]
pub fn bytes_of(seed: u64, number: u64) -> Vec<u8> {
    let mut draw = SplitMix64::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let length = match draw.draw() % 8 {
        0..5 => 8 + draw.draw() % 12,
        5..7 => 8 + draw.draw() % 60,
        _ => 8 + draw.draw() % 500,
    };
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < length {
        bytes.extend_from_slice(&draw.draw().to_le_bytes());
    }
    // The first bytes choose the kind of case: an edited seed, mostly.
    if !draw.draw().is_multiple_of(16) {
        bytes[..4].copy_from_slice(&(draw.draw() as u32 & 0x3fff_ffff).to_le_bytes());
    }
    bytes
}

/// Runs the cases of a range; `before` sees the bytes of each before they are used.
pub fn run(
    target: &FuzzTarget,
    seed: u64,
    numbers: std::ops::Range<u64>,
    mut before: impl FnMut(&[u8]),
) -> Ran {
    let started = Instant::now();
    let mut ran = Ran::default();
    for number in numbers {
        let bytes = bytes_of(seed, number);
        before(&bytes);
        let case = Instant::now();
        target.run(&bytes);
        if case.elapsed() > ran.longest {
            (ran.longest, ran.slowest) = (case.elapsed(), number);
        }
        ran.cases += 1;
    }
    ran.took = started.elapsed();
    ran
}
