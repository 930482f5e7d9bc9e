//! Failed and retried requests of `spillgate incident` against the real Envoy, a short run, and whether such a run would
//! notice anything. A count is wrong if it has a probability of less than one in a million.

use anyhow::{Result, ensure};
use spillgate_e2e::incident_requests::{
    IncidentRequestsOptions, RequestTrial, RequestsSabotage, imagined, run,
};
use spillgate_e2e::{SIGNIFICANCE, Workdir, figure};

/// One batch: with checks, with outlier detection, with both, and with neither.
const TRIALS: u64 = 8;
const SEED: u64 = 1;

/// Predictions that are known to be wrong.
const WRONG: [(&str, RequestsSabotage); 3] = [
    (
        "detection that never happens",
        |trial: &mut RequestTrial| {
            trial.check = None;
            trial.outlier = None;
        },
    ),
    (
        "two sessions instead of many",
        |trial: &mut RequestTrial| {
            trial.sessions = trial.sessions.min(2);
        },
    ),
    ("a retry less", |trial: &mut RequestTrial| {
        trial.retry.retries = trial.retry.retries.saturating_sub(1);
    }),
];

#[test]
fn failed_and_retried_requests_are_predicted() -> Result<()> {
    let workdir = Workdir::new("incident_requests_short")?;
    let settings = IncidentRequestsOptions {
        trials: TRIALS,
        seed: SEED,
        first: 0,
        findings: workdir.path().join("findings"),
        replay: None,
        verbose: false,
    };
    let summary = run(&settings, &workdir)?;
    figure(&summary);
    ensure!(!summary.trials.is_empty(), "no trial has a result");
    ensure!(summary.below(SIGNIFICANCE) == 0, "{summary}");
    Ok(())
}

#[test]
fn wrong_predictions_are_noticed_and_right_ones_are_not() -> Result<()> {
    let right = imagined(SEED, TRIALS, |_| {})?;
    ensure!(right.below(SIGNIFICANCE) == 0, "{right}");
    for (name, sabotage) in WRONG {
        let wrong = imagined(SEED, TRIALS, sabotage)?;
        ensure!(wrong.below(SIGNIFICANCE) > 0, "{name}: {wrong}");
    }
    Ok(())
}
