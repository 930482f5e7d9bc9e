//! Many random worlds.

use spillgate_sim::world::{Rates, RunOutcome, random_scenario, run};
use spillgate_testkit::{amount, every_case, figure};

/// Worlds and the steps of each, in short and in full form.
const WORLDS: [(u64, u32); 2] = [(25_000, 200), (1_000_000, 1_000)];

fn outcome(seed: u64, steps: u32) -> RunOutcome {
    run(
        &random_scenario(seed, steps, Rates::EVERYTHING).unwrap(),
        seed,
    )
}

#[test]
fn every_rule_holds_in_every_world() {
    let [short, full] = WORLDS;
    let (worlds, steps) = amount(short, full);
    let events = every_case(worlds, |seed| {
        let outcome = outcome(seed, steps);
        assert_eq!(outcome.violations, [], "seed {seed}");
        outcome.events
    });
    assert!(events >= worlds * u64::from(steps) * 9 / 10);
    figure(format_args!(
        "{worlds} worlds, {events} events, 0 broken rules"
    ));
}

#[test]
fn a_seed_determines_the_run() {
    for seed in 0..50 {
        assert_eq!(outcome(seed, 200), outcome(seed, 200));
    }
    assert_ne!(outcome(1, 200), outcome(2, 200));
}
