//! The result of `simulate` as data. The fields have the order of the JSON keys
//! (docs/schemas/simulate.schema.json).

use std::{collections::BTreeMap, path::Path};

use serde::Serialize;
use spillgate_answers::input::name_of;
use spillgate_sim::world::{Check, Counts, Phase, Plan, Violation};

use super::runs::Ran;

/// The result of all runs.
#[derive(Debug, Serialize)]
pub struct SimulationReport {
    /// The scenario's file.
    pub scenario: String,
    /// The seed of the first run.
    pub seed: u64,
    /// The number of runs, up to the first one that broke a rule.
    pub runs: u64,
    /// The number of events in the counted runs, including requests.
    pub events: u64,
    /// The simulated time, in milliseconds.
    pub took_ms: u64,
    /// The requests of all runs, or of the one that broke a rule.
    pub phases: Vec<PhaseAnswer>,
    /// The rules that were checked after every request.
    pub rules: Vec<&'static str>,
    /// The rules that were not checked.
    pub not_checked: Vec<UncheckedRule>,
    /// The first broken rule.
    pub violation: Option<RuleViolation>,
}

/// A rule that cannot be checked with the scenario's settings.
#[derive(Debug, Serialize)]
pub struct UncheckedRule {
    /// The id of the rule.
    pub check: &'static str,
    /// The reason.
    pub because: &'static str,
}

/// The requests until the next scripted event.
#[derive(Debug, Default, Serialize)]
pub struct PhaseAnswer {
    /// The event that started the phase; empty for the first phase.
    pub name: String,
    /// The simulated time, in milliseconds.
    pub from_ms: u64,
    /// Requests of clients with their own token, or without one.
    pub requests: u64,
    /// Requests whose session stayed on its host.
    pub kept: u64,
    /// Requests whose session moved, by reason.
    pub moved: BTreeMap<&'static str, u64>,
    /// Requests that started a session.
    pub new: u64,
    /// Requests without a host, by reason.
    pub failed: BTreeMap<&'static str, u64>,
    /// Refused tokens of the client itself, by reason; these requests started new sessions.
    pub refused: BTreeMap<&'static str, u64>,
    /// Requests with foreign or forged tokens, by kind of token.
    pub hostile: BTreeMap<&'static str, u64>,
}

/// A request that broke a rule.
#[derive(Debug, Serialize)]
pub struct RuleViolation {
    /// The seed of its run.
    pub seed: u64,
    /// The id of the rule.
    pub check: &'static str,
    /// The text of the rule.
    pub rule: &'static str,
    /// The number of the event in the run, from 1.
    pub event: u64,
    /// The simulated time, in milliseconds.
    pub at_ms: u64,
    /// The number of the client, from 1.
    pub client: usize,
    /// The number of the gateway, from 1.
    pub gateway: usize,
    /// The found value.
    pub found: String,
    /// The expected value.
    pub expected: String,
    /// The command that replays the run.
    pub replay: String,
}

impl SimulationReport {
    pub(super) fn new(scenario: &Path, plan: &Plan, ran: &Ran) -> Self {
        let scenario = name_of(scenario);
        let broken = ran.broken.as_ref();
        let violation = broken.and_then(|(seed, outcome)| {
            let first = outcome.violations.first()?;
            Some(RuleViolation::new(&scenario, *seed, first))
        });
        let (mut rules, mut not_checked) = (Vec::new(), Vec::new());
        for check in Check::ALL {
            let because = plan.not_checked(check, ran.seed, ran.runs);
            let check = check.name();
            match because {
                None => rules.push(check),
                Some(because) => not_checked.push(UncheckedRule { check, because }),
            }
        }
        Self {
            seed: ran.seed,
            runs: ran.runs,
            events: ran.events,
            took_ms: ran.took,
            phases: ran.phases.iter().map(PhaseAnswer::new).collect(),
            rules,
            not_checked,
            violation,
            scenario,
        }
    }
}

impl PhaseAnswer {
    fn new(phase: &Phase) -> Self {
        let counts = |counts: &Counts| counts.iter().collect();
        Self {
            name: phase.name.clone(),
            from_ms: phase.from,
            requests: phase.requests,
            kept: phase.kept,
            moved: counts(&phase.moved),
            new: phase.new,
            failed: counts(&phase.failed),
            refused: counts(&phase.refused),
            hostile: counts(&phase.hostile),
        }
    }
}

impl RuleViolation {
    fn new(scenario: &str, seed: u64, violation: &Violation) -> Self {
        Self {
            seed,
            check: violation.check.name(),
            rule: violation.check.rule(),
            event: violation.event,
            at_ms: violation.at,
            client: violation.client + 1,
            gateway: violation.gateway + 1,
            found: violation.found.clone(),
            expected: violation.expected.clone(),
            replay: format!("spillgate simulate {scenario} --seed {seed} --log"),
        }
    }
}
