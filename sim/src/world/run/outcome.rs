//! A whole run.

use alloc::vec::Vec;

use super::World;
use crate::world::{Behavior, Millis, Phase, SteerGateway, Violation, WorldScenario};

/// What came of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunOutcome {
    /// The simulated time that it took.
    pub took: Millis,
    /// How many things happened, requests included.
    pub events: u64,
    /// What became of requests: before the first scripted event, then after each.
    pub phases: Vec<Phase>,
    /// What the checks found wrong with the request that ended the run; empty where all held to
    /// the end.
    pub violations: Vec<Violation>,
}

/// Runs a scenario with the engine. The same scenario and seed make the same outcome.
#[must_use]
pub fn run(scenario: &WorldScenario, seed: u64) -> RunOutcome {
    run_with(scenario, &SteerGateway, seed)
}

/// Runs a scenario with another behavior.
#[must_use]
pub fn run_with(scenario: &WorldScenario, behavior: &impl Behavior, seed: u64) -> RunOutcome {
    let Some(mut world) = World::new(scenario, behavior, seed) else {
        return RunOutcome::default();
    };
    while world.step() {}
    world.outcome()
}
