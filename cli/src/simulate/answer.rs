//! The answer as data. The order of the fields is that of the JSON.

use std::{collections::BTreeMap, path::Path};

use serde::Serialize;
use spillgate_sim::world::{Check, Counts, Phase, Violation};

use super::runs::Ran;
use crate::input::name_of;

/// What came of all runs.
#[derive(Debug, Serialize)]
pub struct SimulationAnswer {
    /// The scenario's file.
    pub scenario: String,
    /// The seed of the first run.
    pub seed: u64,
    /// How many runs there were, up to the first one that broke a rule.
    pub runs: u64,
    /// How many things happened in the runs that are counted, requests included.
    pub events: u64,
    /// How long they took, in simulated milliseconds.
    pub took_ms: u64,
    /// What became of requests: of all runs, or of the one that broke a rule.
    pub phases: Vec<PhaseAnswer>,
    /// The rules that were looked at after every request.
    pub rules: Vec<&'static str>,
    /// The first rule that was broken.
    pub violation: Option<ViolationAnswer>,
}

/// What happened until the next scripted event.
#[derive(Debug, Default, Serialize)]
pub struct PhaseAnswer {
    /// What began it; empty for the beginning.
    pub name: String,
    /// When, in milliseconds.
    pub from_ms: u64,
    /// Requests of clients with their own token, or without one.
    pub requests: u64,
    /// Those whose session stayed on its host.
    pub kept: u64,
    /// Those whose session moved, by why.
    pub moved: BTreeMap<&'static str, u64>,
    /// Those that began a session.
    pub new: u64,
    /// Those without a host, by why.
    pub failed: BTreeMap<&'static str, u64>,
    /// Own tokens that were refused, by why; their requests began sessions anew.
    pub refused: BTreeMap<&'static str, u64>,
    /// Requests with tokens of others or of nobody, by what they brought.
    pub hostile: BTreeMap<&'static str, u64>,
}

/// A request that broke a rule.
#[derive(Debug, Serialize)]
pub struct ViolationAnswer {
    /// The seed of its run.
    pub seed: u64,
    /// The name of the rule.
    pub check: &'static str,
    /// The rule in words.
    pub rule: &'static str,
    /// Which event of the run it was, from 1.
    pub event: u64,
    /// When, in milliseconds.
    pub at_ms: u64,
    /// Whose request it was, from 1.
    pub client: usize,
    /// Who answered it, from 1.
    pub gateway: usize,
    /// What came out.
    pub found: String,
    /// What should have.
    pub expected: String,
    /// The command that shows it again.
    pub replay: String,
}

impl SimulationAnswer {
    pub(super) fn new(scenario: &Path, ran: &Ran) -> Self {
        let scenario = name_of(scenario);
        let broken = ran.broken.as_ref();
        let violation = broken.and_then(|(seed, outcome)| {
            let first = outcome.violations.first()?;
            Some(ViolationAnswer::new(&scenario, *seed, first))
        });
        Self {
            seed: ran.seed,
            runs: ran.runs,
            events: ran.events,
            took_ms: ran.took,
            phases: ran.phases.iter().map(PhaseAnswer::new).collect(),
            rules: Check::ALL.iter().map(|check| check.name()).collect(),
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

impl ViolationAnswer {
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
