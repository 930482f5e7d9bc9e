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
    /// Those of them that were queries for metadata.
    pub(crate) metadata_failed: Counter,
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
            metadata_failed: Counter::new("spillgate.health.metadata_failures"),
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

/// The age of what is known about one cluster. All workers write the same gauges:
/// `spillgate.health.cluster.C.age_ms`, `.metadata_age_ms` (if metadata are polled) and `.stale` (0
/// or 1).
pub(crate) struct AgeGauges {
    age_ms: Option<MetricId>,
    metadata_age_ms: Option<MetricId>,
    stale: Option<MetricId>,
}

/// The age of what is known about one cluster, in nanoseconds.
#[derive(Clone, Copy)]
pub(crate) struct Ages {
    pub(crate) health: u64,
    /// `None` if the metadata are configured or not needed.
    pub(crate) metadata: Option<u64>,
}

impl AgeGauges {
    /// The gauges of a cluster; `metadata` says whether its metadata are polled.
    pub(crate) fn of(plugin: &impl Plugin, cluster: &str, metadata: bool) -> Self {
        let gauge =
            |name: &str| plugin.gauge(&format!("spillgate.health.cluster.{cluster}.{name}"));
        Self {
            age_ms: gauge("age_ms"),
            metadata_age_ms: metadata.then(|| gauge("metadata_age_ms")).flatten(),
            stale: gauge("stale"),
        }
    }

    /// Records both ages, and whether one of them exceeds its limit.
    pub(crate) fn record(&self, plugin: &impl Plugin, ages: Ages, stale: bool) {
        if let Some(gauge) = self.age_ms {
            plugin.record(gauge, ages.health / 1_000_000);
        }
        if let (Some(gauge), Some(age)) = (self.metadata_age_ms, ages.metadata) {
            plugin.record(gauge, age / 1_000_000);
        }
        if let Some(gauge) = self.stale {
            plugin.record(gauge, stale.into());
        }
    }
}
