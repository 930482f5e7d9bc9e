//! The expected and observed counts of random choices, over all rows.

use std::{collections::BTreeMap, fmt};

use spillgate_answers::pick::PickOutcome;

use super::observed::Observation;
use crate::chi_square::{SIGNIFICANCE, SampleCell, fit};

/// Expected and observed counts, by endpoint and by priority.
#[derive(Debug, Default)]
pub(crate) struct Shares {
    /// The counts by endpoint.
    endpoints: BTreeMap<Place, SampleCell>,
    /// The counts by owner and priority.
    priorities: BTreeMap<Place, SampleCell>,
}

/// A possible result of a request.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Endpoint(String),
    Priority(String, usize),
    NoHost,
}

impl Shares {
    /// Adds `count` requests with the same shares.
    pub(crate) fn expect(&mut self, distribution: &[PickOutcome], no_host: f64, count: u64) {
        let count = count as f64;
        for outcome in distribution {
            let endpoint = Place::Endpoint(outcome.endpoint.clone());
            let priority = Place::Priority(outcome.owner.clone(), outcome.priority);
            self.cells(endpoint, priority, |cell| {
                cell.expected += count * outcome.share / 100.0;
            });
        }
        if no_host > 0.0 {
            self.cells(Place::NoHost, Place::NoHost, |cell| {
                cell.expected += count * no_host / 100.0;
            });
        }
    }

    /// Adds observed requests. If the recording has no priority, the distribution supplies it.
    pub(crate) fn observe(&mut self, observation: &Observation, distribution: &[PickOutcome]) {
        let endpoint = match &observation.endpoint {
            Some(endpoint) => Place::Endpoint(endpoint.clone()),
            None => Place::NoHost,
        };
        let of_endpoint =
            |outcome: &&PickOutcome| Some(&outcome.endpoint) == observation.endpoint.as_ref();
        let priority = match (&observation.owner, observation.priority) {
            (Some(owner), Some(number)) => Place::Priority(owner.clone(), number),
            _ => match distribution.iter().find(of_endpoint) {
                Some(outcome) => Place::Priority(outcome.owner.clone(), outcome.priority),
                None => Place::NoHost,
            },
        };
        self.cells(endpoint, priority, |cell| {
            cell.observed += observation.count as f64;
        });
    }

    /// Changes the cell of an endpoint and the cell of its priority.
    fn cells(&mut self, endpoint: Place, priority: Place, mut change: impl FnMut(&mut SampleCell)) {
        change(self.endpoints.entry(endpoint).or_default());
        change(self.priorities.entry(priority).or_default());
    }

    /// One line for endpoints or priorities that do not fit, with the largest deviation.
    pub(crate) fn misfits(&self) -> Vec<String> {
        [
            ("endpoints", &self.endpoints),
            ("priorities", &self.priorities),
        ]
        .into_iter()
        .filter_map(|(what, cells)| {
            let fit = fit(cells.values().copied());
            (fit.probability < SIGNIFICANCE).then(|| {
                let distance = |cell: &SampleCell| (cell.observed - cell.expected).abs();
                let worst = cells
                    .iter()
                    .max_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)))
                    .map(|(place, cell)| {
                        format!(
                            "; largest deviation: {place}, expected {:.1}, observed {}",
                            cell.expected, cell.observed
                        )
                    });
                format!(
                    "shares by {what}: chi-square {:.1} at {} degrees of freedom, p = {:.1e}{}",
                    fit.statistic,
                    fit.degrees,
                    fit.probability,
                    worst.unwrap_or_default()
                )
            })
        })
        .collect()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Endpoint(endpoint) => f.write_str(endpoint),
            Self::Priority(owner, priority) => write!(f, "{owner} priority {priority}"),
            Self::NoHost => f.write_str("no host"),
        }
    }
}
