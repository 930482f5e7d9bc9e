//! Scenario folders: what `spillgate conformance` runs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::json;

use super::attempts::ByAttempt;
use super::batch::Batch;
use super::failure::ScenarioFailure;
use super::observations::Observations;
use super::scenario::DifferentialScenario;
use super::settings::DifferentialSettings;
use crate::Workdir;

/// Asks Envoy once more and writes configuration, requests and observed answers into a folder of
/// their own below `settings.findings`.
///
/// # Errors
/// When Envoy does not answer or the folder cannot be written.
pub fn record(
    failure: &ScenarioFailure,
    settings: &DifferentialSettings,
    workdir: &Workdir,
) -> Result<PathBuf> {
    let scenario = &failure.scenario;
    let name = format!("differential-{}-{}", settings.seed, scenario.number);
    let batch = Batch::start(workdir, vec![scenario])?;
    let mut observations = batch.ask()?.into_iter().next().unwrap_or_default();
    let mut rows = scenario.rows();
    if scenario.retries() {
        let by_attempt = ByAttempt::new(scenario, &observations);
        rows = by_attempt.scenario.rows();
        observations = by_attempt.observations;
    }
    let folder = settings.findings.join(&name);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let write = |file: &str, text: String| {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    let configuration = settings.predictor.configuration(scenario);
    // JSON is YAML.
    write(
        "envoy.yaml",
        serde_json::to_string_pretty(&configuration)? + "\n",
    )?;
    write("requests.jsonl", rows)?;
    write("observed.jsonl", observed(&observations))?;
    let meta = json!({
        "name": name,
        "family": "differential",
        "kind": "differential",
        "envoy": "1.40.0",
        "note": "status 200 means that a host was chosen; nothing listened there",
        "seed": settings.seed,
        "scenario": scenario.number,
        "features": scenario.features,
        "requests": scenario.total(),
        "difference": failure.what,
    });
    write("meta.json", serde_json::to_string_pretty(&meta)? + "\n")?;
    Ok(folder)
}

/// Writes what Envoy did not survive: configuration and requests.
///
/// # Errors
/// When the folder cannot be written.
pub(super) fn record_unanswered(
    scenario: &DifferentialScenario,
    settings: &DifferentialSettings,
) -> Result<PathBuf> {
    let name = format!("ends-envoy-{}-{}", settings.seed, scenario.number);
    let folder = settings.findings.join(name);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let configuration = serde_json::to_string_pretty(&scenario.alone())?;
    fs::write(folder.join("envoy.json"), configuration + "\n")?;
    fs::write(folder.join("rows.jsonl"), scenario.rows())?;
    Ok(folder)
}

/// Equal observations of a row are one line with their count.
fn observed(observations: &Observations) -> String {
    let mut text = String::new();
    for (i, row) in observations.iter().enumerate() {
        let mut counts: BTreeMap<_, usize> = BTreeMap::new();
        for seen in row {
            let key = (&seen.endpoint, seen.status, &seen.flags, &seen.details);
            *counts.entry(key).or_default() += 1;
        }
        for ((endpoint, status, flags, details), count) in counts {
            let mut line = json!({
                "i": i, "status": status, "endpoint": endpoint, "flags": flags, "details": details,
            });
            if count > 1 {
                line["count"] = count.into();
            }
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{line}");
        }
    }
    text
}
