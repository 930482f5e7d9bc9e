//! The answer about health over time: `spillgate incident` for the clusters of the playground.
//!
//! The clusters are those of the playground, with all edits. The imported configuration has the settings of health
//! checks, outlier detection and retries; without it, there is an example check.

mod ask;
mod record;
mod settings;

use alloc::{format, string::String, vec::Vec};

use spillgate_codec::import::{IncidentFault, IncidentQuestion, IncidentReply};
use spillgate_incident::{IncidentPlan, IncidentReport, IncidentRun};

/// The most steps of a run: a few seconds in a browser.
const MOST_STEPS: f64 = 6e7;

/// The seed of the first run, as in `spillgate incident`.
const SEED: u64 = 1;

/// Simulates an incident. The text is the imported configuration or empty, the question an [`IncidentQuestion`], and the
/// answer an [`IncidentReply`], both as bytes; empty for other questions.
#[must_use]
pub fn incident_answer(text: &[u8], question: &[u8]) -> Vec<u8> {
    let Some(question) = IncidentQuestion::from_bytes(question) else {
        return Vec::new();
    };
    let reply = reply(text, &question).unwrap_or_else(|faults| IncidentReply {
        faults,
        record: None,
    });
    reply.to_bytes()
}

fn reply(text: &[u8], question: &IncidentQuestion) -> Result<IncidentReply, Vec<IncidentFault>> {
    let asked = ask::read(text, question)?;
    let (setup, script) = (&asked.setup, &asked.script);
    let (plan, missed) = IncidentPlan::new(script, setup.scene());
    if !missed.is_empty() {
        let missed = missed.iter();
        return Err(missed
            .map(|(event, fault)| ask::of_event(*event, fault))
            .collect());
    }
    let steps = plan.steps(setup);
    if steps > MOST_STEPS {
        return Err(Vec::from([other(format!(
            "too large a simulation for the playground ({:.0} million steps): fewer requests per second, a shorter time or fewer hosts; spillgate incident has no such limit",
            steps / 1e6
        ))]));
    }
    let seeds = (0..plan.default_runs(setup)).map(|run| SEED.wrapping_add(run as u64));
    let run = |seed| match seed {
        SEED => IncidentRun::with_hosts(setup, &plan, seed),
        _ => IncidentRun::new(setup, &plan, seed),
    };
    let runs: Vec<IncidentRun> = seeds.map(run).collect();
    let report = IncidentReport::new(setup, &plan, &runs);
    let seen = runs.first().map_or(&[][..], |run| &run.seen);
    Ok(IncidentReply {
        faults: Vec::new(),
        record: Some(record::record(&asked, &report, seen)),
    })
}

/// A fault of neither an event nor a setting.
fn other(message: String) -> IncidentFault {
    IncidentFault {
        message,
        ..IncidentFault::default()
    }
}
