//! A whole run: batches of trials, wrong predictions, and the summary.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::batch::run_batch;
use super::control::{control, deviations};
use super::generate::trials;
use super::lateness::{Lateness, LatenessBound};
use super::options::HealthTimeOptions;
use super::record::record;
use super::replay_checks::{ReplayedChecks, replay_checks};
use super::replay_outliers::{ReplayedOutliers, replay_outliers};
use super::saved_batch::{complete, open};
use super::trial_record::TrialRecord;
use crate::Workdir;

/// Trials of one Envoy process.
const BATCH: u64 = 8;
/// How often a trial is repeated that no order of its events explains.
const AGAIN: usize = 2;
/// One of so many trials can be undecided.
const MOST_UNDECIDED: usize = 100;
/// The order of events that are closer is unknown, if the control does not deviate more.
const NEAR: Duration = Duration::from_millis(5);
/// Whatever the control does.
const MOST_NEAR: Duration = Duration::from_millis(100);

/// The summary of a run.
#[derive(Debug, Clone, Default)]
pub struct HealthSummary {
    /// Trials.
    pub trials: usize,
    /// Health checks that were compared.
    pub checks: usize,
    /// Changes of health by them.
    pub transitions: usize,
    /// Results of requests.
    pub attempts: usize,
    /// Sweeps.
    pub sweeps: usize,
    /// Entries of the logs of outlier detection.
    pub entries: usize,
    /// Ejections, with those that were not enforced.
    pub ejections: usize,
    /// Ends of ejections.
    pub returns: usize,
    /// Repetitions of trials that no order of events explained.
    pub repeated: usize,
    /// Wrong predictions.
    pub wrong: Vec<String>,
    /// Trials whose search for an order of events ended at its limit: neither right nor wrong.
    pub undecided: Vec<String>,
    /// Deviations of the control.
    control: Vec<Lateness>,
    /// Deviations of all checks.
    lateness: Vec<Lateness>,
    /// Its duration.
    pub took: Duration,
}

impl HealthSummary {
    /// Whether changes of health, ejections and returns were compared.
    #[must_use]
    pub const fn has_compared(&self) -> bool {
        self.transitions > 0 && self.ejections > 0 && self.returns > 0
    }

    /// Whether no prediction is wrong, and no more trials than usual are undecided.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.wrong.is_empty() && self.undecided.len() * MOST_UNDECIDED <= self.trials
    }

    /// The bound of times: the largest deviations of the control.
    #[must_use]
    pub fn bound(&self) -> LatenessBound {
        LatenessBound::of(&self.control)
    }

    /// How many checks were sent within the bound, of all whose time is predicted.
    #[must_use]
    pub fn in_time(&self) -> (usize, usize) {
        let all = self.lateness.len();
        (all - self.bound().exceeded_by(&self.lateness), all)
    }

    /// The result in one line.
    #[must_use]
    pub fn figure(&self) -> String {
        let (in_time, timed) = self.in_time();
        let LatenessBound { early, late } = self.bound();
        format!(
            "{} trials: {} wrong predictions, {} undecided; {} health checks with {} changes of health, {} requests, {} sweeps, {} \
             ejections and {} returns, {} repetitions; {in_time} of {timed} checks within {:.1} ms before and {:.1} ms after their \
             time, the bound of {} checks of the control; {:.0} s",
            self.trials,
            self.wrong.len(),
            self.undecided.len(),
            self.checks,
            self.transitions,
            self.attempts,
            self.sweeps,
            self.ejections,
            self.returns,
            self.repeated,
            -early as f64 / 1e3,
            late as f64 / 1e3,
            self.control.len(),
            self.took.as_secs_f64(),
        )
    }

    fn add(&mut self, checks: ReplayedChecks, outliers: &ReplayedOutliers) {
        self.trials += 1;
        self.checks += checks.checks;
        self.transitions += checks.transitions;
        self.attempts += outliers.attempts;
        self.sweeps += outliers.sweeps;
        self.entries += outliers.entries;
        self.ejections += outliers.ejections;
        self.returns += outliers.returns;
        self.lateness.extend(checks.lateness);
    }
}

/// Runs all of it. Progress goes to the standard error.
///
/// # Errors
/// When Envoy refuses a configuration or a record cannot be read.
pub fn run(settings: &HealthTimeOptions, workdir: &Workdir) -> Result<HealthSummary> {
    let started = Instant::now();
    let mut summary = HealthSummary::default();
    let end = settings.first + settings.trials;
    for first in (settings.first..end).step_by(BATCH as usize) {
        let over = settings
            .limit
            .is_some_and(|limit| started.elapsed() >= limit);
        if over {
            break;
        }
        let numbers: Vec<u64> = (first..(first + BATCH).min(end)).collect();
        for found in batch(settings, workdir, &numbers, &mut summary)? {
            let found = again(settings, workdir, found, &mut summary)?;
            add(settings, &mut summary, found)?;
        }
        eprintln!(
            "{:6.1} s: {} of {} trials, {} wrong, {} undecided",
            started.elapsed().as_secs_f64(),
            summary.trials,
            settings.trials,
            summary.wrong.len(),
            summary.undecided.len(),
        );
    }
    summary.took = started.elapsed();
    Ok(summary)
}

/// Replays the logs of one batch again.
///
/// # Errors
/// When a log cannot be read.
pub fn replay(settings: &HealthTimeOptions, logs: &Path) -> Result<HealthSummary> {
    let started = Instant::now();
    let mut summary = HealthSummary::default();
    for found in judged(settings, open(logs, settings.one_check)?, &mut summary) {
        add(settings, &mut summary, found)?;
    }
    summary.took = started.elapsed();
    Ok(summary)
}

/// Repeats a trial that the replay does not explain: rarely, the main thread ejects a host for a row of failures after
/// a later sweep, an order that no record shows.
fn again(
    settings: &HealthTimeOptions,
    workdir: &Workdir,
    mut found: ReplayedTrial,
    summary: &mut HealthSummary,
) -> Result<ReplayedTrial> {
    for _ in 0..AGAIN {
        // A wrong prediction about checks needs no other order.
        let outliers = &found.outliers;
        let is_explained = outliers.wrong.is_empty() && outliers.undecided.is_none();
        if settings.sabotage.is_some() || !found.checks.wrong.is_empty() || is_explained {
            break;
        }
        let what = outliers.wrong.iter().chain(&outliers.undecided);
        let what: Vec<&str> = what.map(String::as_str).collect();
        let number = found.record.trial.number;
        eprintln!("trial {number}: {}", what.join(", "));
        summary.repeated += 1;
        let repeated = batch(settings, workdir, &[number], summary)?;
        found = repeated.into_iter().next().context("no trial")?;
    }
    Ok(found)
}

/// Runs trials at the same time, and replays them.
fn batch(
    settings: &HealthTimeOptions,
    workdir: &Workdir,
    numbers: &[u64],
    summary: &mut HealthSummary,
) -> Result<Vec<ReplayedTrial>> {
    let numbers = numbers.iter().copied();
    let first = numbers.clone().next().unwrap_or(0);
    let mut trials = trials(settings.seed, numbers, settings.one_check);
    trials.push(control(first));
    let logs = workdir
        .path()
        .join(format!("logs-{first}-{}", summary.repeated));
    let envoy = settings.envoy.as_deref();
    let records = run_batch(workdir, &logs, &trials, settings.seed, envoy)
        .with_context(|| format!("the trials from {first} on"))?;
    complete(&logs, settings.seed, &records)?;
    Ok(judged(settings, records, summary))
}

/// Replays the records of a batch, whose last one is the control.
fn judged(
    settings: &HealthTimeOptions,
    mut records: Vec<TrialRecord>,
    summary: &mut HealthSummary,
) -> Vec<ReplayedTrial> {
    for record in &mut records {
        record.has_statuses = !settings.no_statuses;
    }
    let deviations = records.pop().map(|control| deviations(&control));
    let deviations = deviations.unwrap_or_default();
    // On a busy machine, records are less exact.
    let near = LatenessBound::usual(&deviations).clamp(NEAR, MOST_NEAR);
    summary.control.extend(deviations);
    replayed(settings, records, near)
}

/// A trial with what its replay found.
struct ReplayedTrial {
    record: TrialRecord,
    checks: ReplayedChecks,
    outliers: ReplayedOutliers,
}

fn replayed(
    settings: &HealthTimeOptions,
    records: Vec<TrialRecord>,
    near: Duration,
) -> Vec<ReplayedTrial> {
    let replay = |mut record: TrialRecord| {
        if let Some(sabotage) = settings.sabotage {
            sabotage(&mut record.trial);
        }
        let checks = replay_checks(&record);
        let outliers = replay_outliers(&record, &checks.passed, near);
        ReplayedTrial {
            record,
            checks,
            outliers,
        }
    };
    records.into_iter().map(replay).collect()
}

fn add(
    settings: &HealthTimeOptions,
    summary: &mut HealthSummary,
    found: ReplayedTrial,
) -> Result<()> {
    let ReplayedTrial {
        record: of,
        checks,
        outliers,
    } = found;
    let mut wrong = [&checks.wrong[..], &outliers.wrong].concat();
    summary.add(checks, &outliers);
    let kind = if wrong.is_empty() {
        "undecided"
    } else {
        "wrong"
    };
    wrong.extend(outliers.undecided);
    let Some(first) = wrong.first() else {
        return Ok(());
    };
    let number = of.trial.number;
    let mut text = format!("trial {number}: {} {kind}, first: {first}", wrong.len());
    if settings.replay.is_none() {
        let folder = record(&of, settings.seed, &wrong, &settings.findings)?;
        text += &format!("\n  {}", folder.display());
    }
    eprintln!("{text}");
    if kind == "wrong" {
        summary.wrong.push(text);
    } else {
        summary.undecided.push(text);
    }
    Ok(())
}

impl fmt::Display for HealthSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in self.wrong.iter().chain(&self.undecided) {
            writeln!(f, "{finding}")?;
        }
        f.write_str(&self.figure())
    }
}
