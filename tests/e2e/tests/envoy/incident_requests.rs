//! Failed and retried requests of `spillgate incident` against the real Envoy, a short run, and whether such a run would
//! notice anything. A count is wrong if it has a probability of less than one in a million.

use anyhow::{Result, ensure};
use spillgate_e2e::incident_requests::{
    IncidentRequestsOptions, RequestTrial, RequestsSabotage, first_logs, replay, run,
};
use spillgate_e2e::{SIGNIFICANCE, Workdir, figure};

/// One batch: with checks, with outlier detection, with both, and with neither.
const TRIALS: u64 = 8;

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

/// The wrong predictions are judged by all trials of the first turn, also those in which the machine paused: their
/// pauses widen the bands, but nothing is left out.
#[test]
fn failed_and_retried_requests_are_predicted_and_wrong_predictions_noticed() -> Result<()> {
    let workdir = Workdir::new("incident_requests_short")?;
    let settings = IncidentRequestsOptions {
        trials: TRIALS,
        seed: 1,
        first: 0,
        findings: workdir.path().join("findings"),
        replay: None,
        verbose: false,
        sabotage: None,
    };
    let summary = run(&settings, &workdir)?;
    figure(&summary);
    ensure!(summary.below(SIGNIFICANCE) == 0, "{summary}");
    for (name, sabotage) in WRONG {
        let wrong = IncidentRequestsOptions {
            sabotage: Some(sabotage),
            ..settings.clone()
        };
        let summary = replay(&wrong, &first_logs(&wrong, &workdir))?;
        ensure!(summary.below(SIGNIFICANCE) > 0, "{name}: {summary}");
    }
    Ok(())
}
