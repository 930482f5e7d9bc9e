//! Why a figure is what it is: a tree from a share down to the settings and counts behind it.
//!
//! Each node names its figure, its value and the formula with the values put in. The leaves are
//! what the configuration says; [`Subject`] tells which setting, so that a caller that knows the
//! text can point at the line.

mod cluster;
mod host;
mod level;
mod tree;

pub use cluster::{why_cluster, why_line_level};
pub use host::why_host;
pub use level::why_level;
pub use tree::{LevelRef, Quantity, Subject, Why};
