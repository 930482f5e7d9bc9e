//! Read-only views of a snapshot: the figures behind its decisions.

mod moved;
mod priorities;
mod schedule;

pub use moved::{KEYS, MovedKeys, hashes_moved, keys_moved};
pub use priorities::{Priorities, priorities};
pub use schedule::{NextPick, next_picks};
