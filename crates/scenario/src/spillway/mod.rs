//! The geometry of the spillway figure.
//!
//! Traffic enters at the left; the thickness of a stream is its load. A basin is filled to the
//! availability of its priority; its brim is 100. Paths of one kind always have the same commands, so
//! that the style sheet can animate between them.

mod basin;
mod fitting;
mod groups;
mod layout;
mod measures;
mod paths;
mod shapes;

pub use layout::spillway;
pub use shapes::{Basin, MemberShape, Size, SpilloverLabel, Spillway, StreamShape, Water};
