//! How current the view of the hosts is.

use super::counter::Counter;
use crate::host;

/// What a poller does.
#[derive(Default)]
pub(crate) struct Polls {
    asked: Counter,
    failed: Counter,
}

impl Polls {
    /// Counts a question to the admin.
    pub(crate) fn asked(&mut self) {
        self.asked.add("spillgate.health.polls");
    }

    /// Counts a question without a useful answer.
    pub(crate) fn failed(&mut self) {
        self.failed.add("spillgate.health.poll_failures");
    }
}

/// What news does to a worker.
#[derive(Default)]
pub(crate) struct Updates {
    rebuilt: Counter,
    updated: Counter,
}

impl Updates {
    /// Counts a full build: hosts came or went.
    pub(crate) fn rebuilt(&mut self) {
        self.rebuilt.add("spillgate.health.rebuilds");
    }

    /// Counts a change of health alone.
    pub(crate) fn updated(&mut self) {
        self.updated.add("spillgate.health.updates");
    }
}

/// How old the news of one cluster is. All workers write the same two gauges.
pub(crate) struct Freshness {
    age: Option<u32>,
    stale: Option<u32>,
}

impl Freshness {
    /// The gauges of a cluster.
    pub(crate) fn of(cluster: &str) -> Self {
        let gauge = |what: &str| host::gauge(&format!("spillgate.health.cluster.{cluster}.{what}"));
        Self {
            age: gauge("age_ms"),
            stale: gauge("stale"),
        }
    }

    /// Notes an age in nanoseconds, and whether it is too much.
    pub(crate) fn record(&self, age: u64, stale: bool) {
        if let Some(gauge) = self.age {
            host::record(gauge, age / 1_000_000);
        }
        if let Some(gauge) = self.stale {
            host::record(gauge, stale.into());
        }
    }
}
