//! What a filter adds to the cost of a request: CPU time of one Envoy, from its own accounting.
//!
//! Absolute times say more about the machine than about a filter. So every sample is taken between
//! two samples of the same Envoy without a filter and counts as the difference to them; a round
//! takes several of each variant in shuffled order and keeps the middle one, so that other
//! load on the machine affects all equally; and a second listener without a filter shows what
//! differences mean nothing.

mod instructions;
mod latency;
mod modules;
mod run;
mod sample;
mod summary;
mod variants;
mod version;

pub use instructions::instructions;
pub use latency::{FilterLatency, LatencySettings, latency};
pub use run::{drive, run};
pub(crate) use sample::cpu_time;
pub use summary::FilterCost;

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct CostSettings {
    /// Figures of each variant.
    pub rounds: usize,
    /// Samples of each variant in a round, of which the middle one is the round's figure.
    pub samples: usize,
    /// Requests of a sample.
    pub requests: usize,
    /// Whether single hostcalls are measured too.
    pub hostcalls: bool,
}

impl Default for CostSettings {
    fn default() -> Self {
        Self {
            rounds: 12,
            samples: 7,
            requests: 500,
            hostcalls: true,
        }
    }
}
