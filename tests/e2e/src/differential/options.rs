//! The arguments of the program that does a run.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use lexopt::prelude::*;

use super::features::Features;
use super::predict::Predictor;
use super::settings::DifferentialSettings;
use crate::workdir::target;

/// What the program is to do.
#[derive(Debug, Clone)]
pub enum DifferentialCommand {
    /// Run.
    Run(Box<DifferentialSettings>),
    /// Name the features.
    Features,
}

/// Reads the command line.
///
/// # Errors
/// What is not understood.
pub fn parse(mut parser: lexopt::Parser) -> Result<DifferentialCommand> {
    let mut settings = DifferentialSettings {
        scenarios: 1_000,
        requests: 0,
        seed: fresh_seed()?,
        features: Features::default(),
        limit: None,
        findings: target().join("e2e/differential-findings"),
        shrunk: 10,
        predictor: Predictor::default(),
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("scenarios") => settings.scenarios = parser.value()?.parse()?,
            Long("requests") => settings.requests = parser.value()?.parse()?,
            Long("seed") => settings.seed = parser.value()?.parse()?,
            Long("features") => settings.features = Features::parse(&parser.value()?.string()?)?,
            Long("seconds") => {
                settings.limit = Some(Duration::from_secs(parser.value()?.parse()?));
            }
            Long("findings") => settings.findings = PathBuf::from(parser.value()?),
            Long("shrink") => settings.shrunk = parser.value()?.parse()?,
            Long("list-features") => return Ok(DifferentialCommand::Features),
            other => return Err(other.unexpected().into()),
        }
    }
    if settings.requests == 0 {
        settings.requests = settings.scenarios.saturating_mul(200);
    }
    Ok(DifferentialCommand::Run(Box::new(settings)))
}

/// A seed that no earlier run had.
///
/// # Errors
/// When the clock is before 1970.
pub(super) fn fresh_seed() -> Result<u64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    // Short enough to be typed again.
    Ok(now.as_millis() as u64 % 1_000_000_000)
}
