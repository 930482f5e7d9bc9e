//! Read-only views of a snapshot: the figures behind its decisions.

mod counted;
mod moved;
mod priorities;
mod schedule;

pub use counted::CountedCluster;
pub use moved::{KEYS, MovedKeys, hashes_moved, keys_moved};
pub use priorities::{Priorities, priorities};
pub use schedule::{NextPick, next_picks};
