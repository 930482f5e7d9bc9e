//! What both configurations answer.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_answers::pick::PickOutput;
use spillgate_config::isolation::ListFallback;

use super::losses::Loss;

/// Shares that differ by less are equal, in percent.
const EQUAL: f64 = 1e-6;

/// The answer to a request: the share of each host, and of each status without a host, in percent; or why it
/// is not known.
pub(super) type Parts = Result<BTreeMap<Served, f64>, String>;

/// Who answers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Served {
    /// A host by its address.
    Host(String),
    /// No host: the status.
    Status(u16),
}

/// The parts of an answer.
pub(super) fn part_of(answer: PickOutput) -> Parts {
    let mut parts = BTreeMap::new();
    let mut add = |served, share| *parts.entry(served).or_insert(0.0) += share;
    match answer {
        PickOutput::Determined { outcome, .. } => add(Served::Host(outcome.endpoint), 100.0),
        PickOutput::NoHost { status, .. } => add(Served::Status(status), 100.0),
        PickOutput::Random {
            distribution,
            no_host,
            replies,
            ..
        } => {
            for outcome in distribution {
                add(Served::Host(outcome.endpoint), outcome.share);
            }
            if no_host > 0.0 {
                let status = replies.first().map_or(503, |reply| reply.status);
                add(Served::Status(status), no_host);
            }
        }
        PickOutput::Unknown { why, cluster, .. } => {
            return Err(match cluster {
                Some(cluster) => format!("{cluster}: {why}"),
                None => why.to_owned(),
            });
        }
    }
    Ok(parts)
}

fn share(parts: &BTreeMap<Served, f64>, served: &Served) -> f64 {
    parts.get(served).copied().unwrap_or(0.0)
}

/// The differences of all requests.
#[derive(Debug)]
pub(super) struct Comparison {
    fallback: Option<ListFallback>,
    requests: BTreeSet<String>,
    losses: BTreeSet<String>,
    differences: Vec<String>,
    /// What was not compared, and why.
    pub(super) not_compared: BTreeSet<String>,
}

impl Comparison {
    pub(super) fn new(fallback: Option<ListFallback>) -> Self {
        Self {
            fallback,
            requests: BTreeSet::new(),
            losses: BTreeSet::new(),
            differences: Vec::new(),
            not_compared: BTreeSet::new(),
        }
    }

    /// Adds the answers to a request after a loss.
    pub(super) fn add(&mut self, request: &str, loss: &Loss, was: &Parts, is: &Parts) {
        let (was, is) = match (was, is) {
            (Ok(was), Ok(is)) => (was, is),
            (Err(why), _) | (_, Err(why)) => {
                self.not_compared.insert(why.clone());
                return;
            }
        };
        self.requests.insert(request.to_owned());
        if !loss.name.is_empty() {
            self.losses.insert(loss.name.clone());
        }
        let all: BTreeSet<&Served> = was.keys().chain(is.keys()).collect();
        let differs = |served: &&&Served| (share(was, served) - share(is, served)).abs() > EQUAL;
        let parts = all.iter().filter(differs).map(|served| {
            let name = match served {
                Served::Host(host) => host.clone(),
                Served::Status(status) => format!("{status} without a host"),
            };
            format!(
                "{name} {:.1} % before, {:.1} % now",
                share(was, served),
                share(is, served)
            )
        });
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() {
            return;
        }
        let with = match loss.name.as_str() {
            "" => String::new(),
            name => format!(", {name}"),
        };
        let why = self.why(loss, was, is);
        self.differences
            .push(format!("{request}{with}: {}{why}", parts.join("; ")));
    }

    /// Why the answers differ, as far as that is certain.
    fn why(
        &self,
        loss: &Loss,
        was: &BTreeMap<Served, f64>,
        is: &BTreeMap<Served, f64>,
    ) -> &'static str {
        let none = |parts: &BTreeMap<Served, f64>| -> f64 {
            let statuses = parts
                .iter()
                .filter(|(served, _)| matches!(served, Served::Status(_)));
            statuses.map(|(_, share)| share).sum()
        };
        let lost = |parts: &BTreeMap<Served, f64>| {
            let mut served = parts.keys();
            served.any(|served| matches!(served, Served::Host(host) if loss.has(host)))
        };
        match (none(was), none(is)) {
            (was_none, is_none) if is_none > was_none + EQUAL => match self.fallback {
                Some(ListFallback::Isolation) if lost(was) => {
                    " (isolation: only hosts of the filter's list serve, and panic does not use lost ones)"
                }
                Some(ListFallback::Isolation) => {
                    " (isolation: only hosts of the filter's list serve)"
                }
                _ => "",
            },
            (was_none, is_none) if was_none > is_none + EQUAL => {
                " (the filter uses the hosts that are left)"
            }
            _ if lost(was) && !lost(is) => " (panic used lost hosts; the filter does not)",
            _ if lost(is) && !lost(was) => " (panic of the filter uses lost hosts)",
            _ => "",
        }
    }

    /// The result, at most so many differences.
    pub(super) fn lines(self, most: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let (requests, losses) = (self.requests.len(), self.losses.len());
        if requests > 0 {
            let differences = match self.differences.len() {
                0 => "all answers are equal".to_owned(),
                1 => "1 answer differs".to_owned(),
                many => format!("{many} answers differ"),
            };
            let counted = |number: usize, one: &str, many: &str| match number {
                1 => format!("1 {one}"),
                number => format!("{number} {many}"),
            };
            lines.push(format!(
                "compared {} before and after, as given and with {} of hosts: {differences}",
                counted(requests, "request", "requests"),
                counted(losses, "loss", "losses")
            ));
        }
        lines.extend(self.differences.iter().take(most).cloned());
        if let more @ 1.. = self.differences.len().saturating_sub(most) {
            lines.push(format!("and {more} more"));
        }
        lines.extend(
            self.not_compared
                .iter()
                .map(|what| format!("not compared: {what}")),
        );
        lines
    }
}
