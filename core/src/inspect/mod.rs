//! Read-only views of a snapshot: the figures behind its answers. Nothing here decides anything.

mod moved;
mod priorities;

pub use moved::{KEYS, MovedKeys, keys_moved};
pub use priorities::{Priorities, priorities};
