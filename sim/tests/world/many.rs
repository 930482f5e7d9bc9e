//! Many random worlds.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use spillgate_sim::world::{Rates, RunOutcome, random_scenario, run};

/// The number of worlds; `SPILLGATE_WORLDS` sets another number.
fn worlds() -> u64 {
    let count = std::env::var("SPILLGATE_WORLDS").ok();
    count.map_or(100_000, |count| count.parse().unwrap())
}

const STEPS: u32 = 200;

fn outcome(seed: u64) -> RunOutcome {
    run(
        &random_scenario(seed, STEPS, Rates::EVERYTHING).unwrap(),
        seed,
    )
}

#[test]
fn every_rule_holds_in_every_world() {
    let (next, events) = (AtomicU64::new(0), AtomicU64::new(0));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= worlds() {
                        break;
                    }
                    let outcome = outcome(seed);
                    assert_eq!(outcome.violations, [], "seed {seed}");
                    events.fetch_add(outcome.events, Ordering::Relaxed);
                }
            });
        }
    });
    assert!(events.into_inner() >= worlds() * u64::from(STEPS) * 9 / 10);
}

#[test]
fn a_seed_determines_the_run() {
    for seed in 0..50 {
        assert_eq!(outcome(seed), outcome(seed));
    }
    assert_ne!(outcome(1), outcome(2));
}
