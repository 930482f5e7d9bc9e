//! A whole run: batches of trials, and what is outside of the predictions.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result};

use super::batch::{CountedTrial, counted, run_batch};
use super::bootstrap::{HostSource, bootstrap};
use super::command::{agree, words};
use super::generate::trial;
use super::judge::{Figure, JudgedFigure};
use super::options::IncidentRequestsOptions;
use super::predict::{PredictedTrial, read_config};
use super::saved::{open, save};
use super::summary::{JudgedTrial, RequestsSummary};
use super::trial::RequestTrial;
use crate::Workdir;
use crate::scripted::TrialPorts;

/// Trials of one Envoy process.
const BATCH: u64 = 8;
/// How often trials are repeated in which the machine paused.
const AGAIN: usize = 4;
/// The runs of each prediction.
const RUNS: u64 = 300;
/// The runs of one that is far from its count: rare runs decide.
const MORE_RUNS: u64 = 10_000;
/// What is far.
const FAR: f64 = 0.01;

/// Runs all of it. Progress goes to the standard error.
///
/// # Errors
/// When Envoy refuses a configuration, a log cannot be read, or the command predicts something else.
pub fn run(settings: &IncidentRequestsOptions, workdir: &Workdir) -> Result<RequestsSummary> {
    let started = Instant::now();
    let mut summary = RequestsSummary::default();
    let end = settings.first + settings.trials;
    for first in (settings.first..end).step_by(BATCH as usize) {
        let mut numbers: Vec<u64> = (first..(first + BATCH).min(end)).collect();
        for turn in 0..=AGAIN {
            let trials: Vec<_> = numbers.iter().map(|of| trial(settings.seed, *of)).collect();
            let logs = logs_of(workdir, first, turn);
            let run = run_batch(workdir, &logs, &trials, settings.seed)
                .with_context(|| format!("the trials from {first} on"))?;
            save(&logs, settings.seed, &trials, &run)?;
            let all = counted(&logs, &trials, &run)?;
            let is_last = turn == AGAIN;
            let (calm, paused): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|of| of.pauses.are_short());
            summary.paused += if is_last { paused.len() } else { 0 };
            numbers = paused.iter().map(|of| of.trial.number).collect();
            judge(settings, &mut summary, &calm, (&logs, &trials, run.ports))?;
            if numbers.is_empty() {
                break;
            }
        }
        eprintln!(
            "{:6.1} s: {} of {} trials",
            started.elapsed().as_secs_f64(),
            summary.trials.len(),
            settings.trials,
        );
    }
    summary.took = started.elapsed();
    Ok(summary)
}

/// The saved logs of a turn of a batch.
fn logs_of(workdir: &Workdir, first: u64, turn: usize) -> PathBuf {
    workdir.path().join(format!("logs-{first}-{turn}"))
}

/// Judges a saved batch again.
///
/// # Errors
/// As [`run`].
pub fn replay(settings: &IncidentRequestsOptions, logs: &Path) -> Result<RequestsSummary> {
    let started = Instant::now();
    let mut summary = RequestsSummary::default();
    let (seed, trials, run) = open(logs)?;
    let all = counted(logs, &trials, &run)?;
    let settings = IncidentRequestsOptions {
        seed,
        ..settings.clone()
    };
    judge(&settings, &mut summary, &all, (logs, &trials, run.ports))?;
    summary.took = started.elapsed();
    Ok(summary)
}

/// Judges trials of a batch.
fn judge(
    settings: &IncidentRequestsOptions,
    summary: &mut RequestsSummary,
    all: &[CountedTrial],
    (logs, trials, ports): (&Path, &[RequestTrial], TrialPorts),
) -> Result<()> {
    let text = bootstrap(trials, (ports, HostSource::Config), logs, "e2e", 9_901);
    let path = logs.join("predicted.json");
    fs::write(&path, &text).with_context(|| path.display().to_string())?;
    let config = read_config(&text)?;
    for of in all {
        let trial = trials.get(of.place).context("no trial")?;
        let script = trial.script(of.place, ports)?;
        let predicted = PredictedTrial::new(&config, &trial.name(), &script)?;
        let words = words(trial, &path, of.place, ports);
        agree(&words, &predicted).with_context(|| words.join(" "))?;
        let judged = judged_trial(of, trial, &predicted);
        if settings.verbose {
            println!("{judged}\n  {trial:?}\n  {:?}", predicted.doubts);
        }
        if judged.is_far() {
            let folder = record(&judged, of, logs, &words, &settings.findings)?;
            eprintln!("{judged}\n  {}", folder.display());
        }
        summary.trials.push(judged);
    }
    Ok(())
}

/// Judges the counts of a trial by a prediction, which can be that of another trial.
pub(super) fn judged_trial(
    of: &CountedTrial,
    trial: &RequestTrial,
    predicted: &PredictedTrial,
) -> JudgedTrial {
    JudgedTrial {
        number: trial.number,
        requests: of.counts.requests,
        pauses: of.pauses,
        figures: figures(of, trial, predicted),
    }
}

fn figures(
    of: &CountedTrial,
    trial: &RequestTrial,
    predicted: &PredictedTrial,
) -> Vec<JudgedFigure> {
    let judged = |seeds| {
        let runs = predicted.runs(0..seeds);
        let changes = runs.iter().map(|run| run.changes as f64).sum::<f64>();
        let moved = of
            .pauses
            .moved(trial.rps, changes / runs.len().max(1) as f64);
        // Of what was counted, not of what is predicted.
        let retries = trial.retry.retries.max(of.trial.retry.retries);
        let with_sessions = (trial.sessions > 0).then_some(Figure::SessionsMoved);
        let figures = [Figure::Failed, Figure::Retried(retries)].into_iter();
        let judged = figures
            .chain(with_sessions)
            .map(|figure| JudgedFigure::new(figure, &of.counts, &runs, moved));
        judged.collect::<Vec<_>>()
    };
    let first = judged(RUNS);
    if first.iter().any(|figure| figure.p < FAR) {
        judged(MORE_RUNS)
    } else {
        first
    }
}

/// Copies what belongs to a trial whose count is far from its prediction.
fn record(
    judged: &JudgedTrial,
    of: &CountedTrial,
    logs: &Path,
    words: &[String],
    findings: &Path,
) -> Result<PathBuf> {
    let folder = findings.join(format!("requests-{}", judged.number));
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let text = format!("{judged}\nspillgate {}\n{:#?}\n", words.join(" "), of.trial);
    fs::write(folder.join("trial.txt"), text)?;
    for file in fs::read_dir(logs)? {
        let file = file?;
        fs::copy(file.path(), folder.join(file.file_name()))?;
    }
    Ok(folder)
}
