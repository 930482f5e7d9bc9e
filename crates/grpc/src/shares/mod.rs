//! The shares of a gRPC client: which host gets which part of the requests of a cluster.
//!
//! A client without sessions that has connected to all reachable hosts. The rules, by file:
//!
//! - [`LeafPolicy`]: how a leaf cluster picks within a priority (A27, A42, A52, A58).
//! - [`serves`]: which hosts take requests (A27, A75).
//! - [`assignment_errors`]: endpoints that the client rejects as a whole (A27).
//! - [`LeafShares`]: the first priority with such a host gets everything (A56).
//! - [`RootShares`]: the first leaf with such a priority gets everything (A37, A75).

mod assignment;
mod errors;
mod leaf;
mod leaf_picks;
mod ring;
mod root;
mod usable;

pub use assignment::{AssignmentEntry, assignment_errors, entries, localities};
pub use errors::FieldErrors;
pub use leaf::{LeafShares, PriorityShares};
pub use leaf_picks::{HostPicking, LeafPolicy, UNSUPPORTED};
pub use root::{LeafAnswer, RootShares};
pub use usable::{reachable, serves};
