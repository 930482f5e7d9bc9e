//! The arguments of the program that does a run.

use std::path::PathBuf;

use anyhow::Result;
use lexopt::prelude::*;

use crate::workdir::target;

/// The settings of a run.
#[derive(Debug, Clone)]
pub struct IncidentRequestsOptions {
    /// The number of trials.
    pub trials: u64,
    /// The seed.
    pub seed: u64,
    /// The first trial, to repeat some.
    pub first: u64,
    /// The folder for trials whose counts are far from the prediction.
    pub findings: PathBuf,
    /// The logs of a batch that is judged again, instead of running trials.
    pub replay: Option<PathBuf>,
    /// Whether each trial is printed.
    pub verbose: bool,
}

/// Reads the command line.
///
/// # Errors
/// What is not understood.
pub fn parse(mut parser: lexopt::Parser) -> Result<IncidentRequestsOptions> {
    let mut settings = IncidentRequestsOptions {
        trials: 200,
        seed: 1,
        first: 0,
        findings: target().join("e2e/incident-findings"),
        replay: None,
        verbose: false,
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("trials") => settings.trials = parser.value()?.parse()?,
            Long("seed") => settings.seed = parser.value()?.parse()?,
            Long("first") => settings.first = parser.value()?.parse()?,
            Long("findings") => settings.findings = PathBuf::from(parser.value()?),
            Long("replay") => settings.replay = Some(PathBuf::from(parser.value()?)),
            Long("verbose") => settings.verbose = true,
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(settings)
}
