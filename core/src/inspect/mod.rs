//! Read-only views of a snapshot: the figures behind its answers. Nothing here decides anything.

mod levels;
mod moved;

pub use levels::{Levels, levels};
pub use moved::{KEYS, Moved, keys_moved};
