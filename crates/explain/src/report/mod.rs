//! The report of a cluster: loads, panic mode and shares of its priorities, localities and hosts.
//!
//! Tables, JSON, the playground and what-if answers render this one model. Loads and shares are percent
//! of the cluster's own requests.

mod cluster;
mod effect;
mod locality;
mod priorities;
mod shares;
mod source;
mod state;
mod unknown;
mod verdict;

pub use cluster::{ClusterReport, MemberShare, PanicMode, PriorityReport, SubsetUsed};
pub use effect::{Effect, Onset, onsets};
pub use locality::{LocalityReport, locality_title};
pub use priorities::{PriorityRow, PriorityTable, PriorityTotals};
pub use shares::Shares;
pub use state::LoadState;
pub use unknown::{CoveredAttempts, reached_unknown};
pub use verdict::{NEGLIGIBLE_SHARE, ResultSeverity, ResultVerdict};
