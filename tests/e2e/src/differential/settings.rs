//! The settings of a run.

use std::path::PathBuf;
use std::time::Duration;

use super::features::Features;
use super::predict::Predictor;

/// The settings of a run.
#[derive(Debug, Clone)]
pub struct DifferentialSettings {
    /// The number of topologies.
    pub scenarios: usize,
    /// How many requests to all of them together, about.
    pub requests: usize,
    /// The seed.
    pub seed: u64,
    /// The features of the topologies.
    pub features: Features,
    /// When to stop, however many there are still to come.
    pub limit: Option<Duration>,
    /// The folder for failing scenarios.
    pub findings: PathBuf,
    /// The number of failures that are reduced; others are recorded unchanged.
    pub shrunk: usize,
    /// The source of the engine's answers.
    pub predictor: Predictor,
}
