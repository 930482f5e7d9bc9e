//! How current the known health of hosts is.

use alloc::format;

use super::counter::Counter;
use crate::port::{MetricId, Plugin};

/// Counters of a poller.
#[derive(Default)]
pub(crate) struct PollCounters {
    sent: Counter,
    failed: Counter,
}

impl PollCounters {
    /// Counts a poll.
    pub(crate) fn sent(&mut self, plugin: &impl Plugin) {
        self.sent.add(plugin, "spillgate.health.polls");
    }

    /// Counts a poll without a usable response.
    pub(crate) fn failed(&mut self, plugin: &impl Plugin) {
        self.failed.add(plugin, "spillgate.health.poll_failures");
    }
}

/// Counters of a worker that follows what is published.
#[derive(Default)]
pub(crate) struct UpdateCounters {
    rebuilt: Counter,
    updated: Counter,
}

impl UpdateCounters {
    /// Counts a full build: hosts were added or removed.
    pub(crate) fn rebuilt(&mut self, plugin: &impl Plugin) {
        self.rebuilt.add(plugin, "spillgate.health.rebuilds");
    }

    /// Counts a change of health alone.
    pub(crate) fn updated(&mut self, plugin: &impl Plugin) {
        self.updated.add(plugin, "spillgate.health.updates");
    }
}

/// The age of one cluster's health. All workers write the same two gauges.
pub(crate) struct AgeGauges {
    age: Option<MetricId>,
    stale: Option<MetricId>,
}

impl AgeGauges {
    /// The gauges of a cluster.
    pub(crate) fn of(plugin: &impl Plugin, cluster: &str) -> Self {
        let gauge =
            |what: &str| plugin.gauge(&format!("spillgate.health.cluster.{cluster}.{what}"));
        Self {
            age: gauge("age_ms"),
            stale: gauge("stale"),
        }
    }

    /// Records an age in nanoseconds, and whether it is too old.
    pub(crate) fn record(&self, plugin: &impl Plugin, age: u64, stale: bool) {
        if let Some(gauge) = self.age {
            plugin.record(gauge, age / 1_000_000);
        }
        if let Some(gauge) = self.stale {
            plugin.record(gauge, stale.into());
        }
    }
}
