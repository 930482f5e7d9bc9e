//! The engine's answers for a scenario, through its public pipeline only: the text of the
//! configuration, the text of the requests.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, anyhow, bail};
use serde_json::Value;
use spillgate_answers::pick::{Answerer, CountField, PickOutput, read_requests, routes_of};
use spillgate_config::envoy::{self, EnvoyConfig, Format, ReadOptions};
use spillgate_core::snapshot::Snapshot;

use super::scenario::DifferentialScenario;

/// Changes the configuration that the engine sees, so that it is known to be wrong: the harness
/// must find that.
pub type Sabotage = fn(&mut Value);

/// Predicts scenarios.
#[derive(Debug, Clone, Copy, Default)]
pub struct Predictor {
    /// What is done to every configuration first.
    pub sabotage: Option<Sabotage>,
}

impl Predictor {
    /// The configuration that the engine sees.
    #[must_use]
    pub fn configuration(&self, scenario: &DifferentialScenario) -> Value {
        let mut configuration = scenario.alone();
        if let Some(sabotage) = self.sabotage {
            sabotage(&mut configuration);
        }
        configuration
    }

    /// The answer to each row.
    ///
    /// # Errors
    /// When the configuration is refused or contains something that is not modeled.
    pub fn answers(&self, scenario: &DifferentialScenario) -> Result<Vec<PickOutput>> {
        let config = read(&self.configuration(scenario).to_string(), Format::Json)?;
        let list = read_requests(&scenario.rows(), "scenario.test", CountField::Accepted)
            .map_err(|faults| anyhow!("requests refused: {}", lines(&faults)))?;
        let (routes, _) = routes_of(&config, None).map_err(|fault| anyhow!("{fault}"))?;
        let snapshot = Snapshot::build(&config.model);
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let mut answerer = Answerer::new(&snapshot, routes).at(now.as_secs());
        let answers = list.rows.iter().map(|row| answerer.answer_row(row));
        Ok(answers.collect())
    }
}

/// A configuration with everything that it contains modeled.
///
/// # Errors
/// When it is refused or contains something that is not modeled.
pub(crate) fn read(text: &str, format: Format) -> Result<EnvoyConfig> {
    let options = ReadOptions {
        regex: Some(spillgate_config::re2::compile),
        for_grpc: false,
    };
    let config = envoy::read_with(text, format, &options)
        .map_err(|faults| anyhow!("refused: {}", lines(&faults)))?;
    let ignored = config.warnings.iter();
    let ignored: Vec<String> = ignored
        .filter(|warning| warning.code.ends_with("not-modeled"))
        .map(ToString::to_string)
        .collect();
    if !ignored.is_empty() {
        bail!("not modeled: {}", ignored.join("; "));
    }
    Ok(config)
}

fn lines(faults: &[spillgate_config::Diagnostic]) -> String {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    lines.join("; ")
}
