//! Read-only views of a snapshot: the figures behind its decisions.

mod moved;
mod priorities;

pub use moved::{KEYS, MovedKeys, keys_moved};
pub use priorities::{Priorities, priorities};
