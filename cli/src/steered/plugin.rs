//! What the filter's host environment offers outside of requests: a clock and a seed.

use spillgate_steer::port::{HealthPort, Plugin};

/// A host environment without metrics and log. Nobody polls in it: hosts are known from the start.
#[derive(Debug, Clone, Copy)]
pub(super) struct EvaluationPlugin {
    /// Nanoseconds since the Unix epoch.
    pub(super) now: u64,
    pub(super) seed: u64,
}

impl Plugin for EvaluationPlugin {
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
