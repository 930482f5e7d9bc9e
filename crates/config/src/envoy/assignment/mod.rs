//! Endpoint assignments: `ClusterLoadAssignment`, its priorities, localities and endpoints.

mod drop_overload;
mod endpoint;
mod live;
mod read;

pub(crate) use drop_overload::{DENOMINATOR, limit_own_drops};
pub(crate) use endpoint::EndpointContext;
pub use endpoint::HEALTH_STATUS;
pub use live::{cut_assignments, read_priorities};
pub(crate) use read::{Assignment, MAXIMUM_PRIORITY, read_assignment, read_names};
