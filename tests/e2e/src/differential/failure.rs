//! A scenario on which the engine and Envoy differ.

use std::path::PathBuf;

use spillgate_answers::pick::PickOutput;

use super::scenario::DifferentialScenario;

/// How a scenario fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The engine refuses the configuration or does not model it.
    Unanswered,
    /// A request had an outcome that the engine excludes.
    Different,
    /// Counts do not fit the shares.
    Unlikely,
}

/// A scenario that fails.
#[derive(Debug, Clone)]
pub struct ScenarioFailure {
    /// The scenario, as small as it could be made.
    pub scenario: DifferentialScenario,
    /// How it fails.
    pub kind: FailureKind,
    /// The first difference.
    pub what: String,
    /// Where it was recorded.
    pub folder: Option<PathBuf>,
}

/// The rows with random picks, of at least that many requests.
pub(super) fn more_of_the_random(
    scenario: &DifferentialScenario,
    answers: &[PickOutput],
    requests: usize,
) -> DifferentialScenario {
    let mut more = scenario.clone();
    more.requests = scenario
        .requests
        .iter()
        .zip(answers)
        .filter(|(_, answer)| scenario.retries() || matches!(answer, PickOutput::Random { .. }))
        .map(|(asked, _)| asked.clone())
        .collect();
    let factor = requests.div_ceil(more.total().max(1));
    if more.retries() {
        // The requests between those that are retried stay between them.
        let all = std::iter::repeat_n(more.requests, factor);
        more.requests = all.flatten().collect();
        return more;
    }
    for asked in &mut more.requests {
        asked.count *= factor;
    }
    more
}
