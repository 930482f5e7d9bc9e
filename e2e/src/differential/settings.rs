//! What a run is asked to do.

use std::path::PathBuf;
use std::time::Duration;

use super::features::Features;
use super::predict::Predictor;

/// What a run is asked to do.
#[derive(Debug, Clone)]
pub struct DifferentialSettings {
    /// How many topologies.
    pub scenarios: usize,
    /// How many requests to all of them together, about.
    pub requests: usize,
    /// Where chance begins.
    pub seed: u64,
    /// What topologies are made of.
    pub features: Features,
    /// When to stop, however many there are still to come.
    pub limit: Option<Duration>,
    /// The folder for what differs.
    pub findings: PathBuf,
    /// How many failures are made smaller; further ones are recorded as they are.
    pub shrunk: usize,
    /// How the engine is asked.
    pub predictor: Predictor,
}
