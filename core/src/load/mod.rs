//! From health to load: which level gets how many percent.
//!
//! Whole percentages and truncating divisions throughout, as in Envoy
//! (`LoadBalancerBase::recalculatePerPriorityState` and its neighbours). The functions keep no
//! state: they answer as a freshly started Envoy does.

mod aggregate;
mod availability;
mod choose;
mod panic;
mod priority_load;

pub use aggregate::{AggregateLoad, LinearLevel, linearise};
pub use availability::{Availability, LevelHealth, LevelWeights};
pub use choose::{HostClass, choose_priority};
pub use panic::panics;
pub use priority_load::{PriorityLoad, priority_load};
