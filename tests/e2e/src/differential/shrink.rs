//! Reduces a failing scenario as long as it still fails in the same way.
//!
//! Many candidates are tried in one Envoy process, so a scenario of a hundred parts takes a few
//! seconds.

use std::sync::Arc;

use anyhow::Result;
use serde_json::{Map, Value, json};
use spillgate_answers::pick::PickOutput;

use super::attempts::compare_attempts;
use super::batch::Batch;
use super::failure::{FailureKind, ScenarioFailure, more_of_the_random};
use super::predict::Predictor;
use super::reduce::{cuts, without};
use super::runtime::StaticValue;
use super::scenario::{DifferentialScenario, Surroundings};
use crate::Workdir;

/// Candidates that are tried at once.
const AT_ONCE: usize = 160;
/// Rounds at most; each makes a scenario smaller.
const ROUNDS: usize = 40;
/// Counts of the smaller scenario must still be less likely than this.
const UNLIKELY: f64 = 1e-6;
/// Requests whose counts are looked at; a small difference needs more and stays as it was.
const COUNTED: usize = 600;
/// Parts of the surroundings that are tried to be left out.
const SURROUNDINGS: usize = 40;
/// Repetitions of a row with a random pick.
const REPEATED: usize = 300;

/// The same failure of a smaller scenario, or the original failure.
///
/// # Errors
/// When Envoy stops answering.
pub fn shrink(
    failure: ScenarioFailure,
    predictor: &Predictor,
    workdir: &Workdir,
) -> Result<ScenarioFailure> {
    let mut trial = Trial {
        kind: failure.kind,
        predictor,
        workdir,
    };
    let mut best = failure;
    let few = trial.fewer_requests(&best.scenario)?;
    if let Some((scenario, what)) = trial.failing(few)?.pop() {
        (best.scenario, best.what) = (scenario, what);
    }
    for _ in 0..ROUNDS {
        let Some((scenario, what)) = trial.smaller(&best.scenario)? else {
            break;
        };
        (best.scenario, best.what) = (scenario, what);
    }
    while let Some((scenario, what)) = trial.smaller_surroundings(&best.scenario)? {
        (best.scenario, best.what) = (scenario, what);
    }
    Ok(best)
}

struct Trial<'t> {
    kind: FailureKind,
    predictor: &'t Predictor,
    workdir: &'t Workdir,
}

impl Trial<'_> {
    /// Candidates with fewer requests, the best last.
    fn fewer_requests(
        &mut self,
        scenario: &DifferentialScenario,
    ) -> Result<Vec<DifferentialScenario>> {
        let mut candidates = Vec::new();
        match self.kind {
            FailureKind::Unanswered => {
                let mut fewer = scenario.clone();
                fewer.requests.truncate(1);
                candidates.push(fewer);
            }
            FailureKind::Unlikely => {
                let answers = self.predictor.answers(scenario)?;
                let mut fewer = scenario.clone();
                for asked in &mut fewer.requests {
                    asked.count = 1;
                }
                // Those that are retried, with the requests between them.
                fewer.requests.truncate(COUNTED);
                candidates.push(more_of_the_random(&fewer, &answers, COUNTED));
            }
            FailureKind::Different => {
                let answers = self.predictor.answers(scenario)?;
                let batch = Batch::start(self.workdir, vec![scenario])?;
                let seen = batch.ask()?.into_iter().next().unwrap_or_default();
                let compared = compare_attempts(self.predictor, scenario, &answers, &seen)?;
                let mut rows: Vec<usize> =
                    compared.differences.iter().map(|(row, _)| *row).collect();
                rows.dedup();
                rows.truncate(20);
                for row in rows.into_iter().rev() {
                    let mut fewer = scenario.clone();
                    let mut asked = scenario.requests[row].clone();
                    asked.count = match answers[row] {
                        PickOutput::Random { .. } => asked.count.max(REPEATED),
                        // Another attempt can differ.
                        _ if scenario.retries() => REPEATED / 10,
                        _ => 1,
                    };
                    fewer.requests = vec![asked];
                    candidates.push(fewer);
                }
            }
        }
        Ok(candidates)
    }

    /// A smaller scenario that still fails, if one is found.
    fn smaller(
        &mut self,
        scenario: &DifferentialScenario,
    ) -> Result<Option<(DifferentialScenario, String)>> {
        let whole = parts(scenario);
        let cuts = cuts(&whole);
        for cuts in cuts.chunks(AT_ONCE) {
            let candidates = cuts.iter().enumerate().map(|(index, cut)| {
                let mut candidate =
                    with_parts(scenario, &without(&whole, std::slice::from_ref(cut)));
                // Carries the index of its cut to the other side.
                candidate.number = index as u64;
                candidate
            });
            let failing = self.failing(candidates.collect())?;
            let good: Vec<_> = failing
                .iter()
                .filter_map(|(candidate, _)| cuts.get(candidate.number as usize).cloned())
                .collect();
            if good.is_empty() {
                continue;
            }
            // Several at once may still fail: the more the better.
            let mut together = Vec::new();
            let mut count = 1;
            while count < good.len() {
                together.push(with_parts(scenario, &without(&whole, &good[..count])));
                count = (count + 1).max(count * 5 / 4);
            }
            together.push(with_parts(scenario, &without(&whole, &good)));
            if let Some(best) = self.failing(together)?.pop() {
                return Ok(Some(best));
            }
        }
        Ok(None)
    }

    /// The same scenario in smaller surroundings. Each candidate needs a process of its own.
    fn smaller_surroundings(
        &mut self,
        scenario: &DifferentialScenario,
    ) -> Result<Option<(DifferentialScenario, String)>> {
        let whole = surrounding_parts(scenario);
        for cut in cuts(&whole).iter().take(SURROUNDINGS) {
            let parts = without(&whole, std::slice::from_ref(cut));
            let candidate = with_surroundings(scenario, &parts);
            // A cut can take away what is empty already.
            if surrounding_parts(&candidate) == whole {
                continue;
            }
            if let Some(found) = self.failing(vec![candidate])?.pop() {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Those that fail in the way that is looked for, in their order, with what differs.
    fn failing(
        &mut self,
        candidates: Vec<DifferentialScenario>,
    ) -> Result<Vec<(DifferentialScenario, String)>> {
        let mut failing = Vec::new();
        let mut asked = Vec::new();
        for candidate in candidates {
            match (self.predictor.answers(&candidate), self.kind) {
                (Err(error), FailureKind::Unanswered) => {
                    failing.push((candidate, format!("{error:#}")))
                }
                (Ok(answers), FailureKind::Different | FailureKind::Unlikely) => {
                    asked.push((candidate, answers))
                }
                _ => {}
            }
        }
        self.ask(&asked, &mut failing)?;
        if self.kind == FailureKind::Unanswered {
            // What Envoy refuses too is no fault.
            let mut real = Vec::new();
            for (candidate, what) in failing {
                if Batch::start(self.workdir, vec![&candidate]).is_ok() {
                    real.push((candidate, what));
                }
            }
            return Ok(real);
        }
        Ok(failing)
    }

    fn ask(
        &mut self,
        candidates: &[(DifferentialScenario, Vec<PickOutput>)],
        failing: &mut Vec<(DifferentialScenario, String)>,
    ) -> Result<()> {
        if candidates.is_empty() {
            return Ok(());
        }
        let scenarios = candidates.iter().map(|(scenario, _)| scenario).collect();
        let Ok(batch) = Batch::start(self.workdir, scenarios) else {
            // Envoy refuses one of them: find out which.
            if let [_] = candidates {
                return Ok(());
            }
            let (first, second) = candidates.split_at(candidates.len() / 2);
            self.ask(first, failing)?;
            return self.ask(second, failing);
        };
        for ((scenario, answers), seen) in candidates.iter().zip(&batch.ask()?) {
            let compared = compare_attempts(self.predictor, scenario, answers, seen)?;
            let what = match self.kind {
                FailureKind::Unlikely => compared
                    .probabilities
                    .iter()
                    .find(|p| **p < UNLIKELY)
                    .map(|p| format!("the counts have probability {p:.1e}")),
                _ => compared
                    .differences
                    .first()
                    .map(|(row, difference)| format!("row {row}: {difference}")),
            };
            failing.extend(what.map(|what| (scenario.clone(), what)));
        }
        Ok(())
    }
}

/// What can be made smaller.
fn parts(scenario: &DifferentialScenario) -> Value {
    let headers = scenario.requests.iter().map(|asked| json!(asked.headers));
    json!({
        "clusters": scenario.clusters,
        "routes": scenario.routes,
        "virtual_host": scenario.virtual_host,
        "runtime": (0..scenario.runtime.len()).collect::<Vec<usize>>(),
        "headers": headers.collect::<Vec<Value>>(),
    })
}

/// The scenario of the remaining parts. A request without its headers is removed.
fn with_parts(scenario: &DifferentialScenario, parts: &Value) -> DifferentialScenario {
    let mut smaller = scenario.clone();
    smaller.clusters = list(parts, "clusters");
    smaller.routes = list(parts, "routes");
    smaller.virtual_host = object(parts, "virtual_host");
    smaller.runtime = kept(&scenario.runtime, parts);
    let headers = list(parts, "headers");
    if headers.len() == smaller.requests.len() {
        for (asked, headers) in smaller.requests.iter_mut().zip(headers) {
            if let Ok(headers) = serde_json::from_value(headers) {
                asked.headers = headers;
            }
        }
    }
    smaller
}

/// What the surroundings can go without.
fn surrounding_parts(scenario: &DifferentialScenario) -> Value {
    let around = &scenario.surroundings;
    json!({
        "filters": around.filters,
        "manager": around.manager,
        "route_config": around.route_config,
        "runtime": (0..around.runtime.len()).collect::<Vec<usize>>(),
    })
}

/// The scenario in the remaining surroundings.
fn with_surroundings(scenario: &DifferentialScenario, parts: &Value) -> DifferentialScenario {
    let around = Surroundings {
        filters: list(parts, "filters"),
        manager: object(parts, "manager"),
        route_config: object(parts, "route_config"),
        runtime: kept(&scenario.surroundings.runtime, parts),
        ..Surroundings::clone(&scenario.surroundings)
    };
    DifferentialScenario {
        surroundings: Arc::new(around),
        ..scenario.clone()
    }
}

fn list(parts: &Value, name: &str) -> Vec<Value> {
    let items = parts.get(name).and_then(Value::as_array);
    items.cloned().unwrap_or_default()
}

fn object(parts: &Value, name: &str) -> Map<String, Value> {
    let fields = parts.get(name).and_then(Value::as_object);
    fields.cloned().unwrap_or_default()
}

/// The runtime values whose indices remain.
fn kept(entries: &[StaticValue], parts: &Value) -> Vec<StaticValue> {
    let indices = list(parts, "runtime").into_iter();
    let entries = indices.filter_map(|index| entries.get(index.as_u64()? as usize).cloned());
    entries.collect()
}
