//! What the filter's host environment offers outside of requests: a clock and a seed.

use spillgate_steer::port::{HealthPort, LogLevel, MetricId, Plugin};

/// A host environment without metrics and log. Nobody polls in it: hosts are known from the start.
#[derive(Debug, Clone, Copy)]
pub(super) struct EvaluationPlugin {
    /// Nanoseconds since the Unix epoch.
    pub(super) now: u64,
    pub(super) seed: u64,
}

impl Plugin for EvaluationPlugin {
    fn counter(&self, _: &str) -> Option<MetricId> {
        None
    }

    fn increment(&self, _: MetricId) {}

    fn gauge(&self, _: &str) -> Option<MetricId> {
        None
    }

    fn record(&self, _: MetricId, _: u64) {}

    fn log(&self, _: LogLevel, _: &str) {}

    fn now(&self) -> u64 {
        self.now
    }

    fn random(&self, bytes: &mut [u8]) -> bool {
        for (byte, seed) in bytes.iter_mut().zip(self.seed.to_le_bytes().iter().cycle()) {
            *byte = *seed;
        }
        true
    }
}

impl HealthPort for EvaluationPlugin {}
