//! Whether wrong predictions would be noticed: they judge the counts of a run of the right one, without Envoy and without a
//! clock.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::batch::CountedTrial;
use super::bootstrap::{HostSource, bootstrap};
use super::counts::RequestCounts;
use super::generate::trial;
use super::pauses::Pauses;
use super::predict::{PredictedRun, PredictedTrial, read_config};
use super::run::judged_trial;
use super::summary::RequestsSummary;
use super::trial::RequestTrial;
use crate::scripted::TrialPorts;

/// Changes what a prediction knows of a trial.
pub type RequestsSabotage = fn(&mut RequestTrial);

/// Nothing listens there.
const PORTS: TrialPorts = TrialPorts {
    service: 9_900,
    hosts: 9_902,
};
/// A seed that no prediction has.
const COUNTED: u64 = u64::MAX;

/// Judges the counts of right predictions by predictions that a sabotage changes.
///
/// # Errors
/// When a trial cannot be predicted.
pub fn imagined(seed: u64, trials: u64, sabotage: RequestsSabotage) -> Result<RequestsSummary> {
    let right: Vec<RequestTrial> = (0..trials).map(|number| trial(seed, number)).collect();
    let mut wrong = right.clone();
    wrong.iter_mut().for_each(sabotage);
    let counted = predicted(&right)?;
    let judging = predicted(&wrong)?;
    let mut summary = RequestsSummary::default();
    for (place, (trial, wrong)) in right.into_iter().zip(&wrong).enumerate() {
        let counted = counted.get(place).context("no prediction")?;
        let judging = judging.get(place).context("no prediction")?;
        let of = CountedTrial {
            trial,
            place,
            counts: counts(counted.run(COUNTED)),
            pauses: Pauses::default(),
        };
        summary.trials.push(judged_trial(&of, wrong, judging));
    }
    Ok(summary)
}

fn predicted(trials: &[RequestTrial]) -> Result<Vec<PredictedTrial>> {
    let source = (PORTS, HostSource::Config);
    let config = read_config(&bootstrap(trials, source, Path::new(""), "e2e", 9_901))?;
    let all = trials.iter().enumerate().map(|(place, trial)| {
        let script = trial.script(place, PORTS)?;
        PredictedTrial::new(&config, &trial.name(), &script)
    });
    all.collect()
}

fn counts(run: PredictedRun) -> RequestCounts {
    let totals = run.totals;
    RequestCounts {
        requests: totals.requests.round() as u64,
        failed: totals.failed.round() as u64,
        retried: totals.retried.round() as u64,
        sessions_moved: totals.moved.round() as u64,
    }
}
