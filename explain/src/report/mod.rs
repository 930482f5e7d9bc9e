//! The report of a cluster: loads, panic mode and shares of its priorities, localities and hosts.
//!
//! Tables, JSON, the page and what-if answers render this one model. Loads and shares are percent
//! of the cluster's own requests.

mod cluster;
mod locality;
mod priorities;
mod shares;

pub use cluster::{ClusterReport, MemberShare, PriorityReport, SubsetUsed};
pub use locality::LocalityReport;
pub use priorities::{Priorities, PriorityRow, Totals};
pub use shares::Shares;
