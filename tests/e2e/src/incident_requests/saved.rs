//! What is saved of a batch in addition to Envoy's logs, so that its counts can be judged again.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::batch::BatchRun;
use super::generate::trial;
use super::trial::RequestTrial;
use crate::scripted::TrialPorts;

const FILE: &str = "batch.json";

/// Saves a batch next to its logs.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn save(logs: &Path, seed: u64, trials: &[RequestTrial], run: &BatchRun) -> Result<()> {
    let numbers = trials.iter().map(|trial| trial.number);
    let value = json!({
        "seed": seed,
        "trials": numbers.collect::<Vec<_>>(),
        "port": run.ports.hosts,
        "started": run.started.as_micros() as u64,
        "unanswered": run.unanswered,
    });
    let path = logs.join(FILE);
    fs::write(&path, value.to_string()).with_context(|| path.display().to_string())
}

/// The seed, the trials and the run of a saved batch.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn open(logs: &Path) -> Result<(u64, Vec<RequestTrial>, BatchRun)> {
    let path = logs.join(FILE);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let value: Value = serde_json::from_str(&text)?;
    let number = |of: &Value| of.as_u64().context("not a number");
    let numbers = |of: &Value| -> Result<Vec<u64>> {
        of.as_array().into_iter().flatten().map(number).collect()
    };
    let seed = number(&value["seed"])?;
    let trials = numbers(&value["trials"])?.into_iter();
    let unanswered = numbers(&value["unanswered"])?.into_iter();
    let run = BatchRun {
        ports: TrialPorts {
            service: 0,
            hosts: u16::try_from(number(&value["port"])?)?,
        },
        started: Duration::from_micros(number(&value["started"])?),
        unanswered: unanswered.map(|count| count as usize).collect(),
    };
    Ok((
        seed,
        trials.map(|number| trial(seed, number)).collect(),
        run,
    ))
}
