//! The probability that a request succeeds after its retries, while some hosts refuse connections.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_core::{
    model::Policy,
    route::{HostPredicate, RetryPolicy},
    snapshot::{PlainSnapshot, PriorityHosts},
};

use crate::unknown::PORT_UNKNOWN;

use super::{Answerer, MAXIMUM_ATTEMPT, PickOutcome, PickOutput, PickRequest};

/// The most combinations of earlier hosts that are followed.
const MOST_STATES: usize = 20_000;

/// How the attempts of a request end, as probabilities from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Success {
    /// By attempt; number 0 is the first.
    pub attempts: Vec<AttemptOutcome>,
    /// How many retries the policy allows (`num_retries`); 0 if its conditions exclude failed
    /// connections.
    pub retries: u32,
    /// Whether the retries are those of a TCP proxy, which no circuit breaker limits.
    pub of_connection: bool,
    /// The clusters of retried attempts whose hosts or localities take turns.
    pub in_turn: Vec<String>,
}

/// How one attempt ends.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AttemptOutcome {
    /// That the request makes this attempt.
    pub made: f64,
    /// That the attempt reaches a host that works.
    pub succeeds: f64,
    /// That it finds no host; such a request is not retried.
    pub no_host: f64,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuccessFault {
    /// The request reaches a setting that is not modeled.
    NotModeled(&'static str),
    /// The answer depends on what the request does not state.
    Unstated(&'static str),
    /// Too many combinations of failed hosts.
    TooMany,
}

impl Success {
    /// The probability that the request succeeds.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.attempts.iter().map(|attempt| attempt.succeeds).sum()
    }

    /// Whether the request can make a second attempt.
    #[must_use]
    pub fn is_retried(&self) -> bool {
        self.attempts.len() > 1
    }

    /// The probability that the request succeeds if the circuit breakers allow no retry.
    #[must_use]
    pub fn at_worst(&self) -> f64 {
        if self.of_connection {
            self.total()
        } else {
            self.first()
        }
    }

    /// Why the probabilities can differ from Envoy's: attempts are taken as independent.
    #[must_use]
    pub fn caveat(&self) -> Option<String> {
        (!self.in_turn.is_empty()).then(|| {
            format!(
                "attempts are taken as independent, but hosts take turns in {} (ROUND_ROBIN, or by weights): a retry gets the \
                 turn after that of the latest request, so the order of all requests decides",
                self.in_turn.join(", ")
            )
        })
    }

    /// The probability that the first attempt succeeds: that of a request that is not retried.
    fn first(&self) -> f64 {
        self.attempts
            .first()
            .map_or(0.0, |attempt| attempt.succeeds)
    }
}

/// A host of an earlier attempt.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct TriedHost {
    owner: String,
    priority: usize,
    address: String,
}

/// Earlier attempts that the next attempt cannot distinguish.
type StateKey = Vec<(String, usize, String)>;

/// The probabilities for a request under this retry policy while the hosts `failed` refuse
/// connections. All attempts of the request are before other changes of health.
///
/// # Errors
/// Without an answer.
pub fn success(
    answerer: &mut Answerer<'_>,
    request: &PickRequest,
    policy: &RetryPolicy,
    failed: &BTreeSet<String>,
) -> Result<Success, SuccessFault> {
    let retries = if policy.retries_failed_connections() {
        policy.retries
    } else {
        0
    };
    if retries > MAXIMUM_ATTEMPT {
        return Err(SuccessFault::NotModeled("num_retries above 1000"));
    }
    let shared = failed.iter().map(String::as_str);
    let shared: BTreeSet<&str> = shared.filter(|host| answerer.is_shared(host)).collect();
    let mut found = Success {
        attempts: Vec::new(),
        retries,
        of_connection: false,
        in_turn: Vec::new(),
    };
    let mut states: BTreeMap<StateKey, (Vec<TriedHost>, f64)> = BTreeMap::new();
    states.insert(Vec::new(), (Vec::new(), 1.0));
    for attempt in 0..=retries {
        let mut outcome = AttemptOutcome::default();
        let mut next: BTreeMap<StateKey, (Vec<TriedHost>, f64)> = BTreeMap::new();
        for (tried, part) in states.into_values() {
            outcome.made += part;
            let asked = PickRequest {
                attempt,
                tried: tried.iter().map(|host| host.address.clone()).collect(),
                ..request.clone()
            };
            let (hosts, no_host) = choice(answerer, &asked)?;
            outcome.no_host += part * no_host / 100.0;
            for host in hosts {
                let part = part * host.share / 100.0;
                if !failed.contains(&host.endpoint) {
                    outcome.succeeds += part;
                    continue;
                }
                let mut tried = tried.clone();
                tried.push(TriedHost {
                    owner: host.owner,
                    priority: host.priority,
                    address: host.endpoint,
                });
                let state = next
                    .entry(key(&tried, policy, &shared))
                    .or_insert((tried, 0.0));
                state.1 += part;
            }
        }
        found.attempts.push(outcome);
        if next.len() > MOST_STATES {
            return Err(SuccessFault::TooMany);
        }
        states = next;
        if states.is_empty() {
            break;
        }
    }
    found.in_turn = in_turn(answerer, &found);
    Ok(found)
}

/// The probabilities for a connection of a TCP proxy that connects up to `attempts` times
/// (`max_connect_attempts`) while the hosts `failed` refuse connections. Each attempt chooses a cluster
/// and a host as the first one does.
///
/// # Errors
/// Without an answer.
pub fn connection_success(
    answerer: &mut Answerer<'_>,
    request: &PickRequest,
    attempts: u32,
    failed: &BTreeSet<String>,
) -> Result<Success, SuccessFault> {
    let retries = attempts.saturating_sub(1);
    if retries > MAXIMUM_ATTEMPT {
        return Err(SuccessFault::NotModeled("max_connect_attempts above 1001"));
    }
    let (hosts, no_host) = choice(answerer, request)?;
    let (bad, good): (Vec<_>, Vec<_>) = hosts
        .iter()
        .partition(|host| failed.contains(&host.endpoint));
    let sum = |hosts: Vec<&PickOutcome>| hosts.iter().map(|host| host.share / 100.0).sum::<f64>();
    let (bad, good) = (sum(bad), sum(good));
    let mut found = Success {
        attempts: Vec::new(),
        retries,
        of_connection: true,
        in_turn: Vec::new(),
    };
    let mut made = 1.0;
    for _ in 0..attempts {
        found.attempts.push(AttemptOutcome {
            made,
            succeeds: made * good,
            no_host: made * no_host / 100.0,
        });
        made *= bad;
        if made <= 0.0 {
            break;
        }
    }
    found.in_turn = in_turn(answerer, &found);
    Ok(found)
}

/// The clusters of the last request whose hosts take turns, if it is retried.
fn in_turn(answerer: &Answerer<'_>, found: &Success) -> Vec<String> {
    if !found.is_retried() {
        return Vec::new();
    }
    let snapshot = answerer.snapshot;
    let reached = answerer.reached().clusters.iter();
    let owners = reached.flat_map(|id| snapshot.owners(*id));
    let turning = owners.filter(|id| snapshot.plain(*id).is_some_and(takes_turns));
    let names = turning.filter_map(|id| Some(snapshot.cluster(id)?.name.clone()));
    let names: BTreeSet<String> = names.collect();
    names.into_iter().collect()
}

/// Whether hosts or localities of a cluster take turns: Envoy schedules both by their weights, and only RANDOM, equal hosts of
/// `LEAST_REQUEST` and policies with a hash choose them otherwise.
fn takes_turns(plain: &PlainSnapshot) -> bool {
    let settings = &plain.settings;
    let has_localities = |of: &PriorityHosts| of.localities.len() > 1;
    let localities =
        settings.locality_lb.is_weighted() && plain.priorities.iter().any(has_localities);
    let has_weights = |of: &PriorityHosts| {
        let mut weights = (0..of.len()).map(|host| of.weight(host));
        let first = weights.next();
        weights.any(|weight| Some(weight) != first)
    };
    match settings.policy {
        Policy::RoundRobin | Policy::ClientSideWeightedRoundRobin => true,
        Policy::LeastRequest(_) => localities || plain.priorities.iter().any(has_weights),
        Policy::Random => localities,
        Policy::RingHash(_) | Policy::Maglev(_) | Policy::Rendezvous => false,
    }
}

/// The hosts that an attempt can choose, and the percentage that finds none.
fn choice(
    answerer: &mut Answerer<'_>,
    asked: &PickRequest,
) -> Result<(Vec<PickOutcome>, f64), SuccessFault> {
    match answerer.answer(asked) {
        PickOutput::Determined { outcome, .. } => Ok((vec![outcome], 0.0)),
        PickOutput::NoHost { .. } => Ok((Vec::new(), 100.0)),
        PickOutput::Random {
            distribution,
            no_host,
            ..
        } => Ok((distribution, no_host)),
        PickOutput::Unknown { why, .. } if why == PORT_UNKNOWN => Err(SuccessFault::Unstated(why)),
        PickOutput::Unknown { why, .. } => Err(SuccessFault::NotModeled(why)),
    }
}

/// What the next attempt depends on. `shared` are the hosts of several clusters: the address of an earlier
/// attempt shows its cluster only for the others.
fn key(tried: &[TriedHost], policy: &RetryPolicy, shared: &BTreeSet<&str>) -> StateKey {
    let names_hosts = policy.predicates.contains(&HostPredicate::PreviousHosts);
    let in_order = policy.previous_priorities.is_some() || policy.refreshes_cluster;
    let mut key: StateKey = tried
        .iter()
        .map(|host| {
            let address = if names_hosts || shared.contains(host.address.as_str()) {
                host.address.clone()
            } else {
                String::new()
            };
            let priority = if in_order { host.priority } else { 0 };
            (host.owner.clone(), priority, address)
        })
        .collect();
    if !in_order {
        key.sort();
        key.dedup();
    }
    key
}
