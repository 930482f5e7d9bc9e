//! What may become of a request, put together.

use serde_json::Value;

use super::{Answer, Outcome, answer::UNAVAILABLE};

/// The hosts of a request in one cluster.
#[derive(Default)]
pub(super) struct Chosen {
    pub(super) outcomes: Vec<Outcome>,
    /// Percent that find none.
    pub(super) no_host: f64,
    /// The status of requests that are refused.
    pub(super) refused: Option<u16>,
    /// Whether every host that it may name serves because a session names it.
    pub(super) kept: bool,
}

impl Chosen {
    /// No host, and the status of the answer.
    pub(super) fn refused(status: u16) -> Self {
        Self {
            no_host: 100.0,
            refused: Some(status),
            ..Self::default()
        }
    }

    /// Adds what happens with a probability.
    pub(super) fn add(&mut self, probability: f64, chosen: Self) {
        for mut outcome in chosen.outcomes {
            outcome.share *= probability;
            let same = |have: &&mut Outcome| {
                (&have.endpoint, &have.owner, have.priority)
                    == (&outcome.endpoint, &outcome.owner, outcome.priority)
            };
            match self.outcomes.iter_mut().find(same) {
                Some(have) => have.share += outcome.share,
                None => self.outcomes.push(outcome),
            }
        }
        self.no_host += chosen.no_host * probability;
        self.refused = self.refused.or(chosen.refused);
        self.kept &= chosen.kept;
    }
}

/// What may become of a request, cluster by cluster.
pub(super) struct Alternatives {
    clusters: String,
    outcomes: Vec<Outcome>,
    no_host: f64,
    /// The status where no host is found.
    status: u16,
}

impl Default for Alternatives {
    fn default() -> Self {
        Self {
            clusters: String::new(),
            outcomes: Vec::new(),
            no_host: 0.0,
            status: UNAVAILABLE,
        }
    }
}

impl Alternatives {
    /// Adds a cluster that gets `part` of the requests.
    pub(super) fn add(&mut self, cluster: &str, part: f64, chosen: Chosen) {
        if !self.clusters.is_empty() {
            self.clusters.push('|');
        }
        self.clusters.push_str(cluster);
        self.outcomes
            .extend(chosen.outcomes.into_iter().map(|outcome| Outcome {
                share: outcome.share * part,
                ..outcome
            }));
        self.no_host += chosen.no_host * part;
        self.status = chosen.refused.unwrap_or(self.status);
    }

    /// One host that gets everything is certain; so is nobody.
    pub(super) fn answer(mut self, same_as: Option<Value>) -> Answer {
        match self.outcomes.as_slice() {
            [] => Answer::NoHost {
                status: self.status,
                cluster: Some(self.clusters),
            },
            [_] if self.no_host == 0.0 => match self.outcomes.pop() {
                Some(outcome) => Answer::Determined {
                    cluster: self.clusters,
                    outcome,
                },
                None => Answer::NoHost {
                    status: self.status,
                    cluster: None,
                },
            },
            _ => Answer::Random {
                cluster: self.clusters,
                distribution: self.outcomes,
                no_host: self.no_host,
                same_as,
            },
        }
    }
}
