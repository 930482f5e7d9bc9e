//! The answer of the command `spillgate incident` itself, which the judged prediction must be.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::predict::PredictedTrial;
use super::trial::{RequestTrial, SCRIPT, SERVICE_TIME};
use crate::scripted::TrialPorts;
use crate::spillgate;

/// Runs with the seeds from 1 on.
const RUNS: u64 = 5;

/// The words of the command.
pub(super) fn words(
    trial: &RequestTrial,
    config: &Path,
    place: usize,
    ports: TrialPorts,
) -> Vec<String> {
    let mut words = vec!["incident".to_owned(), config.display().to_string()];
    let mut add = |name: &str, value: String| words.extend([format!("--{name}"), value]);
    add("cluster", trial.name());
    for (name, value) in trial.options(place, ports) {
        add(name, value);
    }
    add("rps", trial.rps.to_string());
    add("service-time", format!("{}ms", SERVICE_TIME.as_millis()));
    if trial.sessions > 0 {
        add("sessions", trial.sessions.to_string());
    }
    add("until", format!("{}ms", SCRIPT.as_millis()));
    words
}

/// Compares the command with the prediction.
///
/// # Errors
/// When they differ.
pub(super) fn agree(words: &[String], predicted: &PredictedTrial) -> Result<()> {
    let runs = RUNS.to_string();
    let options = ["--runs", &runs, "--seed", "1", "--format", "json"];
    let words = words.iter().map(String::as_str).chain(options);
    let done = spillgate(words)?;
    let answer: Value = serde_json::from_str(&done.output)?;
    let cluster = &answer["clusters"][0];
    let runs = predicted.runs(1..RUNS + 1);
    for (name, sum) in [
        (
            "failed",
            runs.iter().map(|run| run.totals.failed).sum::<f64>(),
        ),
        (
            "retried",
            runs.iter().map(|run| run.totals.retried).sum::<f64>(),
        ),
    ] {
        let mean = cluster[name]["mean"].as_f64().context("no mean")?;
        let own = sum / RUNS as f64;
        ensure!(
            (mean - own).abs() < 1e-6,
            "{name}: {mean} in the answer, {own} here"
        );
    }
    Ok(())
}
