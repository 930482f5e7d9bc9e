//! A pick within one cluster: a level, then a host of it.

use alloc::format;

use super::{ChosenLevel, Decision, State};
use crate::{
    draw::Draw,
    load::{HostClass, choose_priority},
    model::Policy,
    snapshot::{ClusterId, PlainSnapshot},
    trace::{Step, StepKind, Trace},
};

/// A pick within one cluster.
pub(super) struct Pick<'a> {
    pub(super) cluster: ClusterId,
    pub(super) owner: ClusterId,
    pub(super) plain: &'a PlainSnapshot,
    /// The level that an aggregate chose. Hash policies do not look at it.
    pub(super) forced: Option<(usize, HostClass)>,
    pub(super) hash: Option<u64>,
    pub(super) attempt: u32,
}

impl Pick<'_> {
    pub(super) fn run(
        &self,
        state: &mut State,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
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
            _ if !self.plain.policy.hashes() && self.plain.policy != Policy::Random => {
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
            _ => {
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
