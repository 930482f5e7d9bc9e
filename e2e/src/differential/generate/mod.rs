//! Random topologies out of a seed.
//!
//! What is unusual is likely here: few hosts, ill ones, odd weights, thresholds at the edge.

mod aggregate;
mod cluster;
mod hosts;
mod maker;
mod policy;
mod requests;
mod routes;
mod sessions;
mod subsets;
mod surroundings;

use std::sync::Arc;

use super::features::Features;
use super::scenario::{DifferentialScenario, Surroundings};
use maker::Maker;
use spillgate_testkit::models::Dice;

pub use surroundings::surroundings;

/// The scenario of a number within the run of a seed, with about so many requests.
#[must_use]
pub fn scenario(
    seed: u64,
    number: u64,
    requests: usize,
    features: &Features,
    surroundings: &Arc<Surroundings>,
) -> DifferentialScenario {
    let mut maker = Maker::new(Dice::of(seed, number), features, surroundings);
    let entry = maker.entry();
    let routes = maker.routes(&entry);
    let requests = maker.requests(&routes, requests);
    DifferentialScenario {
        number,
        features: maker.used,
        clusters: maker.clusters,
        routes: routes.into_iter().map(|route| route.message).collect(),
        requests,
        surroundings: Arc::clone(surroundings),
    }
}
