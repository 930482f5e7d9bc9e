//! The report of a fleet, or why there is no report.

use spillgate_sim::fleet::{CaseReport, FleetReport, fleet_verdict};

use super::{
    FleetInput, FleetStage,
    text::{known, money},
};

/// The most hosts that are evaluated, over all classes of callers and all cases: more would stop the sliders.
const MOST_WORK: usize = 1_000_000;

/// The loads of a fleet.
#[derive(Debug)]
pub struct FleetOutcome {
    /// The report of `spillgate_sim`.
    pub report: FleetReport,
    /// Its sentence, as `spillgate fleet` prints it.
    pub verdict: String,
    /// Whether the capacity of hosts is known.
    pub has_capacity: bool,
    /// Whether the size of some requests is known.
    pub has_bytes: bool,
    /// Whether the cost of traffic is known.
    pub has_cost: bool,
    /// Whether zone-aware routing counts the callers; `None` if it cannot apply.
    pub counts_callers: Option<bool>,
}

/// Why there is no report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FleetRefusal {
    /// So many callers, hosts and zones take too long here.
    TooLarge,
    /// The engine refuses the clusters.
    NotValid,
}

/// Only the same outcome is equal: comparing all of it would take longer than drawing it.
impl PartialEq for FleetOutcome {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl FleetOutcome {
    /// Evaluates a fleet with all zones, and without each zone.
    ///
    /// # Errors
    /// If there is no report.
    pub fn new(stage: &FleetStage, input: &FleetInput) -> Result<Self, FleetRefusal> {
        if work(stage, input) > MOST_WORK {
            return Err(FleetRefusal::TooLarge);
        }
        let fleet = stage.fleet(input).ok_or(FleetRefusal::NotValid)?;
        let report = fleet.report(1).map_err(|_| FleetRefusal::NotValid)?;
        let has_bytes = fleet.classes.iter().any(|class| class.bytes.is_some());
        Ok(Self {
            verdict: fleet_verdict(&report),
            has_capacity: report.has_capacity(),
            has_bytes,
            has_cost: has_bytes && !fleet.prices.is_empty(),
            counts_callers: stage.has_zone_aware.then(|| stage.counts_callers(input)),
            report,
        })
    }

    /// The cases without a zone, with their indices in the report.
    pub fn losses(&self) -> impl Iterator<Item = (usize, &CaseReport)> {
        self.report.cases.iter().enumerate().skip(1)
    }

    /// The traffic between zones in GB per hour; `-` if it is not known.
    #[must_use]
    pub fn gb_text(&self, case: &CaseReport) -> String {
        known(case.crossing_gb())
    }

    /// Its cost per hour; `-` if it is not known.
    #[must_use]
    pub fn cost_text(&self, case: &CaseReport) -> String {
        money(case.cost())
    }
}

/// The hosts of all snapshots that a report needs.
fn work(stage: &FleetStage, input: &FleetInput) -> usize {
    let zones = stage.zones.len();
    let callers = if stage.counts_callers(input) {
        let counts = stage.zones.iter().map(|zone| input.zone(&zone.key).callers);
        counts.map(|count| count as usize).sum()
    } else {
        0
    };
    let each = stage.hosts.saturating_add(callers);
    each.saturating_mul(zones).saturating_mul(zones + 1)
}
