//! Read-only views of a snapshot, for those who want to see the figures behind the answers. Nothing
//! here decides anything.

mod levels;
mod moved;

pub use levels::{Levels, levels};
pub use moved::{KEYS, Moved, keys_moved};
