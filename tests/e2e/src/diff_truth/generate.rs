//! Random pairs from a seed.

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use spillgate_testkit::models::Dice;

use super::change::PairChange;
use super::foreign::foreign;
use super::options::{ReportSabotage, TruthSettings};
use super::pair::ConfigPair;
use crate::differential::generate::{scenario, surroundings};
use crate::differential::{DifferentialScenario, Features, Surroundings};

/// Requests that are made for a scenario.
const TRAFFIC: usize = 120;
/// Scenarios that are tried until one has something to change.
const ATTEMPTS: u64 = 400;
/// The percentage of pairs whose old side is a foreign bootstrap.
const FOREIGN: usize = 30;

/// What a comparison of configurations cannot predict, or has no figures for: the hosts of retries, reported
/// weights, addresses in requests, runtime keys that are not modeled everywhere.
const FEATURES: &str = "-retries,-original_dst,-client_side_weighted_round_robin,-hostname_hashing,\
     -route_authority,-strip_port,-refresh_cluster_on_retry,-client_address_extension,-runtime_zone_routing";
/// What changes requests before the choice of a host: figures are about requests with the criteria and the keys of
/// their route.
const CHANGING: &str = "-header_to_metadata,-header_to_metadata_rules,-set_metadata,-set_metadata_values,\
     -early_headers,-header_mutation,-headers_route_config,-headers_virtual_host";
/// Of so many processes, one has filters that change requests.
const PROCESSES: u64 = 3;

/// Makes pairs.
pub(super) struct Generator {
    seed: u64,
    features: Features,
    without_changes: Features,
    foreign: Vec<DifferentialScenario>,
    sabotage: Option<ReportSabotage>,
}

impl Generator {
    pub(super) fn new(settings: &TruthSettings) -> Result<Self> {
        Ok(Self {
            seed: settings.seed,
            sabotage: settings.sabotage,
            features: Features::parse(FEATURES)?,
            without_changes: Features::parse(&format!("{FEATURES},{CHANGING}"))?,
            foreign: foreign(TRAFFIC)?,
        })
    }

    /// The pairs of a process.
    ///
    /// # Errors
    /// When the comparison refuses a side, or nothing has what is to change.
    pub(super) fn batch(&self, process: u64, numbers: Range<u64>) -> Result<Vec<ConfigPair>> {
        let features = if process % PROCESSES == PROCESSES - 1 {
            &self.features
        } else {
            &self.without_changes
        };
        let around = Arc::new(surroundings(self.seed, process, features));
        let pairs = numbers.map(|number| {
            let pair = self.pair(number, features, &around);
            pair.with_context(|| format!("seed {}, pair {number}", self.seed))
        });
        pairs.collect()
    }

    fn pair(
        &self,
        number: u64,
        features: &Features,
        around: &Arc<Surroundings>,
    ) -> Result<ConfigPair> {
        let change = PairChange::ALL[number as usize % PairChange::ALL.len()];
        for attempt in 0..ATTEMPTS {
            let place = number * ATTEMPTS + attempt;
            let mut dice = Dice::of(self.seed ^ 0xd1ff, place);
            let old = if dice.chance(FOREIGN) {
                self.foreign(around, &mut dice)
            } else {
                scenario(self.seed, place, TRAFFIC, features, around)
            };
            let new = change.of(&old, &mut dice);
            // Some changes leave the message as it is: two equal routes, a table that reaches its limit.
            let is_order = [PairChange::TextOrder, PairChange::HostOrder].contains(&change);
            if let Some(new) = new.filter(|new| is_order || *new != old) {
                let mut pair = ConfigPair::new(number, change, old, new)?;
                if let Some(sabotage) = self.sabotage {
                    sabotage(&mut pair.report);
                }
                pair.ask(1, &mut dice);
                return Ok(pair);
            }
        }
        bail!("no scenario has a {} to change", change.name())
    }

    fn foreign(&self, around: &Arc<Surroundings>, dice: &mut Dice) -> DifferentialScenario {
        let mut scenario = dice.one(&self.foreign);
        scenario.features.extend(&around.features);
        scenario.surroundings = Arc::clone(around);
        scenario
    }
}
