//! Read-only views of a snapshot, for those who want to see the tables behind the answers: the
//! page's inspector and the command line. Nothing here decides anything.

mod levels;
mod moved;
mod subsets;
mod tables;
mod turns;

pub use levels::{Levels, levels};
pub use moved::{KEYS, Moved, keys_moved};
pub use subsets::{SubsetView, subset_tree};
pub use tables::{Arc, HostPart, maglev_strip, ring_arcs, table_parts};
pub use turns::next_picks;
