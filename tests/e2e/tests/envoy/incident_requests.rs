//! Failed and retried requests of `spillgate incident` against the real Envoy, a short run, and whether such a run would
//! notice anything. A count is wrong if it has a probability of less than one in a million.

use anyhow::{Result, ensure};
use spillgate_e2e::incident_requests::{
    IncidentRequestsOptions, RequestTrial, RequestsSabotage, run,
};
use spillgate_e2e::{SIGNIFICANCE, Workdir, figure};

/// One batch: with checks, with outlier detection, with both, and with neither.
const TRIALS: u64 = 8;

fn settings(workdir: &Workdir, sabotage: Option<RequestsSabotage>) -> IncidentRequestsOptions {
    IncidentRequestsOptions {
        trials: TRIALS,
        seed: 1,
        first: 0,
        findings: workdir.path().join("findings"),
        replay: None,
        verbose: false,
        sabotage,
    }
}

#[test]
fn failed_and_retried_requests_are_predicted() -> Result<()> {
    let workdir = Workdir::new("incident_requests_short")?;
    let summary = run(&settings(&workdir, None), &workdir)?;
    figure(&summary);
    ensure!(summary.below(SIGNIFICANCE) == 0, "{summary}");
    Ok(())
}

#[test]
fn detection_that_never_happens_is_noticed() -> Result<()> {
    noticed("incident_requests_detection", |trial| {
        trial.check = None;
        trial.outlier = None;
    })
}

#[test]
fn fewer_retries_are_noticed() -> Result<()> {
    noticed("incident_requests_retries", |trial| {
        trial.retry.retries = trial.retry.retries.saturating_sub(1);
    })
}

fn noticed(name: &str, sabotage: fn(&mut RequestTrial)) -> Result<()> {
    let workdir = Workdir::new(name)?;
    let summary = run(&settings(&workdir, Some(sabotage)), &workdir)?;
    // Without a result, nothing shows whether it would be noticed.
    let nothing = summary.trials.is_empty();
    ensure!(nothing || summary.below(SIGNIFICANCE) > 0, "{summary}");
    Ok(())
}
