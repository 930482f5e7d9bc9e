//! Complete runs.

use alloc::vec::Vec;

use super::World;
use crate::world::{GatewayBehavior, Millis, Phase, SteerGateway, Violation, WorldScenario};

/// The outcome of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunOutcome {
    /// The simulated duration.
    pub took: Millis,
    /// The number of events, including requests.
    pub events: u64,
    /// The outcomes of requests: before the first scripted event, then after each.
    pub phases: Vec<Phase>,
    /// The rules that the last request broke; empty if all rules held to the end.
    pub violations: Vec<Violation>,
}

/// Runs a scenario. The same scenario and seed give the same outcome.
#[must_use]
pub fn run(scenario: &WorldScenario, seed: u64) -> RunOutcome {
    run_with(scenario, &SteerGateway, seed)
}

/// Runs a scenario with gateways that deviate from the filter.
#[must_use]
pub fn run_with(
    scenario: &WorldScenario,
    behavior: &impl GatewayBehavior,
    seed: u64,
) -> RunOutcome {
    let Some(mut world) = World::new(scenario, behavior, seed) else {
        return RunOutcome::default();
    };
    while world.step() {}
    world.outcome()
}
