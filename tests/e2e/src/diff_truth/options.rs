//! The arguments of the program that does a run.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use lexopt::prelude::*;
use spillgate_diff::DiffReport;

use crate::workdir::target;

/// The settings of a run.
#[derive(Debug, Clone)]
pub struct TruthSettings {
    /// The number of pairs.
    pub pairs: u64,
    /// The seed.
    pub seed: u64,
    /// When to stop, however many there are still to come.
    pub limit: Option<Duration>,
    /// The folder for pairs with a wrong verdict.
    pub findings: PathBuf,
    /// What is done to every report first.
    pub sabotage: Option<ReportSabotage>,
}

/// Changes what the comparison says, so that it is known to be wrong: the check must find that.
pub type ReportSabotage = fn(&mut DiffReport);

/// Reads the command line.
///
/// # Errors
/// What is not understood.
pub fn parse(mut parser: lexopt::Parser) -> Result<TruthSettings> {
    let mut settings = TruthSettings {
        pairs: 500,
        seed: 1,
        limit: None,
        findings: target().join("e2e/diff-findings"),
        sabotage: None,
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("pairs") => settings.pairs = parser.value()?.parse()?,
            Long("seed") => settings.seed = parser.value()?.parse()?,
            Long("seconds") => {
                settings.limit = Some(Duration::from_secs(parser.value()?.parse()?));
            }
            Long("findings") => settings.findings = PathBuf::from(parser.value()?),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(settings)
}
