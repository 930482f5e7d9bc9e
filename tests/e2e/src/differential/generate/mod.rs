//! Random topologies from a seed.
//!
//! Edge cases are likely: few hosts, unhealthy hosts, odd weights, thresholds at their limits.
//! These are Envoy messages, in all the forms in which Envoy accepts them, because the readers are
//! tested too. `spillgate_testkit::models` makes models instead.

mod aggregate;
mod assignments;
mod cluster;
mod connection_manager;
mod header_changes;
mod maker;
mod metadata_filters;
mod original_dst;
mod random_policy;
mod requests;
mod retries;
mod rewrites;
mod routes;
mod runtime;
mod sessions;
mod subsets;
mod surroundings;
mod weighted;

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
    if maker.uses("retries", 30) {
        maker.uses("refresh_cluster_on_retry", 25);
    }
    maker.uses("forwarded_for", 12);
    let entry = maker.entry();
    let routes = maker.routes(&entry);
    maker.virtual_host();
    let requests = maker.requests(&routes, requests);
    let routes = maker.with_turns(routes);
    DifferentialScenario {
        number,
        features: maker.used,
        clusters: maker.clusters,
        routes,
        virtual_host: maker.virtual_host,
        runtime: maker.runtime,
        requests,
        surroundings: Arc::clone(surroundings),
    }
}
