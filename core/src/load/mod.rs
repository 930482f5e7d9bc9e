//! From health to load: which priority gets how many percent.
//!
//! Whole percentages and truncating divisions throughout, as in Envoy
//! (`LoadBalancerBase::recalculatePerPriorityState` and its neighbours). The functions keep no
//! state: they answer as a freshly started Envoy does.

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
pub use retry::{RetryLoad, load_without, previous_priorities};
pub use split::{hash_roll, weighted_choice};
pub use zone_aware::{
    ZoneFacts, ZoneLimits, ZoneObstacle, ZoneRouting, ZoneSize, zone_parts, zone_routing,
};
