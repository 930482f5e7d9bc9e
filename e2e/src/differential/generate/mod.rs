//! Random topologies from a seed.
//!
//! Edge cases are likely: few hosts, unhealthy hosts, odd weights, thresholds at their limits.
//! These are Envoy messages, in all the forms in which Envoy accepts them, because the readers are
//! tested too. `spillgate_testkit::models` makes models instead.

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

/// The scenario of a number within the run of a seed, with about that many requests.
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
