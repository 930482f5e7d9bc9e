//! The scenario of each seed: a fixed one, or a random one.

use alloc::{borrow::Cow, boxed::Box};

use super::{Check, Rates, RunOutcome, WorldScenario, random_scenario, run};

/// Where the scenario of a seed comes from.
#[derive(Debug, Clone)]
pub enum Plan {
    /// The same scenario for every seed.
    Fixed(Box<WorldScenario>),
    /// A random scenario for every seed ([`random_scenario`]).
    Random {
        /// The number of steps of a run.
        steps: u32,
        /// The relative rates of the kinds of steps.
        rates: Rates,
    },
}

impl Plan {
    /// The scenario of a seed. `None` is unreachable: every seed has one.
    #[must_use]
    pub fn scenario(&self, seed: u64) -> Option<Cow<'_, WorldScenario>> {
        match self {
            Self::Fixed(scenario) => Some(Cow::Borrowed(scenario)),
            Self::Random { steps, rates } => random_scenario(seed, *steps, *rates).map(Cow::Owned),
        }
    }

    /// Why none of the runs from this seed on checks a rule, if so.
    #[must_use]
    pub fn not_checked(&self, check: Check, seed: u64, runs: u64) -> Option<&'static str> {
        let mut because = None;
        for turn in 0..runs {
            let scenario = self.scenario(seed.wrapping_add(turn));
            because = scenario.and_then(|of| check.not_checked(&of.sessions));
            because?;
        }
        because
    }

    /// Runs the scenario of a seed.
    #[must_use]
    pub fn run(&self, seed: u64) -> RunOutcome {
        let scenario = self.scenario(seed);
        scenario.map_or_else(RunOutcome::default, |scenario| run(&scenario, seed))
    }
}
