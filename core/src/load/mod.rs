//! From host health to loads: the percentage of the requests that each priority gets.
//!
//! The order of the rules, as in Envoy's `LoadBalancerBase`:
//!
//! 1. [Availability](PriorityHealth::availability): `min(100, overprovisioning_factor * usable /
//!    counted)` for each priority.
//! 2. Total availability: `min(100, sum of all availabilities)`.
//! 3. [Load](priority_load): priorities in order take their availability; if the total is below
//!    100, the loads are scaled up.
//! 4. [Panic mode](panics): priorities with too few usable hosts use all of their hosts. If all
//!    priorities are in panic mode, the loads follow the host counts.
//! 5. [Choice](choose_priority): a hash modulo 100 selects a priority by the cumulative loads.
//!
//! All percentages are integers and all divisions truncate, as in Envoy. The functions have no
//! state: they return the results of a freshly started Envoy.

mod aggregate;
mod availability;
mod choose;
mod last_resort;
mod locality_weight;
mod panic;
mod priority_load;
mod retry;
mod split;
mod zone_aware;

pub use aggregate::{AggregateLoad, LinearizedPriority, linearized};
pub use availability::{Availability, PriorityHealth, PriorityWeights};
pub use choose::{HostClass, choose_priority};
pub use last_resort::last_resort_load;
pub use locality_weight::LocalityHealth;
pub use panic::panics;
pub use priority_load::{PriorityLoad, filled_load, priority_load};
pub use retry::{RetryLoad, TriedPriority, load_without, previous_priorities};
pub use split::{hash_roll, weighted_choice};
pub use zone_aware::{
    ZoneAwareInputs, ZoneLimits, ZoneObstacle, ZoneRouting, ZoneSize, zone_parts, zone_routing,
};
