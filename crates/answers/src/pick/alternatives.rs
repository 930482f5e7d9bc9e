//! Combines the outcomes of a request: sessions in a cluster, then the routed clusters.

use std::collections::HashMap;

use serde_json::Value;

use super::{OwnReply, OwnReplyReason, PickOutcome, PickOutput, UNAVAILABLE};

/// The hosts of a request in one cluster.
#[derive(Default)]
pub(super) struct Chosen {
    /// The hosts with their shares in percent.
    pub(super) outcomes: Vec<PickOutcome>,
    /// The share of requests without a host, in percent.
    pub(super) no_host: f64,
    /// The responses to these requests.
    pub(super) replies: Vec<OwnReply>,
    /// Whether sessions name all these hosts.
    pub(super) kept: bool,
    /// Whether the load balancer chooses some of them.
    pub(super) balanced: bool,
}

impl Chosen {
    /// The choice of the load balancer. Of the requests without a host, `dropped` percent of all are dropped
    /// first (`drop_overloads`).
    pub(super) fn by_balancer(outcomes: Vec<PickOutcome>, no_host: f64, dropped: f64) -> Self {
        let dropped = dropped.min(no_host);
        let mut replies = Vec::new();
        for (reason, share) in [
            (OwnReplyReason::Dropped, dropped),
            (OwnReplyReason::NoHost, no_host - dropped),
        ] {
            let reply = OwnReply::to_all(UNAVAILABLE, reason);
            reply.of_part(share / 100.0).add_to(&mut replies);
        }
        Self {
            outcomes,
            no_host,
            replies,
            kept: false,
            balanced: false,
        }
    }

    /// No host, and the response.
    pub(super) fn refused(status: u16, reason: OwnReplyReason) -> Self {
        Self {
            no_host: 100.0,
            replies: vec![OwnReply::to_all(status, reason)],
            ..Self::default()
        }
    }

    /// Adds the requests that `drop_overloads` drops first, in percent.
    pub(super) fn unless_dropped(self, percent: f64) -> Self {
        let part = percent / 100.0;
        let dropped = OwnReply::to_all(UNAVAILABLE, OwnReplyReason::Dropped);
        let mut replies = Vec::new();
        dropped.of_part(part).add_to(&mut replies);
        for reply in self.replies {
            reply.of_part(1.0 - part).add_to(&mut replies);
        }
        Self { replies, ..self }
    }

    /// Adds an outcome with its probability.
    pub(super) fn add(&mut self, probability: f64, chosen: Self) {
        add_outcomes(&mut self.outcomes, chosen.outcomes, probability);
        self.no_host += chosen.no_host * probability;
        for reply in chosen.replies {
            reply.of_part(probability).add_to(&mut self.replies);
        }
        self.kept &= chosen.kept;
        self.balanced |= chosen.balanced;
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
    replies: Vec<OwnReply>,
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
        add_outcomes(&mut self.outcomes, chosen.outcomes, part);
        self.no_host += chosen.no_host * part;
        for reply in chosen.replies {
            reply.of_part(part).add_to(&mut self.replies);
        }
    }

    /// Adds a response before the choice of a cluster.
    pub(super) fn respond(&mut self, part: f64, status: u16, reason: OwnReplyReason) {
        self.no_host += 100.0 * part;
        let reply = OwnReply::to_all(status, reason);
        reply.of_part(part).add_to(&mut self.replies);
    }

    /// Adds the answer for `part` of the requests; returns an unknown answer instead.
    pub(super) fn add_answer(&mut self, part: f64, answer: PickOutput) -> Option<PickOutput> {
        let (cluster, chosen) = match answer {
            PickOutput::Determined { cluster, outcome } => {
                (cluster, Chosen::by_balancer(vec![outcome], 0.0, 0.0))
            }
            PickOutput::NoHost {
                cluster, replies, ..
            } => {
                let chosen = Chosen {
                    no_host: 100.0,
                    replies,
                    ..Chosen::default()
                };
                (cluster.unwrap_or_default(), chosen)
            }
            PickOutput::Random {
                cluster,
                distribution,
                no_host,
                replies,
                same_as: _,
            } => {
                let chosen = Chosen {
                    outcomes: distribution,
                    no_host,
                    replies,
                    ..Chosen::default()
                };
                (cluster, chosen)
            }
            unknown @ PickOutput::Unknown { .. } => return Some(unknown),
        };
        self.add(&cluster, part, chosen);
        None
    }

    /// The answer: deterministic with a single host, or without a host and a single status.
    pub(super) fn answer(mut self, same_as: Option<Value>) -> PickOutput {
        let first = self.replies.first().map(|reply| reply.status);
        let is_one = |reply: &OwnReply| Some(reply.status) == first;
        if self.outcomes.is_empty() && self.replies.iter().all(is_one) {
            return PickOutput::NoHost {
                status: first.unwrap_or(UNAVAILABLE),
                cluster: self.routed.then_some(self.clusters),
                replies: self.replies,
            };
        }
        if self.no_host == 0.0
            && self.outcomes.len() == 1
            && let Some(outcome) = self.outcomes.pop()
        {
            return PickOutput::Determined {
                cluster: self.clusters,
                outcome,
            };
        }
        PickOutput::Random {
            cluster: self.clusters,
            distribution: self.outcomes,
            no_host: self.no_host,
            replies: self.replies,
            same_as,
        }
    }
}

/// Adds outcomes for a part of the requests, 0 to 1: one entry for each host of a priority.
fn add_outcomes(all: &mut Vec<PickOutcome>, more: Vec<PickOutcome>, part: f64) {
    let before: HashMap<_, _> = all.iter().map(host_of).zip(0..).collect();
    let places: Vec<Option<usize>> = more
        .iter()
        .map(|outcome| before.get(&host_of(outcome)).copied())
        .collect();
    for (outcome, place) in more.into_iter().zip(places) {
        let share = outcome.share * part;
        match place.and_then(|at| all.get_mut(at)) {
            Some(have) => have.share += share,
            None => all.push(PickOutcome { share, ..outcome }),
        }
    }
}

/// What distinguishes the host of an outcome.
fn host_of(outcome: &PickOutcome) -> (&str, usize, &str) {
    (&outcome.owner, outcome.priority, &outcome.endpoint)
}
