//! What is run with many seeds: one scenario, or one that each seed draws.

use alloc::{borrow::Cow, boxed::Box};

use super::{Rates, RunOutcome, WorldScenario, drawn, run};

/// Where the scenario of a seed comes from.
#[derive(Debug, Clone)]
pub enum Plan {
    /// The same for every seed.
    Fixed(Box<WorldScenario>),
    /// Another one for every seed ([`drawn`]).
    Drawn {
        /// How many steps a run has.
        steps: u32,
        /// What a step may be.
        rates: Rates,
    },
}

impl Plan {
    /// The scenario of a seed; `None` where the seed draws none, which does not happen.
    #[must_use]
    pub fn scenario(&self, seed: u64) -> Option<Cow<'_, WorldScenario>> {
        match self {
            Self::Fixed(scenario) => Some(Cow::Borrowed(scenario)),
            Self::Drawn { steps, rates } => drawn(seed, *steps, *rates).map(Cow::Owned),
        }
    }

    /// Runs the scenario of a seed.
    #[must_use]
    pub fn run(&self, seed: u64) -> RunOutcome {
        let scenario = self.scenario(seed);
        scenario.map_or_else(RunOutcome::default, |scenario| run(&scenario, seed))
    }
}
