//! Answers of the engine against what Envoy did.

use std::collections::BTreeMap;

use anyhow::Result;
use spillgate_answers::pick::{PickOutcome, PickOutput};

use super::observations::{Observations, Observed};
use crate::chi_square_p;

/// The result of a comparison.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Compared {
    /// Requests with deterministic picks.
    pub determined: usize,
    /// Requests with random picks.
    pub random: usize,
    /// Rows with an outcome that the engine excludes: the row and the difference.
    pub differences: Vec<(usize, String)>,
    /// The probabilities of the counts of random answers, one for each conclusive test.
    pub probabilities: Vec<f64>,
}

/// Expected and observed counts of one place.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    expected: f64,
    observed: u64,
}

/// Compares row by row, and the random rows by their sums, per endpoint and per priority.
///
/// # Errors
/// When the shares of an answer do not add up.
pub fn compare(answers: &[PickOutput], observations: &Observations) -> Result<Compared> {
    let mut compared = Compared::default();
    let mut endpoints: BTreeMap<Option<&str>, Cell> = BTreeMap::new();
    let mut priorities: BTreeMap<Option<(&str, usize)>, Cell> = BTreeMap::new();
    for (row, (answer, seen)) in answers.iter().zip(observations).enumerate() {
        for observed in seen {
            if !agrees(answer, observed) {
                let text = format!(
                    "Envoy: {}; engine: {}",
                    described(observed),
                    expected(answer)
                );
                compared.differences.push((row, text));
            }
        }
        let PickOutput::Random {
            distribution,
            no_host,
            ..
        } = answer
        else {
            compared.determined += seen.len();
            continue;
        };
        compared.random += seen.len();
        let of_all = seen.len() as f64 / 100.0;
        for outcome in distribution {
            let expected = outcome.share * of_all;
            let priority = place(distribution, &outcome.endpoint);
            endpoints
                .entry(Some(&outcome.endpoint))
                .or_default()
                .expected += expected;
            priorities.entry(priority).or_default().expected += expected;
        }
        endpoints.entry(None).or_default().expected += no_host * of_all;
        priorities.entry(None).or_default().expected += no_host * of_all;
        for observed in seen {
            let endpoint = observed.endpoint.as_deref();
            let priority = endpoint.and_then(|endpoint| place(distribution, endpoint));
            if endpoint.is_some() && priority.is_none() {
                // A difference already; it has no cell.
                continue;
            }
            endpoints.entry(endpoint).or_default().observed += 1;
            priorities.entry(priority).or_default().observed += 1;
        }
    }
    if compared.random > 0 && compared.differences.is_empty() {
        for cells in [
            endpoints.into_values().collect::<Vec<Cell>>(),
            priorities.into_values().collect(),
        ] {
            compared.probabilities.extend(probability(&cells)?);
        }
    }
    Ok(compared)
}

/// The cluster and priority of a host: the first ones that have it, because what Envoy did does not
/// tell which of them chose it.
fn place<'a>(distribution: &'a [PickOutcome], endpoint: &str) -> Option<(&'a str, usize)> {
    let mut outcomes = distribution.iter();
    let found = outcomes.find(|outcome| outcome.endpoint == endpoint)?;
    Some((found.owner.as_str(), found.priority))
}

/// Nothing where there is only one place to go.
fn probability(cells: &[Cell]) -> Result<Option<f64>> {
    if cells.iter().filter(|cell| cell.expected > 0.0).count() < 2 {
        return Ok(None);
    }
    let total: f64 = cells.iter().map(|cell| cell.expected).sum();
    let cells: Vec<(u64, f64)> = cells
        .iter()
        .map(|cell| (cell.observed, 100.0 * cell.expected / total))
        .collect();
    chi_square_p(&cells).map(Some)
}

fn agrees(answer: &PickOutput, observed: &Observed) -> bool {
    let endpoint = observed.endpoint.as_deref();
    match answer {
        PickOutput::Determined { outcome, .. } => endpoint == Some(&outcome.endpoint),
        PickOutput::NoHost { status, .. } => endpoint.is_none() && observed.status == *status,
        // The generator makes nothing that the engine may be excused from knowing.
        PickOutput::Unknown { .. } => false,
        PickOutput::Random {
            distribution,
            replies,
            ..
        } => match endpoint {
            None => replies.iter().any(|reply| reply.status == observed.status),
            Some(endpoint) => distribution
                .iter()
                .any(|outcome| outcome.endpoint == endpoint && outcome.share > 0.0),
        },
    }
}

fn described(observed: &Observed) -> String {
    match &observed.endpoint {
        Some(endpoint) => endpoint.clone(),
        None => format!("{} {}", observed.status, observed.details),
    }
}

fn expected(answer: &PickOutput) -> String {
    match answer {
        PickOutput::Determined { outcome, .. } => format!(
            "{} ({}, priority {})",
            outcome.endpoint, outcome.owner, outcome.priority
        ),
        PickOutput::NoHost { status, .. } => format!("{status} without a host"),
        PickOutput::Unknown { why, .. } => format!("unknown, for {why}"),
        PickOutput::Random {
            distribution,
            no_host,
            ..
        } => {
            let hosts: Vec<String> = distribution
                .iter()
                .take(12)
                .map(|outcome| format!("{} {:.2} %", outcome.endpoint, outcome.share))
                .collect();
            format!("{}; none {no_host:.2} %", hosts.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(endpoint: &str, share: f64) -> PickOutcome {
        PickOutcome {
            owner: "c".into(),
            priority: 0,
            endpoint: endpoint.into(),
            share,
        }
    }

    fn seen(endpoint: &str) -> Observed {
        Observed {
            endpoint: Some(endpoint.into()),
            status: 200,
            flags: "UF".into(),
            details: String::new(),
            attempts: Vec::new(),
        }
    }

    fn half_and_half() -> PickOutput {
        PickOutput::Random {
            cluster: "c".into(),
            distribution: vec![outcome("a:1", 50.0), outcome("b:1", 50.0)],
            no_host: 0.0,
            replies: Vec::new(),
            same_as: None,
        }
    }

    #[test]
    fn another_host_is_a_difference() -> Result<()> {
        let answer = PickOutput::Determined {
            cluster: "c".into(),
            outcome: outcome("a:1", 100.0),
        };
        let answers = [answer, half_and_half()];
        let compared = compare(&answers, &vec![vec![seen("b:1")], vec![seen("c:1")]])?;
        let rows: Vec<usize> = compared.differences.iter().map(|(row, _)| *row).collect();
        assert_eq!(rows, [0, 1]);
        assert_eq!((compared.determined, compared.random), (1, 1));
        Ok(())
    }

    #[test]
    fn a_host_of_two_clusters_counts_once() -> Result<()> {
        let mut answer = half_and_half();
        if let PickOutput::Random { distribution, .. } = &mut answer {
            distribution[0].share = 30.0;
            distribution.push(PickOutcome {
                owner: "d".into(),
                ..outcome("a:1", 20.0)
            });
        }
        let mut all = vec![seen("a:1"); 50];
        all.extend(vec![seen("b:1"); 50]);
        let compared = compare(&[answer], &vec![all])?;
        assert!(compared.probabilities.iter().all(|p| *p > 0.9));
        Ok(())
    }

    #[test]
    fn counts_have_a_probability() -> Result<()> {
        let of = |a: usize, b: usize| {
            let mut all = vec![seen("a:1"); a];
            all.extend(vec![seen("b:1"); b]);
            compare(&[half_and_half()], &vec![all]).map(|compared| compared.probabilities)
        };
        // One test: the only priority is certain.
        assert!(matches!(of(50, 50)?.as_slice(), [p] if *p > 0.9));
        assert!(matches!(of(90, 10)?.as_slice(), [p] if *p < 1e-9));
        Ok(())
    }
}
