//! The host environment of an evaluated filter outside of requests: a clock and a seed.

use spillgate_steer::port::{HealthPort, Plugin};

/// A host environment without metrics, logs and polls: the hosts are known from the start.
#[derive(Debug, Clone, Copy)]
pub(super) struct EvaluationPlugin {
    /// Nanoseconds since the Unix epoch.
    pub(super) now: u64,
    /// The seed of random choices.
    pub(super) seed: u64,
}

impl Plugin for EvaluationPlugin {
    fn wall_clock(&self) -> u64 {
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
