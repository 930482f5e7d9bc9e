//! Counters of polls and of applied changes, and gauges of how current health is.

use alloc::format;

use super::counter::Counter;
use crate::port::{MetricId, Plugin};

/// Counters of a poller.
pub(crate) struct PollCounters {
    /// Requests to the admin interface.
    pub(crate) sent: Counter,
    /// Those without a usable response.
    pub(crate) failed: Counter,
    /// Responses with unknown flags or lines.
    pub(crate) unknown_values: Counter,
    /// Polls of hosts by a worker, because the poller of all workers is silent.
    pub(crate) standby: Counter,
}

impl Default for PollCounters {
    fn default() -> Self {
        Self {
            sent: Counter::new("spillgate.health.polls"),
            failed: Counter::new("spillgate.health.poll_failures"),
            unknown_values: Counter::new("spillgate.health.unknown_values"),
            standby: Counter::new("spillgate.health.standby_polls"),
        }
    }
}

/// Counters of a worker that applies published hosts and health.
pub(crate) struct UpdateCounters {
    /// Changes that add or remove hosts: the snapshot is built again.
    pub(crate) rebuilds: Counter,
    /// Changes of health only.
    pub(crate) updates: Counter,
}

impl Default for UpdateCounters {
    fn default() -> Self {
        Self {
            rebuilds: Counter::new("spillgate.health.rebuilds"),
            updates: Counter::new("spillgate.health.updates"),
        }
    }
}

/// The age of one cluster's health. All workers write the same two gauges:
/// `spillgate.health.cluster.C.age_ms` and `.stale` (0 or 1).
pub(crate) struct AgeGauges {
    age_ms: Option<MetricId>,
    stale: Option<MetricId>,
}

impl AgeGauges {
    /// The gauges of a cluster.
    pub(crate) fn of(plugin: &impl Plugin, cluster: &str) -> Self {
        let gauge =
            |name: &str| plugin.gauge(&format!("spillgate.health.cluster.{cluster}.{name}"));
        Self {
            age_ms: gauge("age_ms"),
            stale: gauge("stale"),
        }
    }

    /// Records an age, and whether it exceeds `limit`, both in nanoseconds. Returns whether it
    /// does.
    pub(crate) fn record(&self, plugin: &impl Plugin, age: u64, limit: u64) -> bool {
        let stale = age > limit;
        if let Some(gauge) = self.age_ms {
            plugin.record(gauge, age / 1_000_000);
        }
        if let Some(gauge) = self.stale {
            plugin.record(gauge, stale.into());
        }
        stale
    }
}
