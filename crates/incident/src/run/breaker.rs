//! The circuit breaker of a cluster: what it admits of a load.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_core::snapshot::ClusterId;

use super::waiting::Waiting;
use crate::traffic::{Admission, FirstLimit, Flow, refused_part};

/// Shorter attempts count by their mean number; longer ones are followed from their start to their end.
const SHORT: Duration = Duration::from_millis(250);

/// The circuit breaker of a cluster in a run.
#[derive(Debug)]
pub(super) struct BreakerRun {
    limit: FirstLimit,
    pub(super) waiting: Waiting,
    /// Whether it refuses requests although none of them takes long: earlier ones take the places.
    is_taken: bool,
    /// Changes with each plan for the next change.
    pub(super) version: u32,
}

/// The attempts of a cluster per second.
#[derive(Debug, Default)]
pub(super) struct Load {
    /// Those that take long, with their time.
    pub(super) long: Vec<(Duration, f64)>,
    /// The mean number of the others that are active.
    pub(super) short: f64,
    /// The hosts that answer in time: with a connection for each request, each of them keeps one.
    pub(super) working: usize,
}

impl BreakerRun {
    pub(super) fn new(limit: FirstLimit, at: Duration) -> Self {
        Self {
            limit,
            waiting: Waiting::new(at),
            is_taken: false,
            version: 0,
        }
    }

    /// Attempts that take at most this long count by their mean number. With a connection for each request, so do all
    /// within the service time: requests that wait for a connection only move its end.
    pub(super) fn steady(&self, service_time: Duration) -> Duration {
        match self.limit {
            FirstLimit::Nothing(_) | FirstLimit::Requests(_) => SHORT,
            FirstLimit::Connections { .. } => SHORT.max(service_time),
        }
    }

    /// When it admits more or fewer requests; `None` if that does not change.
    pub(super) fn next_change(&self) -> Option<Duration> {
        let change = self.waiting.next_change();
        let more = self.is_taken.then(|| self.waiting.next_free()).flatten();
        match (change, more) {
            (Some(change), Some(more)) => Some(change.min(more)),
            (change, more) => change.or(more),
        }
    }

    /// What it admits of a load.
    pub(super) fn admission(&mut self, load: &Load) -> Admission {
        let most = self.limit.most();
        let taken = match self.limit {
            FirstLimit::Nothing(_) | FirstLimit::Requests(_) => load.short,
            // Envoy opens the first connection of a host whatever the limit.
            FirstLimit::Connections { most, .. } => load
                .short
                .max(load.working as f64)
                .min(f64::from(most) - 1.0),
        };
        self.waiting.set_limit((most - taken).max(0.0));
        let late = self
            .waiting
            .admitted(load.long.iter().map(|(_, rate)| rate).sum());
        self.is_taken = false;
        match self.limit {
            FirstLimit::Nothing(_) => Admission::NOTHING,
            _ if self.limit.is_queue() => Admission::ALL,
            FirstLimit::Requests(_) => {
                let free = most - self.waiting.number();
                let all = if load.short >= most {
                    // The short ones alone take all places: long ones compete with them.
                    1.0 - refused_part(load.mean(), most)
                } else if !load.long.is_empty() {
                    late * (1.0 - refused_part(load.short, free))
                } else if self.waiting.is_full() {
                    0.0
                } else {
                    1.0 - refused_part(load.short, free.max(1.0))
                };
                self.is_taken = load.long.is_empty() && all < 1.0;
                Admission { all, late: all }
            }
            FirstLimit::Connections { most, .. } => {
                let all = (f64::from(most) / load.short).min(1.0);
                Admission {
                    all,
                    late: late * all,
                }
            }
        }
    }
}

impl Load {
    /// The mean number of active attempts.
    fn mean(&self) -> f64 {
        let long = self.long.iter();
        self.short
            + long
                .map(|(time, rate)| time.as_secs_f64() * rate)
                .sum::<f64>()
    }
}

/// The attempts of a flow in a cluster, of which those that take at most `steady` count by their mean number.
pub(super) fn load(flow: &Flow, cluster: ClusterId, rps: f64, steady: Duration) -> Load {
    let mut load = Load::default();
    for ((of, time), part) in &flow.taken {
        let rate = part * rps;
        if *of != cluster || rate <= 0.0 {
            continue;
        }
        if *time <= steady {
            load.short += rate * time.as_secs_f64();
        } else {
            load.long.push((*time, rate));
        }
    }
    load
}
