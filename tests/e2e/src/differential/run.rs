//! A whole run: batches, differences, and the summary.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use spillgate_answers::pick::PickOutput;

use super::attempts::compare_attempts;
use super::batch::Batch;
use super::failure::{FailureKind, ScenarioFailure, more_of_the_random};
use super::features::Used;
use super::generate::{scenario, surroundings};
use super::observations::Observations;
use super::record::record_unanswered;
use super::scenario::DifferentialScenario;
use super::settings::DifferentialSettings;
use super::{record, shrink};
use crate::Workdir;

/// Scenarios of one Envoy process. They share its runtime, connection manager and filters.
const BATCH: usize = 120;
/// Counts that are less likely are counted again, with more requests. The first count only
/// chooses: small cells make its probability inexact so far out.
const DOUBTFUL: f64 = 1e-3;
/// Random requests of a second count.
const SECOND_COUNT: usize = 4_000;
/// The chance that a run without any difference reports one.
const FAMILY_WISE: f64 = 1e-3;

/// The summary of a run.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Topologies compared.
    pub scenarios: usize,
    /// Requests sent.
    pub requests: usize,
    /// Requests with deterministic picks, compared one by one.
    pub determined: usize,
    /// Requests with random picks that were counted.
    pub random: usize,
    /// Tests of counts.
    pub tests: usize,
    /// The smallest probability of all tests.
    pub smallest: f64,
    /// How many scenarios used each feature.
    pub used: Used,
    /// Scenarios with which Envoy itself ends, and their folders: nothing to compare with.
    pub ended: Vec<(u64, PathBuf)>,
    /// What differs.
    pub failures: Vec<ScenarioFailure>,
    /// Its duration.
    pub took: Duration,
}

impl Summary {
    /// The probability that chance alone makes any test of the run as bad as the worst one was,
    /// at most.
    #[must_use]
    pub fn family_wise(&self) -> f64 {
        (self.smallest * self.tests as f64).min(1.0)
    }
}

/// Runs all of it. Progress goes to the standard error.
///
/// # Errors
/// When Envoy refuses a configuration or stops answering.
pub fn run(settings: &DifferentialSettings, workdir: &Workdir) -> Result<Summary> {
    let started = Instant::now();
    let mut summary = Summary {
        smallest: 1.0,
        ..Summary::default()
    };
    let each = (settings.requests / settings.scenarios.max(1)).max(1);
    let mut failures = Vec::new();
    // Counts that did not fit twice, with the probability of the second.
    let mut unlikely = Vec::new();
    let mut next = 0;
    for number in 0.. {
        let over = settings
            .limit
            .is_some_and(|limit| started.elapsed() >= limit);
        if next >= settings.scenarios || over {
            break;
        }
        let end = (next + BATCH).min(settings.scenarios);
        let around = Arc::new(surroundings(settings.seed, number, &settings.features));
        let scenarios: Vec<DifferentialScenario> = (next..end)
            .map(|index| {
                scenario(
                    settings.seed,
                    index as u64,
                    each,
                    &settings.features,
                    &around,
                )
            })
            .collect();
        next = end;
        one_batch(
            settings,
            workdir,
            &scenarios,
            &mut summary,
            &mut failures,
            &mut unlikely,
        )?;
        eprintln!(
            "{:6.1} s: {} of {} scenarios, {} requests, {} differ, {} of {} tests doubtful",
            started.elapsed().as_secs_f64(),
            summary.scenarios,
            settings.scenarios,
            summary.requests,
            failures.len(),
            unlikely.len(),
            summary.tests
        );
    }
    for (failure, probability) in unlikely {
        if probability * (summary.tests as f64) < FAMILY_WISE {
            failures.push(failure);
        }
    }
    for (index, mut failure) in failures.into_iter().enumerate() {
        if index < settings.shrunk {
            eprintln!("reducing scenario {}", failure.scenario.number);
            failure = shrink(failure, &settings.predictor, workdir)?;
        }
        let folder = record(&failure, settings, workdir)?;
        eprintln!("recorded {}: {}", folder.display(), failure.what);
        failure.folder = Some(folder);
        summary.failures.push(failure);
    }
    summary.took = started.elapsed();
    Ok(summary)
}

fn one_batch(
    settings: &DifferentialSettings,
    workdir: &Workdir,
    scenarios: &[DifferentialScenario],
    summary: &mut Summary,
    failures: &mut Vec<ScenarioFailure>,
    unlikely: &mut Vec<(ScenarioFailure, f64)>,
) -> Result<()> {
    let predictor = settings.predictor;
    // The engine answers while Envoy starts.
    let (batch, answers) = thread::scope(|scope| {
        let batch = scope.spawn(|| Batch::start(workdir, scenarios.iter().collect()));
        let answers: Vec<Result<Vec<PickOutput>>> =
            scenarios.iter().map(|s| predictor.answers(s)).collect();
        (batch.join(), answers)
    });
    let batch = batch.map_err(|_| anyhow!("the thread that starts Envoy panicked"))??;
    let asked = batch.ask();
    drop(batch);
    let observations: Vec<Option<Observations>> = match asked {
        Ok(all) => all.into_iter().map(Some).collect(),
        Err(error) => {
            eprintln!("searching for the scenario that ends Envoy: {error:#}");
            ask_apart(workdir, scenarios)?
        }
    };
    let mut doubtful = Vec::new();
    for ((scenario, answers), seen) in scenarios.iter().zip(answers).zip(&observations) {
        let Some(seen) = seen else {
            let folder = record_unanswered(scenario, settings)?;
            summary.ended.push((scenario.number, folder));
            continue;
        };
        summary.scenarios += 1;
        summary.requests += scenario.total();
        for feature in &scenario.features {
            *summary.used.entry(feature).or_default() += 1;
        }
        let failure = |kind, what| ScenarioFailure {
            scenario: scenario.clone(),
            kind,
            what,
            folder: None,
        };
        let answers = match answers {
            Ok(answers) => answers,
            Err(error) => {
                failures.push(failure(FailureKind::Unanswered, format!("{error:#}")));
                continue;
            }
        };
        let compared = compare_attempts(&predictor, scenario, &answers, seen)?;
        summary.determined += compared.determined;
        summary.random += compared.random;
        if let Some((row, difference)) = compared.differences.first() {
            let what = format!(
                "{} of {} requests differ, first row {row}: {difference}",
                compared.differences.len(),
                scenario.total()
            );
            failures.push(failure(FailureKind::Different, what));
        } else if compared.probabilities.iter().any(|p| *p < DOUBTFUL) {
            doubtful.push(more_of_the_random(scenario, &answers, SECOND_COUNT));
        } else {
            note(summary, &compared.probabilities);
        }
    }
    if doubtful.is_empty() {
        return Ok(());
    }
    let batch = Batch::start(workdir, doubtful.iter().collect())?;
    for (scenario, seen) in doubtful.iter().zip(&batch.ask()?) {
        summary.requests += scenario.total();
        let answers = predictor.answers(scenario)?;
        let compared = compare_attempts(&predictor, scenario, &answers, seen)?;
        summary.random += compared.random;
        note(summary, &compared.probabilities);
        let smallest = compared.probabilities.iter().copied().fold(1.0, f64::min);
        let failure = |kind, what| ScenarioFailure {
            scenario: scenario.clone(),
            kind,
            what,
            folder: None,
        };
        if let Some((row, difference)) = compared.differences.first() {
            let what = format!("row {row} of the second count: {difference}");
            failures.push(failure(FailureKind::Different, what));
        } else if smallest < DOUBTFUL {
            let what = format!("the counts have probability {smallest:.1e}");
            unlikely.push((failure(FailureKind::Unlikely, what), smallest));
        }
    }
    Ok(())
}

/// The result of each scenario; `None` for one with which Envoy itself ends.
fn ask_apart(
    workdir: &Workdir,
    scenarios: &[DifferentialScenario],
) -> Result<Vec<Option<Observations>>> {
    let mut all = Vec::new();
    let (first, second) = scenarios.split_at(scenarios.len().div_ceil(2));
    for part in [first, second] {
        if part.is_empty() {
            continue;
        }
        let batch = Batch::start(workdir, part.iter().collect())?;
        match (batch.ask(), part) {
            (Ok(seen), _) => all.extend(seen.into_iter().map(Some)),
            (Err(_), [_]) => all.push(None),
            (Err(_), _) => {
                drop(batch);
                all.extend(ask_apart(workdir, part)?);
            }
        }
    }
    Ok(all)
}

fn note(summary: &mut Summary, probabilities: &[f64]) {
    summary.tests += probabilities.len();
    let smallest = probabilities.iter().copied().fold(1.0, f64::min);
    summary.smallest = summary.smallest.min(smallest);
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "features, by scenarios that use them:")?;
        for (name, count) in &self.used {
            writeln!(f, "  {name:<30} {count:>7}")?;
        }
        let kinds: BTreeSet<String> = self
            .failures
            .iter()
            .map(|failure| {
                let number = failure.scenario.number;
                let folder = failure.folder.as_ref().map(|folder| folder.display());
                let folder = folder.map(|folder| folder.to_string()).unwrap_or_default();
                format!(
                    "scenario {number} ({:?}): {}\n  {folder}",
                    failure.kind, failure.what
                )
            })
            .collect();
        for (number, folder) in &self.ended {
            writeln!(f, "scenario {number} ends Envoy: {}", folder.display())?;
        }
        for failure in kinds {
            writeln!(f, "{failure}")?;
        }
        write!(
            f,
            "{} scenarios, {} requests: {} deterministic, {} random in {} tests, \
             family-wise p {:.3}; {} failed, {} ended Envoy; {:.1} s",
            self.scenarios,
            self.requests,
            self.determined,
            self.random,
            self.tests,
            self.family_wise(),
            self.failures.len(),
            self.ended.len(),
            self.took.as_secs_f64()
        )
    }
}

#[cfg(test)]
mod tests {
    use spillgate_answers::pick::PickOutcome;
    use spillgate_testkit::models::Dice;

    use super::super::compare::compare;
    use super::super::observations::Observed;
    use super::*;

    /// The probability of counts of two hosts, of which the engine expects as many each.
    fn probability(dice: &mut Dice, percent: usize, requests: usize) -> Result<f64> {
        let hosts = ["a:1", "b:1"];
        let answer = PickOutput::Random {
            cluster: "c".into(),
            distribution: hosts
                .map(|host| PickOutcome {
                    owner: "c".into(),
                    priority: 0,
                    endpoint: host.into(),
                    share: 50.0,
                })
                .into(),
            no_host: 0.0,
            replies: Vec::new(),
            same_as: None,
        };
        let seen = (0..requests).map(|_| Observed {
            endpoint: Some(hosts[usize::from(dice.chance(percent))].into()),
            status: 200,
            flags: "UF".into(),
            details: String::new(),
            attempts: Vec::new(),
        });
        let compared = compare(&[answer], &vec![seen.collect()])?;
        Ok(compared.probabilities.into_iter().fold(1.0, f64::min))
    }

    #[test]
    fn a_share_that_is_wrong_by_18_points_is_found_with_probability_0_9() -> Result<()> {
        let mut dice = Dice::new(1);
        let tests = 5_000.0;
        let mut found = 0;
        for _ in 0..300 {
            let doubtful = probability(&mut dice, 68, 200)? < DOUBTFUL;
            let second = probability(&mut dice, 68, SECOND_COUNT)?;
            found += usize::from(doubtful && second * tests < FAMILY_WISE);
        }
        assert!(found >= 270, "{found} of 300");
        Ok(())
    }
}
