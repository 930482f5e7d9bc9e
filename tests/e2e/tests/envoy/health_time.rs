//! Health checks and outlier detection over time against the real Envoy, a short run, and whether such a run would
//! notice anything. Times are only printed: they depend on the load of the machine.

use anyhow::{Result, ensure};
use spillgate_e2e::health_time::{HealthTimeOptions, HealthTrial, TrialSabotage, run};
use spillgate_e2e::{Need, Workdir, figure, needed};

/// With checks, with outlier detection, and with both.
const TRIALS: u64 = 6;

fn settings(workdir: &Workdir) -> HealthTimeOptions {
    HealthTimeOptions {
        trials: TRIALS,
        seed: 1,
        first: 0,
        limit: None,
        findings: workdir.path().join("findings"),
        replay: None,
        envoy: None,
        one_check: false,
        no_statuses: false,
        sabotage: None,
    }
}

#[test]
fn every_ejection_and_every_return_is_predicted() -> Result<()> {
    let workdir = Workdir::new("health_time")?;
    let summary = run(&settings(&workdir), &workdir)?;
    figure(&summary);
    ensure!(summary.is_right(), "{summary}");
    ensure!(summary.has_compared(), "nothing was compared: {summary}");
    Ok(())
}

#[test]
fn the_version_before_follows_the_same_rules() -> Result<()> {
    let workdir = Workdir::new("health_time_previous")?;
    let settings = HealthTimeOptions {
        envoy: Some(needed(Need::PreviousEnvoy)?),
        one_check: true,
        ..settings(&workdir)
    };
    let summary = run(&settings, &workdir)?;
    figure(&summary);
    ensure!(summary.is_right(), "{summary}");
    ensure!(summary.has_compared(), "nothing was compared: {summary}");
    Ok(())
}

#[test]
fn other_thresholds_are_noticed() -> Result<()> {
    noticed("health_time_thresholds", |trial: &mut HealthTrial| {
        for check in &mut trial.checks {
            check.healthy_threshold += 1;
            check.unhealthy_threshold += 1;
        }
        if let Some(outlier) = &mut trial.outlier {
            outlier.consecutive_5xx += 1;
            outlier.consecutive_gateway_failure += 1;
        }
    })
}

#[test]
fn other_ejection_times_are_noticed() -> Result<()> {
    noticed("health_time_ejections", |trial: &mut HealthTrial| {
        if let Some(outlier) = &mut trial.outlier {
            outlier.base_ejection_time += 2 * outlier.interval;
        }
    })
}

fn noticed(name: &str, sabotage: TrialSabotage) -> Result<()> {
    let workdir = Workdir::new(name)?;
    let mut settings = settings(&workdir);
    settings.sabotage = Some(sabotage);
    let summary = run(&settings, &workdir)?;
    ensure!(!summary.wrong.is_empty(), "{summary}");
    Ok(())
}
