//! One request in, one host out: the single entry point of proxy, page and command line.

mod state;

pub use state::State;

use alloc::{format, vec::Vec};

use crate::{
    draw::Draw,
    load::{HostClass, choose_priority},
    model::{Endpoint, Policy},
    route::{HashPolicy, Headers, request_hash},
    snapshot::{AggregateSnapshot, ClusterId, Kind, PlainSnapshot, Snapshot},
    trace::{Step, StepKind, Trace},
};

/// What a decision is asked for.
#[derive(Debug)]
pub struct Request<'a, H> {
    /// The cluster that the request is routed to.
    pub cluster: ClusterId,
    /// How its hash is made.
    pub hash_policies: &'a [HashPolicy],
    /// Its headers.
    pub headers: &'a H,
    /// Which try this is, 0 for the first. Hash policies go on to other hosts.
    pub attempt: u32,
}

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The cluster that was asked for.
    pub cluster: ClusterId,
    /// The level that was chosen; `None` when there is no level at all.
    pub level: Option<ChosenLevel>,
    /// The index of the host in that level.
    pub host: Option<usize>,
    /// The request hash, or the draw that stood in for it.
    pub hash: u64,
}

/// A level, and which of its hosts serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenLevel {
    /// The cluster that owns it; under an aggregate one of its members.
    pub owner: ClusterId,
    /// Its number in that cluster.
    pub priority: usize,
    /// Which hosts the load was meant for.
    pub class: HostClass,
    /// Whether it serves from all its hosts.
    pub panic: bool,
}

/// Why a decision is what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The policy chose a host.
    Chosen,
    /// There was none to choose.
    NoHost,
}

impl Reason {
    /// The name in traces and metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::NoHost => "no_host",
        }
    }
}

/// Chooses a host for a request.
///
/// Total: whatever the arguments, an answer comes out. Random draws are taken in Envoy's order: an
/// aggregate's choice of a level, then the member's, then the host's.
pub fn decide<H: Headers>(
    snapshot: &Snapshot,
    state: &mut State,
    request: &Request<'_, H>,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> Decision {
    let hash = request_hash(request.hash_policies, request.headers);
    trace.step(|| route_step(snapshot, request.cluster, hash));
    let nothing = Decision {
        cluster: request.cluster,
        level: None,
        host: None,
        hash: hash.unwrap_or(0),
    };
    match snapshot
        .cluster(request.cluster)
        .map(|cluster| &cluster.kind)
    {
        Some(Kind::Plain(plain)) => {
            let mut pick = Pick {
                cluster: request.cluster,
                owner: request.cluster,
                plain,
                forced: None,
                hash,
                attempt: request.attempt,
            };
            pick.run(state, draw, trace)
        }
        Some(Kind::Aggregate(aggregate)) => {
            let Some(forced) = choose_member(snapshot, aggregate, draw, trace) else {
                return nothing;
            };
            let Some(plain) = snapshot.plain(forced.0) else {
                return nothing;
            };
            let mut pick = Pick {
                cluster: request.cluster,
                owner: forced.0,
                plain,
                forced: Some((forced.1, forced.2)),
                hash,
                attempt: request.attempt,
            };
            pick.run(state, draw, trace)
        }
        None => nothing,
    }
}

impl Decision {
    /// Why.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        match self.host {
            Some(_) => Reason::Chosen,
            None => Reason::NoHost,
        }
    }

    /// The endpoint that was chosen.
    #[must_use]
    pub fn endpoint<'s>(&self, snapshot: &'s Snapshot) -> Option<&'s Endpoint> {
        let level = self.level?;
        let levels = &snapshot.plain(level.owner)?.levels;
        levels.get(level.priority)?.level.endpoints.get(self.host?)
    }

    /// The chosen host and those to try after it, at most `limit` in all: distinct, of the same
    /// cluster, first of the same level, then of lower ones that have any to serve.
    pub fn candidates<'s>(&self, snapshot: &'s Snapshot, limit: usize) -> Vec<&'s Endpoint> {
        let mut candidates: Vec<&Endpoint> = Vec::with_capacity(limit.min(MAXIMUM_CANDIDATES));
        let (Some(chosen), Some(first)) = (self.level, self.endpoint(snapshot)) else {
            return candidates;
        };
        let Some(plain) = snapshot.plain(chosen.owner) else {
            return candidates;
        };
        let limit = limit.clamp(1, MAXIMUM_CANDIDATES);
        candidates.push(first);
        for (priority, level) in plain.levels.iter().enumerate().skip(chosen.priority) {
            let class = if priority == chosen.priority {
                chosen.class
            } else {
                HostClass::Healthy
            };
            let hosts = plain.hosts(priority, class);
            // Start behind the chosen host, so that the next choice is not always the same one.
            let start = match self.host {
                Some(host) if priority == chosen.priority => {
                    hosts.iter().position(|h| h == host).map_or(0, |at| at + 1)
                }
                _ => (self.hash as usize).checked_rem(hosts.len()).unwrap_or(0),
            };
            for place in 0..hosts.len() {
                if candidates.len() >= limit {
                    return candidates;
                }
                let at = (start + place).checked_rem(hosts.len()).unwrap_or(0);
                let endpoint = hosts.get(at).and_then(|h| level.level.endpoints.get(h));
                if let Some(endpoint) = endpoint
                    && candidates
                        .iter()
                        .all(|have| have.address != endpoint.address)
                {
                    candidates.push(endpoint);
                }
            }
        }
        candidates
    }
}

/// The most hosts that a decision lists, however many are asked for.
pub const MAXIMUM_CANDIDATES: usize = 32;

/// The aggregate's own choice: always random, never by the request hash.
fn choose_member(
    snapshot: &Snapshot,
    aggregate: &AggregateSnapshot,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> Option<(ClusterId, usize, HostClass)> {
    let line = &aggregate.line;
    let roll = draw.draw();
    let (at, class) = choose_priority(roll, &line.load.healthy, &line.load.degraded);
    let chosen = line.levels.get(at);
    trace.step(|| {
        let name = chosen
            .and_then(|level| snapshot.cluster(level.cluster))
            .map_or("none", |cluster| cluster.name.as_str());
        Step {
            kind: StepKind::Cluster,
            what: match chosen {
                Some(level) => format!("{name}, its level {}", level.priority),
                None => "no member has a host".into(),
            },
            values: [
                ("roll", (roll % 100).into()),
                ("line", at.into()),
                ("healthy_load", line.load.healthy.as_slice().into()),
                ("degraded_load", line.load.degraded.as_slice().into()),
                (
                    "panic_threshold",
                    aggregate.panic_threshold.percent().into(),
                ),
            ]
            .into(),
        }
    });
    let level = chosen?;
    Some((level.cluster, level.priority, class))
}

/// A pick within one cluster.
struct Pick<'a> {
    cluster: ClusterId,
    owner: ClusterId,
    plain: &'a PlainSnapshot,
    /// The level that an aggregate chose. Hash policies do not look at it.
    forced: Option<(usize, HostClass)>,
    hash: Option<u64>,
    attempt: u32,
}

impl Pick<'_> {
    fn run(&mut self, state: &mut State, draw: &mut impl Draw, trace: &mut impl Trace) -> Decision {
        let load = &self.plain.load;
        let by_hash = self.plain.policy.hashes();
        let key = match self.hash {
            Some(hash) if by_hash => hash,
            _ => draw.draw(),
        };
        let (priority, class) = match self.forced {
            Some(forced) if !by_hash => forced,
            _ => choose_priority(key, &load.healthy, &load.degraded),
        };
        let panic = load.panics(priority);
        let level = ChosenLevel {
            owner: self.owner,
            priority,
            class,
            panic,
        };
        trace.step(|| self.level_step(&level, key));
        let host = self.host(state, &level, key);
        trace.step(|| self.host_step(&level, host));
        Decision {
            cluster: self.cluster,
            level: Some(level),
            host,
            hash: self.hash.unwrap_or(key),
        }
    }

    fn host(&self, state: &mut State, level: &ChosenLevel, key: u64) -> Option<usize> {
        let hosts = self.plain.hosts(level.priority, level.class);
        match self.plain.policy {
            Policy::RoundRobin => {
                let place = match state.turn(self.owner, level.priority, level.class, level.panic) {
                    Some(turn) => turn.pick(hosts.len()),
                    // A state that was made for another snapshot: any host will do.
                    None => key.checked_rem(hosts.len() as u64).map(|at| at as usize),
                };
                hosts.get(place?)
            }
            Policy::Random => {
                let place = key.checked_rem(hosts.len() as u64)?;
                hosts.get(place as usize)
            }
            Policy::RingHash(_) | Policy::Maglev(_) => {
                let table = self.plain.levels.get(level.priority)?.table.as_ref()?;
                table.lookup(key, self.attempt)
            }
        }
    }

    fn level_step(&self, level: &ChosenLevel, key: u64) -> Step {
        let load = &self.plain.load;
        let class = match level.class {
            HostClass::Healthy => "healthy",
            HostClass::Degraded => "degraded",
        };
        let forced = self.forced.is_some() && !self.plain.policy.hashes();
        Step {
            kind: StepKind::Level,
            what: match (level.panic, forced) {
                (true, _) => format!("level {}, in panic: all its hosts", level.priority),
                (false, true) => format!(
                    "level {}, {class} hosts, as the aggregate chose",
                    level.priority
                ),
                (false, false) => format!("level {}, {class} hosts", level.priority),
            },
            values: [
                ("roll", (key % 100).into()),
                ("healthy_load", load.healthy.as_slice().into()),
                ("degraded_load", load.degraded.as_slice().into()),
                ("total_availability", load.normalized_total.into()),
                ("panic", level.panic.into()),
                (
                    "panic_threshold",
                    self.plain.panic_threshold.percent().into(),
                ),
                (
                    "overprovisioning_factor",
                    self.plain.overprovisioning_factor.0.into(),
                ),
            ]
            .into(),
        }
    }

    fn host_step(&self, level: &ChosenLevel, host: Option<usize>) -> Step {
        let policy = self.plain.policy.name();
        let endpoints = self
            .plain
            .levels
            .get(level.priority)
            .map(|l| &l.level.endpoints);
        let endpoint = host.and_then(|host| endpoints?.get(host));
        Step {
            kind: StepKind::Host,
            what: match endpoint {
                Some(endpoint) => format!("{} by {policy}", endpoint.address),
                None => format!("{policy} has no host to choose"),
            },
            values: [
                (
                    "hosts",
                    self.plain.hosts(level.priority, level.class).len().into(),
                ),
                ("attempt", self.attempt.into()),
            ]
            .into(),
        }
    }
}

fn route_step(snapshot: &Snapshot, cluster: ClusterId, hash: Option<u64>) -> Step {
    let name = snapshot.cluster(cluster).map_or("", |c| c.name.as_str());
    Step {
        kind: StepKind::Route,
        what: match hash {
            Some(_) => format!("cluster {name}, with a request hash"),
            None => format!("cluster {name}, without a request hash"),
        },
        values: hash.map(|hash| ("hash", hash.into())).into_iter().collect(),
    }
}
