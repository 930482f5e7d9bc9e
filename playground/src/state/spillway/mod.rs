//! The geometry of the spillway: streams that thin out from basin to basin.
//!
//! Traffic enters at the left; the thickness of a stream is its share. A basin is filled to its
//! priority's availability, and its brim is 100. Paths of the same kind always have the same
//! commands, so that a style sheet can morph one into the other.

mod basin;
mod groups;
mod layout;
mod measures;
mod paths;
mod shapes;

pub use layout::spillway;
pub use shapes::{Basin, MemberShape, Size, Spill, Spillway, StreamShape, Water};
