//! Combines the outcomes of a request: sessions in a cluster, then the routed clusters.

use serde_json::Value;

use super::{PickAnswer, PickOutcome, UNAVAILABLE};

/// The hosts of a request in one cluster.
#[derive(Default)]
pub(super) struct Chosen {
    /// The hosts with their shares in percent.
    pub(super) outcomes: Vec<PickOutcome>,
    /// The share of requests without a host, in percent.
    pub(super) no_host: f64,
    /// The statuses of these requests, each once.
    pub(super) statuses: Vec<u16>,
    /// Whether sessions name all these hosts.
    pub(super) kept: bool,
}

impl Chosen {
    /// The choice of the load balancer.
    pub(super) fn by_balancer(outcomes: Vec<PickOutcome>, no_host: f64) -> Self {
        Self {
            outcomes,
            no_host,
            statuses: (no_host > 0.0).then_some(UNAVAILABLE).into_iter().collect(),
            kept: false,
        }
    }

    /// No host, and the status of the response.
    pub(super) fn refused(status: u16) -> Self {
        Self {
            no_host: 100.0,
            statuses: vec![status],
            ..Self::default()
        }
    }

    /// Adds the requests that `drop_overloads` drops first, in percent.
    pub(super) fn unless_dropped(mut self, percent: f64) -> Self {
        if percent >= 100.0 {
            self.statuses.clear();
        }
        if percent > 0.0 {
            add_new(&mut self.statuses, vec![UNAVAILABLE]);
        }
        self
    }

    /// Adds an outcome with its probability.
    pub(super) fn add(&mut self, probability: f64, chosen: Self) {
        for mut outcome in chosen.outcomes {
            outcome.share *= probability;
            let same = |have: &&mut PickOutcome| {
                (&have.endpoint, &have.owner, have.priority)
                    == (&outcome.endpoint, &outcome.owner, outcome.priority)
            };
            match self.outcomes.iter_mut().find(same) {
                Some(have) => have.share += outcome.share,
                None => self.outcomes.push(outcome),
            }
        }
        self.no_host += chosen.no_host * probability;
        add_new(&mut self.statuses, chosen.statuses);
        self.kept &= chosen.kept;
    }
}

/// The outcomes of a request by routed cluster.
#[derive(Default)]
pub(super) struct Alternatives {
    /// Whether a route selects a cluster.
    routed: bool,
    clusters: String,
    outcomes: Vec<PickOutcome>,
    no_host: f64,
    statuses: Vec<u16>,
}

impl Alternatives {
    /// Adds a cluster with the part of the requests that it gets, 0 to 1.
    pub(super) fn add(&mut self, cluster: &str, part: f64, chosen: Chosen) {
        self.routed = true;
        if !self.clusters.split('|').any(|have| have == cluster) {
            if !self.clusters.is_empty() {
                self.clusters.push('|');
            }
            self.clusters.push_str(cluster);
        }
        self.outcomes
            .extend(chosen.outcomes.into_iter().map(|outcome| PickOutcome {
                share: outcome.share * part,
                ..outcome
            }));
        self.no_host += chosen.no_host * part;
        add_new(&mut self.statuses, chosen.statuses);
    }

    /// Adds a response of the route itself.
    pub(super) fn respond(&mut self, part: f64, status: u16) {
        self.no_host += 100.0 * part;
        add_new(&mut self.statuses, vec![status]);
    }

    /// Adds the answer for `part` of the requests; returns an unknown answer instead.
    pub(super) fn add_answer(&mut self, part: f64, answer: PickAnswer) -> Option<PickAnswer> {
        let (cluster, chosen) = match answer {
            PickAnswer::Determined { cluster, outcome } => {
                (cluster, Chosen::by_balancer(vec![outcome], 0.0))
            }
            PickAnswer::NoHost { status, cluster } => {
                (cluster.unwrap_or_default(), Chosen::refused(status))
            }
            PickAnswer::Random {
                cluster,
                distribution,
                no_host,
                statuses,
                same_as: _,
            } => {
                let chosen = Chosen {
                    statuses,
                    ..Chosen::by_balancer(distribution, no_host)
                };
                (cluster, chosen)
            }
            unknown @ PickAnswer::Unknown { .. } => return Some(unknown),
        };
        self.add(&cluster, part, chosen);
        None
    }

    /// The answer: deterministic with a single host, or without a host and a single status.
    pub(super) fn answer(mut self, same_as: Option<Value>) -> PickAnswer {
        if self.outcomes.is_empty() && self.statuses.len() < 2 {
            return PickAnswer::NoHost {
                status: self.statuses.pop().unwrap_or(UNAVAILABLE),
                cluster: self.routed.then_some(self.clusters),
            };
        }
        if self.no_host == 0.0
            && self.outcomes.len() == 1
            && let Some(outcome) = self.outcomes.pop()
        {
            return PickAnswer::Determined {
                cluster: self.clusters,
                outcome,
            };
        }
        PickAnswer::Random {
            cluster: self.clusters,
            distribution: self.outcomes,
            no_host: self.no_host,
            statuses: self.statuses,
            same_as,
        }
    }
}

/// Adds the statuses that are not in the list yet.
fn add_new(statuses: &mut Vec<u16>, more: Vec<u16>) {
    for status in more {
        if !statuses.contains(&status) {
            statuses.push(status);
        }
    }
}
