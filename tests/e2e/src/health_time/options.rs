//! The arguments of the program that does a run.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use lexopt::prelude::*;

use super::trial::HealthTrial;
use crate::workdir::target;

/// The settings of a run.
#[derive(Debug, Clone)]
pub struct HealthTimeOptions {
    /// The number of trials.
    pub trials: u64,
    /// The seed.
    pub seed: u64,
    /// The first trial, to repeat some.
    pub first: u64,
    /// When to stop, however many there are still to come.
    pub limit: Option<Duration>,
    /// The folder for trials with a wrong prediction.
    pub findings: PathBuf,
    /// The logs of a batch that is replayed, instead of running trials.
    pub replay: Option<PathBuf>,
    /// Another version of Envoy.
    pub envoy: Option<PathBuf>,
    /// Whether clusters have at most one health check, as before Envoy 1.40.
    pub one_check: bool,
    /// Whether the log of checks has no HTTP status, as before Envoy 1.39.
    pub no_statuses: bool,
    /// What the prediction takes for the settings.
    pub sabotage: Option<TrialSabotage>,
}

/// Changes what the prediction knows of a trial, so that it is known to be wrong: the check must find that.
pub type TrialSabotage = fn(&mut HealthTrial);

/// Reads the command line.
///
/// # Errors
/// What is not understood.
pub fn parse(mut parser: lexopt::Parser) -> Result<HealthTimeOptions> {
    let mut settings = HealthTimeOptions {
        trials: 200,
        seed: 1,
        first: 0,
        limit: None,
        findings: target().join("e2e/health-findings"),
        replay: None,
        envoy: None,
        one_check: false,
        no_statuses: false,
        sabotage: None,
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("trials") => settings.trials = parser.value()?.parse()?,
            Long("seed") => settings.seed = parser.value()?.parse()?,
            Long("first") => settings.first = parser.value()?.parse()?,
            Long("seconds") => {
                settings.limit = Some(Duration::from_secs(parser.value()?.parse()?));
            }
            Long("findings") => settings.findings = PathBuf::from(parser.value()?),
            Long("replay") => settings.replay = Some(PathBuf::from(parser.value()?)),
            Long("envoy") => settings.envoy = Some(PathBuf::from(parser.value()?)),
            Long("one-check") => settings.one_check = true,
            Long("no-statuses") => settings.no_statuses = true,
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(settings)
}
